"""A scripted OpenAI-compatible chat server on this machine, for tests of whatever asks a model over HTTP."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-very-secret-0123"
TEXT = "my private text"

#: Status, headers, body. Status 0: the connection is closed without an answer.
Reply = tuple[int, dict[str, str], bytes]
Step = Callable[[dict[str, Any]], Reply] | Reply


def ok(content: object = '{"facts": [], "entities": []}', **changes: Any) -> Reply:
    """An answer of the model; ``changes`` go into the choice (``finish_reason``) or, by name, elsewhere."""
    message = {"role": "assistant", "content": content, **changes.pop("message", {})}
    choice = {"index": 0, "message": message, "finish_reason": "stop", **changes.pop("choice", {})}
    usage = {"prompt_tokens": 30, "completion_tokens": 12}
    body = {"object": "chat.completion", "choices": [choice], "usage": usage, **changes}
    return 200, {}, json.dumps(body).encode()


def failing(status: int, code: str = "bad_thing", headers: dict[str, str] | None = None, **more: Any) -> Reply:
    """An error whose prose quotes what no message of ours may."""
    error = {"message": f"you sent {KEY} and '{TEXT}'", "type": "some_error", "code": code, **more}
    return status, headers or {}, json.dumps({"error": error}).encode()


class ChatServer:
    """``script`` holds answers to give first; after that ``rule`` answers."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.script: list[Step] = []
        self.rule: Callable[[dict[str, Any]], Reply] = lambda body: ok()
        self.delay = 0.0
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                server.requests.append(body)
                server.headers.append(dict(self.headers.items()))
                time.sleep(server.delay)
                step = server.script.pop(0) if server.script else server.rule
                status, headers, content = step(body) if callable(step) else step
                if status == 0:
                    self.close_connection = True
                    return
                self.send_response(status if self.path == "/v1/chat/completions" else 404)
                for name, value in {"content-length": str(len(content)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop it."""
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@contextmanager
def chat_server() -> Iterator[ChatServer]:
    """A running one."""
    server = ChatServer()
    try:
        yield server
    finally:
        server.close()
