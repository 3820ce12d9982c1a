"""A process beside this one that reads files, so that reading and writing each have a processor.

Not ``multiprocessing``: that would run the caller's main script again and ask it for a guard. The process is this same
Python with this same ``sys.path``; tasks and batches go through its standard input and output. It ends with its input,
so it never outlives us. Where no process can be started, the caller reads by itself.
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
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from .reading import Batch, Task, read

log = logging.getLogger("mnemic.import")

_START = "import sys; sys.path[:] = sys.argv[1:]; from mnemic.ingest.process import serve; serve()"
_END = "end"


class CannotRead(Exception):
    """The process could not be started or gave nothing: nothing has been read of the file yet."""


def possible() -> bool:
    """Whether a second process could be of use: there is a second processor, and this program is Python itself."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    python = Path(sys.executable or "").stem.lower().startswith(("python", "pypy"))
    return processors > 1 and python and not getattr(sys, "frozen", False)


class ReadingProcess:
    """Reads one file after the other; started by the first."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, task: Task) -> Iterator[Batch]:
        """As :func:`mnemic.ingest.reading.read`.

        Raises:
            CannotRead: read the file in this process instead.
            OSError: the file cannot be read, or the process has died in the middle of it.
        """
        begun = done = False
        try:
            source = self._ask(task)
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
                raise OSError(errno.EIO, "the process that read it has ended; import it again") from error
            log.info("no reading process: %s", error)
            raise CannotRead from error
        finally:
            if not done:
                self.close()

    def _ask(self, task: Task) -> BinaryIO:
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
                raise CannotRead from error
        tasks, answers = cast(BinaryIO, self._process.stdin), cast(BinaryIO, self._process.stdout)
        pickle.dump(task, tasks)
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
    """The other side: answer each task with its batches and a word at the end."""
    tasks, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb", buffering=1 << 20)
    os.dup2(2, 1)  # whatever prints something must not print into the answers
    gc.disable()  # messages hold no circles, and looking for some costs a tenth
    while True:
        try:
            task = pickle.load(tasks)
        except EOFError:
            return
        try:
            for batch in read(task):
                pickle.dump(batch, answers, 5)
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
