"""A process beside this one for work that would hold the interpreter: reading files, reading facts out of messages.

Not ``multiprocessing``: that would run the caller's main script again and ask it for a guard. The process is this same
Python with this same ``sys.path``; tasks and answers go through its standard input and output. It ends with its input,
so it never outlives us. Where no process can be started, the caller works by itself.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import logging
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar, cast

log = logging.getLogger("mnemic.worker_process")

Task = TypeVar("Task")
Answer = TypeVar("Answer")

_START = "import sys; sys.path[:] = sys.argv[1:]; from mnemic.worker_process import serve; serve()"
_END = "end"
#: New objects before rubbish is looked for: tasks and answers hold no circles, and looking for some costs a tenth.
_RUBBISH = 500_000


class CannotStart(Exception):
    """The process could not be started or gave nothing: nothing has been done of the task yet."""


def possible() -> bool:
    """Whether a second process could be of use: there is a second processor, and this program is Python itself."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    python = Path(sys.executable or "").stem.lower().startswith(("python", "pypy"))
    return processors > 1 and python and not getattr(sys, "frozen", False)


class WorkerProcess(Generic[Task, Answer]):
    """Does one task after the other; started by the first.

    Args:
        work: a function of a module, found there again by its name; what goes in and comes out can be pickled.
    """

    def __init__(self, work: Callable[[Task], Iterator[Answer]]) -> None:
        self._work = work
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, task: Task) -> Iterator[Answer]:
        """As ``work(task)``.

        Raises:
            CannotStart: do the task in this process instead.
            OSError: the process has died in the middle of it.
            Exception: whatever ``work`` raises.
        """
        begun = done = False
        try:
            source = self._send(task)
            while True:
                answer = pickle.load(source)
                if answer == _END:
                    done = True
                    return
                if isinstance(answer, Exception):
                    done = True
                    raise answer
                begun = True
                yield answer
        except (EOFError, pickle.UnpicklingError, BrokenPipeError) as error:
            if begun:
                raise OSError(errno.EIO, "the process that worked on it has ended; try again") from error
            log.info("no process beside: %s", error)
            raise CannotStart from error
        finally:
            if not done:
                self.close()

    def _send(self, task: Task) -> BinaryIO:
        try:
            said = pickle.dumps((self._work, task), 5)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise CannotStart from error
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-X", f"utf8={sys.flags.utf8_mode}", "-c", _START, *sys.path],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,  # an interrupt at the terminal is ours to answer
                )
            except (OSError, ValueError) as error:
                raise CannotStart from error
        tasks, answers = cast(BinaryIO, self._process.stdin), cast(BinaryIO, self._process.stdout)
        tasks.write(said)
        tasks.flush()
        return answers

    def close(self) -> None:
        """End the process, whatever it is doing. Idempotent."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        process.wait()


def serve() -> None:
    """The other side: answer each task with what comes of it and a word at the end."""
    tasks, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb", buffering=1 << 20)
    os.dup2(2, 1)  # whatever prints something must not print into the answers
    gc.set_threshold(_RUBBISH)
    while True:
        try:
            work, task = pickle.load(tasks)
        except EOFError:
            return
        try:
            for answer in work(task):
                pickle.dump(answer, answers, 5)
                answers.flush()
        except Exception as error:
            answers.write(_portable(error))
        else:
            pickle.dump(_END, answers)
        answers.flush()


def _portable(error: Exception) -> bytes:
    """An exception as the other process can read it: of its own kind where that survives the way."""
    with contextlib.suppress(Exception):
        data = pickle.dumps(error)
        pickle.loads(data)
        return data
    return pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
