"""The job of each system as text: what it runs, how often, and that a path of any kind arrives as it is."""

from __future__ import annotations

import plistlib
import re
import shlex
import subprocess
import sys
from configparser import ConfigParser
from xml.etree import ElementTree

import pytest

from mnemic import Config, InvalidInput
from mnemic.interfaces import timers
from mnemic.interfaces.places import jobs

PATHS = {
    "linux": ["/home/anna/.mnemic/memory.db", "/home/анна/моя память/100% $HOME.db", '/tmp/a "quoted" \\ path;%h.db'],
    "darwin": ["/Users/anna/.mnemic/memory.db", "/Users/анна/моя память.db", "/Users/anna/<a> & 'b'.db"],
    "win32": [r"C:\Users\anna\.mnemic\memory.db", "C:\\Users\\Анна\\моя память.db", r"D:\a & <b>\100% it's.db"],
}
CASES = [(system, db) for system, paths in PATHS.items() for db in paths]
PYTHON = {
    "linux": "/opt/venv 3/bin/python",
    "darwin": "/usr/local/bin/python3",
    "win32": r"C:\Program Files\Py\python.exe",
}


def made(system: str, db: str, **options: object) -> tuple[tuple[str, ...], timers.Plan]:
    words = timers.command(PYTHON[system], db, **options)  # type: ignore[arg-type]
    plan = timers.plan(system, words, db, "/jobs/", user=501)
    assert plan is not None
    return words, plan


def started(system: str, plan: timers.Plan) -> list[str]:
    """The words that the scheduler would start, read as it reads them."""
    text = plan.files[0][1]
    if system == "darwin":
        return list(plistlib.loads(text.encode())["ProgramArguments"])
    if system == "linux":
        line = re.search(r"^ExecStart=(.*)$", text, re.M)
        assert line
        return [word.replace("%%", "%").replace("$$", "$") for word in shlex.split(line[1])]
    task = ElementTree.fromstring(text)
    names = {"t": "http://schemas.microsoft.com/windows/2004/02/mit/task"}
    program, arguments = (task.findtext(f".//t:{name}", namespaces=names) or "" for name in ("Command", "Arguments"))
    return [program, *windows_words(arguments)]


def windows_words(line: str) -> list[str]:
    """Split a command line as programs on Windows do, for paths without backslashes before quotes."""
    return [quoted or bare for quoted, bare in re.findall(r'"([^"]*)"|(\S+)', line)]


@pytest.mark.parametrize(("system", "db"), CASES)
def test_it_starts_this_python_on_this_file(system: str, db: str) -> None:
    words, plan = made(system, db, embedder="hash:64", config=Config(zone="Europe/Lisbon", sleep="0 3 * * 1-5"))
    assert started(system, plan) == list(words)
    assert words[:6] == (PYTHON[system], "-m", "mnemic", "sleep", "--due", "--db")
    assert words[6:] == (db, "--embedder", "hash:64", "--set", "zone=Europe/Lisbon", "--set", "sleep=0 3 * * 1-5")


@pytest.mark.parametrize(("system", "db"), CASES)
def test_it_runs_every_hour_and_is_taken_back_by_name(system: str, db: str) -> None:
    _, plan = made(system, db)
    assert plan.name == timers.identity(db)
    assert all(plan.name in path and path.startswith("/jobs") for path, _ in plan.files)
    text = plan.files[-1][1]
    pattern = {
        "linux": r"^OnCalendar=\*-\*-\* \*:[0-5]\d:00$",
        "darwin": r"<key>Minute</key>\s*<integer>\d+<",
        "win32": "<Interval>PT1H<",
    }
    assert re.search(pattern[system], text, re.M)
    for commands in (plan.install, plan.remove):
        assert any(plan.name in " ".join(words) for words in commands)


def test_systemd() -> None:
    _, plan = made("linux", "/m.db")
    (service, unit), (timer, schedule) = plan.files
    assert (service, timer) == (f"/jobs/{plan.name}.service", f"/jobs/{plan.name}.timer")
    for text, sections in ((unit, ["Unit", "Service"]), (schedule, ["Unit", "Timer", "Install"])):
        parser = ConfigParser(interpolation=None)
        parser.read_string(text)
        assert parser.sections() == sections
    assert "Persistent=true" in schedule
    assert plan.install == (
        ("systemctl", "--user", "daemon-reload"), ("systemctl", "--user", "enable", "--now", f"{plan.name}.timer"),
    )  # fmt: skip
    assert plan.remove == (("systemctl", "--user", "disable", "--now", f"{plan.name}.timer"),)


def test_launchd() -> None:
    _, plan = made("darwin", "/m.db")
    content = plistlib.loads(plan.files[0][1].encode())
    assert content["Label"] == plan.name
    assert set(content["StartCalendarInterval"]) == {"Minute"}
    assert plan.install == (("launchctl", "bootstrap", "gui/501", f"/jobs/{plan.name}.plist"),)
    assert plan.remove == (("launchctl", "bootout", f"gui/501/{plan.name}"),)


def test_task_scheduler() -> None:
    _, plan = made("win32", "C:\\Анна\\m.db")
    path, text = plan.files[0]
    assert text.isascii(), "one encoding that every schtasks reads"
    task = ElementTree.fromstring(text)
    assert [child.tag.partition("}")[2] for child in task] == [
        "RegistrationInfo", "Triggers", "Principals", "Settings", "Actions",
    ]  # fmt: skip
    assert "<StartWhenAvailable>true<" in text
    assert plan.install == (("schtasks", "/Create", "/TN", plan.name, "/XML", path, "/F"),)
    assert plan.remove == (("schtasks", "/Delete", "/TN", plan.name, "/F"),)


def test_only_settings_that_differ_and_no_key() -> None:
    words = timers.command("python", "/m.db", llm="none", config=Config(background=False, catch_up=False))
    assert words == ("python", "-m", "mnemic", "sleep", "--due", "--db", "/m.db")
    words = timers.command(
        "python", "/m.db", llm="openai:gpt", config=Config(durable=True, consolidate=False, cold_days=90)
    )
    assert words[7:] == ("--llm", "openai:gpt", "--set", "durable=1", "--set", "consolidate=0", "--set", "cold_days=90")


def test_each_file_has_a_job_of_its_own() -> None:
    assert timers.identity("/a.db") == timers.identity("/a.db") != timers.identity("/b.db")


@pytest.mark.parametrize("db", ["/a\nb.db", "/a\rb.db", "/a\0b.db"])
def test_a_line_break_in_a_path_is_refused(db: str) -> None:
    with pytest.raises(InvalidInput, match="db"):
        timers.command("python", db)


def test_an_unknown_system_gets_a_line_for_cron() -> None:
    words = timers.command(sys.executable, "/my memory/100%.db")
    assert timers.plan("sunos5", words, "/m.db", "/jobs") is None
    line = timers.crontab(words)
    assert line.startswith("7 * * * * ")
    assert shlex.split(line.removeprefix("7 * * * * ").replace(r"\%", "%")) == list(words)


def test_where_jobs_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/anna")
    monkeypatch.setenv("USERPROFILE", "/home/anna")
    assert jobs("linux", {}).as_posix() == "/home/anna/.config/systemd/user"
    assert jobs("linux", {"XDG_CONFIG_HOME": "/etc/xdg"}).as_posix() == "/etc/xdg/systemd/user"
    assert jobs("darwin", {}).as_posix() == "/home/anna/Library/LaunchAgents"
    assert jobs("win32", {"LOCALAPPDATA": "/local"}).as_posix() == "/local/mnemic"


def test_the_words_for_windows_are_split_back() -> None:
    assert windows_words(subprocess.list2cmdline(["-m", "a b", r"C:\x y\m.db"])) == ["-m", "a b", r"C:\x y\m.db"]
