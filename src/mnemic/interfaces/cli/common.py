"""What every verb shares: options, the opened memory, errors as one plain line, UTF-8 whatever the locale."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand

from mnemic.errors import InvalidInput, MnemicError, StoreError
from mnemic.interfaces.places import default_db
from mnemic.records import plain

if TYPE_CHECKING:
    from mnemic.memory import Memory
    from mnemic.models import CaughtUp, Filter

#: Characters of a text in a list; ``--full`` shows all.
CUT = 400


def say_json(value: Any) -> None:
    """One JSON document in UTF-8."""
    print(json.dumps(plain(value), ensure_ascii=False, indent=2))


def one_line(text: str, limit: int | None = CUT) -> str:
    """A text on one line, without control characters, cut between characters as a reader sees them."""
    from mnemic.text.recalled import cut

    flat = " ".join("".join(c if c.isprintable() or c in "\u200d\ufe0f" else " " for c in text).split())
    return flat if limit is None or len(flat) <= limit else cut(flat, limit) + " …"


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, wide: int | None = None) -> None:
    """A table on a terminal; tab-separated lines without a heading and without colour elsewhere.

    Args:
        wide: the column that takes the room that is left and wraps.
    """
    if not sys.stdout.isatty():
        for row in rows:
            print("\t".join(str(cell) for cell in row))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, pad_edge=False, header_style="bold")
    for number, name in enumerate(columns):
        grid.add_column(name, overflow="fold", no_wrap=number != wide, ratio=1 if number == wide else None)
    for row in rows:
        grid.add_row(*(Text(str(cell)) for cell in row))
    Console(highlight=False).print(grid)


def pairs(items: Mapping[str, object] | Sequence[tuple[str, object]]) -> None:
    """Names and values, one pair on a line, aligned."""
    entries = list(items.items()) if isinstance(items, Mapping) else list(items)
    width = max((len(name) for name, _ in entries), default=0)
    for name, value in entries:
        print(f"{name:<{width}}  {value}")


@contextlib.contextmanager
def bar(title: str, unit: str = "") -> Iterator[Callable[[int, int | None, str], None]]:
    """A progress bar on stderr, shown only on a terminal; yields ``tell(done, total, remark)``."""
    if not sys.stderr.isatty():
        yield lambda done, total, remark: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    counts = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        counts,
        TextColumn("{task.fields[remark]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=None, remark="")
        yield lambda done, total, remark: progress.update(task, completed=done, total=total, remark=remark)


def who(node: Any) -> str:
    """Who said it, or what it is."""
    return one_line(str(node.speaker or node.role or node.label), 40)


def size(count: int) -> str:
    """A number of bytes for people."""
    value = float(count)
    for unit in ("B", "kB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"


#: Rows without a vector that a query embeds on the spot; more wait for ``import`` or ``reembed``.
CATCH_UP = 512
#: Seconds of due work that a command does after its own: one message is no reason to wait, an import is.
AFTER_ONE, AFTER_MANY = 1.0, 20.0
#: Seconds after which a conversation that messages are told to one by one counts as over, whatever times they bear.
GOING_ON = 60.0

Db = Annotated[
    str,
    typer.Option("--db", metavar="PATH", help="The memory file [default: $MNEMIC_DB or ~/.mnemic/memory.db]."),
]
Space = Annotated[str, typer.Option("--space", metavar="NAME", envvar="MNEMIC_SPACE", help="Isolation boundary.")]
Embedder = Annotated[
    str,
    typer.Option("--embedder", metavar="NAME", envvar="MNEMIC_EMBEDDER", help="auto, none or provider:model."),
]
Llm = Annotated[
    str,
    typer.Option(
        "--llm", metavar="NAME", envvar="MNEMIC_LLM", help="Language model that reads facts: none or provider:model."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
KnownAt = Annotated[str | None, typer.Option("--known-at", help="What was known then.")]
#: Field of a filter → its option.
FILTERS: dict[str, Any] = {
    "when": Annotated[str | None, typer.Option("--when", help="A time in words: 'last week', «на прошлой неделе».")],
    "after": Annotated[str | None, typer.Option("--after", help="Only from then on.")],
    "before": Annotated[str | None, typer.Option("--before", help="Only until then (exclusive).")],
    "as_of": Annotated[str | None, typer.Option("--as-of", help="What was true then.")],
    "known_at": KnownAt,
    "kinds": Annotated[list[str] | None, typer.Option("--kind", help="Only this kind (repeatable).")],
    "labels": Annotated[list[str] | None, typer.Option("--label", help="Only this label (repeatable).")],
    "roles": Annotated[list[str] | None, typer.Option("--role", help="Only this role (repeatable).")],
    "origins": Annotated[list[str] | None, typer.Option("--origin", help="Only by this channel (repeatable).")],
    "session": Annotated[str | None, typer.Option("--session", help="Only this conversation.")],
    "entity": Annotated[str | None, typer.Option("--entity", help="Only what mentions this name.")],
    "source": Annotated[str | None, typer.Option("--source", help="Only from this imported file or folder.")],
    "tags": Annotated[list[str] | None, typer.Option("--tag", help="Only with this tag (repeatable).")],
    "min_trust": Annotated[float | None, typer.Option("--min-trust", help="Leave out less trusted channels, 0…1.")],
}
#: Options that verbs share, and their defaults.
SHARED: dict[str, tuple[Any, Any]] = {
    "db": (Db, ""), "space": (Space, "default"), "embedder": (Embedder, "auto"), "llm": (Llm, "none"),
    "json": (Json, False),
}  # fmt: skip


class FreeText(TyperCommand):
    """A verb whose argument is any text, also one that looks like an option (``--no-fail``, ``-x``)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        settings = dict(kwargs.pop("context_settings", None) or {})
        kwargs["context_settings"] = {**settings, "ignore_unknown_options": True}
        super().__init__(*args, **kwargs)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta["mnemic.literal"] = "--" in args
        return super().parse_args(ctx, args)


def command_of(verb: Callable[..., None]) -> type[TyperCommand]:
    """The kind of command that a verb is: one that takes any text asks for the context, see :func:`free_text`."""
    return FreeText if "ctx" in verb.__annotations__ else TyperCommand


def free_text(ctx: typer.Context, words: list[str], field: str) -> str:
    """The words as one text; among several, one that looks like an option is taken for a typing error."""
    if len(words) > 1 and not ctx.meta.get("mnemic.literal"):
        for word in words:
            if word.startswith("--") and len(word) > 2 and not any(c.isspace() for c in word):
                raise InvalidInput(field, f"no such option: {word}", "to use it as text, put -- before the text")
    return " ".join(words)


@dataclass(frozen=True, slots=True)
class Run:
    """What the options that verbs share were given as."""

    db: str = ""
    space: str = "default"
    embedder: str = "auto"
    llm: str = "none"
    json: bool = False
    filter: Filter | None = None

    def opened(self, embedder: str | None = None, **more: Any) -> contextlib.AbstractContextManager[Memory]:
        """The memory; see :func:`opened`."""
        return opened(self.db, self.space, embedder, **more)

    def told(self, answer: Any) -> bool:
        """Whether JSON was asked for; then it is printed."""
        if self.json:
            say_json(answer)
        return self.json


def verb(*also: str, without: Sequence[str] = ()) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A function ``fn(run, …)`` as a verb: the shared options follow its own, and errors are one line on stderr.

    The exit code is 1, for a value that cannot be used 2, interrupted 130.

    Args:
        also: ``embedder``, ``llm``, ``filters`` besides ``db``, ``space`` and ``json``. without: of those.
    """
    names = [name for name in SHARED if name in also or (name in ("db", "space", "json") and name not in without)]

    def made(fn: Callable[..., None]) -> Callable[..., None]:
        own = list(inspect.signature(fn, eval_str=True).parameters.values())[1:]
        fields_ = [n for n in FILTERS if "filters" in also and n not in {p.name for p in own}]
        options = [(n, FILTERS[n], None) for n in fields_] + [(n, *SHARED[n]) for n in names]
        keyword = inspect.Parameter.KEYWORD_ONLY
        own += [inspect.Parameter(n, keyword, default=default, annotation=kind) for n, kind, default in options]

        @guarded
        def run(**given: Any) -> None:
            asked = {n: given.pop(n) for n in fields_}
            if "source" in asked:
                asked["source"] = source_path(asked["source"])
            shared = {n: given.pop(n) for n in names}
            fn(Run(**shared, filter=_filter(asked) if asked else None), **given)

        run.__name__, run.__doc__ = fn.__name__, fn.__doc__
        run.__signature__ = inspect.Signature(own)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in own}
        return run

    return made


def _filter(fields_: Mapping[str, Any]) -> Filter:
    from mnemic.models import Filter

    return Filter(**fields_)


def source_path(given: str | None) -> str | None:
    """A source as it is stored: the resolved path of a file."""
    return os.path.realpath(os.path.expanduser(given)) if given else None


def guarded(fn: Callable[..., None]) -> Callable[..., None]:
    """A function whose errors are one line on stderr."""

    def run(**given: Any) -> None:
        try:
            fn(**given)
        except InvalidInput as error:
            fail(str(error), 2)
        except MnemicError as error:
            fail(str(error), 1)
        except KeyboardInterrupt:
            fail("interrupted; what was stored before is kept", 130)
        except BrokenPipeError:
            _close_stdout()
            raise typer.Exit(1) from None
        except OSError as error:
            fail(f"{error.filename or 'input/output'}: {error.strerror or type(error).__name__}", 1)
        except (typer.Exit, typer.Abort):
            raise
        except RuntimeError as error:
            if _is_control_flow(error):
                raise
            _unexpected(error)
        except Exception as error:
            if _is_control_flow(error):
                raise
            _unexpected(error)

    return run


def _is_control_flow(error: Exception) -> bool:
    """Exceptions of the command-line library itself: exit, abort, usage."""
    return any("click" in base.__module__ for base in type(error).__mro__)


def _unexpected(error: Exception) -> NoReturn:
    if os.environ.get("MNEMIC_TRACEBACK"):
        raise error
    fail(f"internal error ({type(error).__name__}); MNEMIC_TRACEBACK=1 shows where. Please report it", 1)


def fail(message: str, code: int) -> NoReturn:
    """One plain line on stderr, and the exit code."""
    print("error: " + " ".join(message.split()), file=sys.stderr)
    raise typer.Exit(code)


def note(message: str) -> None:
    """A remark for the reader, on stderr so that what is piped on stays clean."""
    print(message, file=sys.stderr)


def db_path(given: str, *, make: bool) -> str:
    """The file to work on; the default folder is made for its owner only.

    Raises:
        StoreError: the file does not exist and the verb makes none.
    """
    path = Path(given).expanduser() if given else default_db()
    if not given and make and not path.parent.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not make and not path.exists():
        raise StoreError(f"{path} does not exist; `mnemic init` or `mnemic import` makes it, --db names another")
    return str(path)


@contextlib.contextmanager
def opened(
    db: str,
    space: str,
    embedder: str | None,
    *,
    llm: str | None = None,
    make: bool = False,
    catch_up: bool = False,
    settings: Mapping[str, str] | None = None,
) -> Iterator[Memory]:
    """The memory of a command: no background thread, so that a command ends when its work is done.

    Args:
        llm: model for consolidation; none is asked otherwise.
        make: create the file if it is not there.
        settings: as texts, before those of the environment.
        catch_up: embed what still waits for a vector before answering, when that is quickly done.
    """
    path = db_path(db, make=make)
    from mnemic.config import Config
    from mnemic.memory import Memory

    config = replace(Config.load({**os.environ, **_variables(settings or {})}), background=False)
    with Memory(path, space=space, embedder=embedder, llm=llm, config=config) as memory:
        if catch_up and memory.embedder is not None:
            with contextlib.suppress(MnemicError):
                status = memory.status()
                held = {generation["embedder"] for generation in status["generations"]}
                if 0 < status["embeddings_due"] <= CATCH_UP and (not held or memory.embedder in held):
                    memory.flush()
        yield memory


def follow_up(memory: Memory, seconds: float, quiet: float = 0.0) -> CaughtUp | None:
    """A piece of what is due, as no process may stay that does it; what goes wrong in it is said, and waits.

    Facts are left to the night where a model reads them (``$MNEMIC_LLM``): that takes longer, and the rules must not
    read before it.
    """
    if not memory.config.catch_up:
        return None
    try:
        done = memory.catch_up(seconds, quiet=quiet, facts=os.environ.get("MNEMIC_LLM", "none") in ("", "none"))
    except MnemicError as error:
        note(f"note: other work waits: {error}")
        return None
    if done.note:
        note(f"note: vectors wait: {done.note}")
    return done


def _variables(settings: Mapping[str, str]) -> dict[str, str]:
    from mnemic.config import Config

    known = {field.name for field in fields(Config)}
    for name in settings.keys() - known:
        raise InvalidInput("set", f"no setting {name!r}", f"known are {', '.join(sorted(known))}")
    return {f"MNEMIC_{name.upper()}": value for name, value in settings.items()}


class _PlainLog(logging.Handler):
    """Warnings of the library as one line each, never with a traceback."""

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(OSError, ValueError):
            print(f"{record.levelname.lower()}: {record.getMessage()}", file=sys.stderr)


def prepare_process() -> None:
    """Set up the streams and the log of this process."""
    if sys.stdout is None or sys.stderr is None:  # a Python without a window, started by a schedule
        sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)
    logger = logging.getLogger("mnemic")
    if not logger.handlers:
        handler = _PlainLog()
        handler.setLevel(logging.WARNING)
        logger.addHandler(handler)
        logger.propagate = False
    with contextlib.suppress(ValueError):  # not on the main thread (a test runner)
        signal.signal(signal.SIGTERM, _terminated)


def _terminated(number: int, frame: object) -> None:
    """A polite end: what was accepted is committed on the way out."""
    raise SystemExit(128 + number)


def in_utf8() -> None:
    """Start again in UTF-8 mode where the locale would garble file names and arguments (``LC_ALL=C``)."""
    if os.name == "posix" and not sys.flags.utf8_mode and sys.getfilesystemencoding().lower() != "utf-8":
        os.execv(sys.executable, [sys.executable, "-X", "utf8", "-m", "mnemic", *sys.argv[1:]])


def _close_stdout() -> None:
    """After the reader of our pipe has gone: nothing more to flush at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
