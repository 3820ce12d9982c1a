"""A job that does every hour what is due, for the scheduler of each system, as text: what is written, what is run.

Every hour, and not once a night: when a night is due says the memory itself, in the zone of its user, so that a machine
that was off makes up for it within the hour. Pure functions: nothing here is written or run.
"""

from __future__ import annotations

import hashlib
import plistlib
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from xml.sax.saxutils import escape

from mnemic.config import Config
from mnemic.errors import InvalidInput

#: Settings that mean nothing to a job of its own.
_NOT_OURS = frozenset({"background", "catch_up", "queue_size"})


@dataclass(frozen=True, slots=True)
class Plan:
    """A job as one system has it.

    Attributes:
        scheduler: its name. files: path and text of each. remark: what to know of it.
        install: commands run once the files are written. remove, after: run before and after they are taken away.
    """

    scheduler: str
    name: str
    files: tuple[tuple[str, str], ...]
    install: tuple[tuple[str, ...], ...]
    remove: tuple[tuple[str, ...], ...]
    after: tuple[tuple[str, ...], ...] = ()
    remark: str = ""


def identity(db: str) -> str:
    """Name of the job of a memory file, the same each time: a machine may have several."""
    return f"mnemic-{hashlib.blake2b(db.encode('utf-8', 'surrogatepass'), digest_size=4).hexdigest()}"


def command(
    python: str, db: str, *, embedder: str = "auto", llm: str = "none", config: Config | None = None
) -> tuple[str, ...]:
    """What the job runs, with the settings that differ from their defaults: it knows nothing of this environment.

    Raises:
        InvalidInput: a path with a line break, which no scheduler takes.
    """
    if any(sign in python + db for sign in "\n\r\0"):
        raise InvalidInput("db", "has a line break in its path", "rename the file or the folder")
    words = [python, "-m", "mnemic", "sleep", "--due", "--db", db]
    words += ["--embedder", embedder] if embedder != "auto" else []
    words += ["--llm", llm] if llm not in ("", "none") else []
    for name, value in _altered(config or Config()).items():
        words += ["--set", f"{name}={value}"]
    return tuple(words)


def _altered(config: Config) -> Mapping[str, object]:
    values = {f.name: (getattr(config, f.name), f.default) for f in fields(Config) if f.name not in _NOT_OURS}
    return {
        name: int(value) if isinstance(value, bool) else value
        for name, (value, default) in values.items()
        if value != default
    }


def plan(system: str, words: Sequence[str], db: str, home: str, user: int = 0) -> Plan | None:
    """The job of a memory file on a system (``sys.platform``); ``None`` where no scheduler of it is known.

    Args:
        words: the command. home: folder in which this user's jobs stand. user: number of the user, for launchd.
    """
    name = identity(db)
    minute = int(name[-2:], 16) % 60  # jobs of several files do not begin at once
    make = SYSTEMS.get(system)
    return make(name, tuple(words), minute, home.rstrip("/\\"), user) if make else None


def crontab(words: Sequence[str]) -> str:
    """The line for cron, where no scheduler is known."""
    return "7 * * * * " + shlex.join(words).replace("%", r"\%")


# -- systemd ---------------------------------------------------------------------------------------------------------


def _systemd(name: str, words: tuple[str, ...], minute: int, home: str, user: int) -> Plan:
    service = f"""\
[Unit]
Description=mnemic: what is due (vectors, facts, the night)

[Service]
Type=oneshot
ExecStart={" ".join(map(_unit_word, words))}
Nice=15
IOSchedulingClass=idle
"""
    timer = f"""\
[Unit]
Description=mnemic: every hour what is due

[Timer]
OnCalendar=*-*-* *:{minute:02}:00
Persistent=true

[Install]
WantedBy=timers.target
"""
    reload = ("systemctl", "--user", "daemon-reload")
    return Plan(
        "systemd",
        name,
        ((f"{home}/{name}.service", service), (f"{home}/{name}.timer", timer)),
        (reload, ("systemctl", "--user", "enable", "--now", f"{name}.timer")),
        (("systemctl", "--user", "disable", "--now", f"{name}.timer"),),
        (reload,),
        "It runs while you are logged in; `loginctl enable-linger` lets it run always.",
    )


def _unit_word(word: str) -> str:
    """One word of a command line in a unit: quoted, and neither variable nor specifier."""
    for sign, written in (("\\", "\\\\"), ('"', '\\"'), ("%", "%%"), ("$", "$$")):
        word = word.replace(sign, written)
    return f'"{word}"'


# -- launchd ---------------------------------------------------------------------------------------------------------


def _launchd(name: str, words: tuple[str, ...], minute: int, home: str, user: int) -> Plan:
    path = f"{home}/{name}.plist"
    content = {
        "Label": name,
        "ProgramArguments": list(words),
        "StartCalendarInterval": {"Minute": minute},
        "ProcessType": "Background",
        "LowPriorityIO": True,
        "Nice": 15,
    }
    return Plan(
        "launchd",
        name,
        ((path, plistlib.dumps(content, sort_keys=False).decode()),),
        (("launchctl", "bootstrap", f"gui/{user}", path),),
        (("launchctl", "bootout", f"gui/{user}/{name}"),),
    )


# -- Task Scheduler --------------------------------------------------------------------------------------------------

#: Without a declared encoding and in ASCII alone it is read the same by every version of ``schtasks``.
_TASK = """\
<?xml version="1.0"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>mnemic: every hour what is due (vectors, facts, the night)</Description>
  </RegistrationInfo>
  <Triggers>
    <TimeTrigger>
      <Repetition>
        <Interval>PT1H</Interval>
        <StopAtDurationEnd>false</StopAtDurationEnd>
      </Repetition>
      <StartBoundary>2026-01-01T00:{minute:02}:00</StartBoundary>
      <Enabled>true</Enabled>
    </TimeTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT4H</ExecutionTimeLimit>
    <Priority>8</Priority>
    <Enabled>true</Enabled>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>{program}</Command>
      <Arguments>{arguments}</Arguments>
    </Exec>
  </Actions>
</Task>
"""


def _task_scheduler(name: str, words: tuple[str, ...], minute: int, home: str, user: int) -> Plan:
    path = f"{home}\\{name}.xml"
    program, arguments = (_ascii(escape(text)) for text in (words[0], subprocess.list2cmdline(words[1:])))
    return Plan(
        "Task Scheduler",
        name,
        ((path, _TASK.format(minute=minute, program=program, arguments=arguments)),),
        (("schtasks", "/Create", "/TN", name, "/XML", path, "/F"),),
        (("schtasks", "/Delete", "/TN", name, "/F"),),
    )


def _ascii(text: str) -> str:
    return text.encode("ascii", "xmlcharrefreplace").decode()


#: System (``sys.platform``) → how its scheduler is told.
SYSTEMS: Mapping[str, Callable[[str, tuple[str, ...], int, str, int], Plan]] = {
    "linux": _systemd,
    "darwin": _launchd,
    "win32": _task_scheduler,
}
