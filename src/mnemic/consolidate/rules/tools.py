"""What well-known tools are for: the scope of "uses", where two cannot both be the one in use. Never needed to read a fact."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...text.analyse import fold

#: scope → names, folded.
KINDS: Mapping[str, str] = {
    "editor": "vs code|vscode|visual studio code|neovim|nvim|vim|emacs|helix|sublime|sublime text|zed|cursor|pycharm|intellij|intellij idea|notepad++|nano|atom|webstorm|вим|вскод",
    "browser": "firefox|chrome|safari|edge|brave|vivaldi|opera|arc|хром|файрфокс",
    "os": "linux|windows|macos|ubuntu|debian|fedora|arch|nixos|arch linux|линукс|винда|винду|макось|убунту|мак",
    "ci": "jenkins|github actions|gitlab ci|circleci|travis|teamcity|buildkite|drone|дженкинс",
    "database": "postgres|postgresql|mysql|mariadb|sqlite|mongodb|mongo|oracle|cockroachdb|dynamodb|cassandra|clickhouse|duckdb|постгрес|монга|монгу",
    "queue": "kafka|rabbitmq|redis streams|sqs|nats|celery|pulsar|кафка|кролик",
    "notes": "obsidian|notion|evernote|onenote|logseq|roam|apple notes|joplin",
    "phone": "iphone|pixel|galaxy|android|айфон|андроид|самсунг",
    "password manager": "keepass|keepassxc|1password|bitwarden|lastpass|dashlane",
    "shell": "bash|zsh|fish|powershell|nushell",
    "messenger": "slack|teams|discord|mattermost|telegram|whatsapp|signal|zulip|телеграм|слак",
    "search engine": "google|duckduckgo|kagi|bing|yandex",
}
_SCOPE: Mapping[str, str] = {name: scope for scope, names in KINDS.items() for name in names.split("|")}


def scope_of(tool: str) -> str:
    """What a tool is for; empty where the table does not hold it.

    >>> scope_of("Neovim"), scope_of("PostgreSQL 17"), scope_of("a hammer")
    ('editor', 'database', '')
    """
    name = fold(tool).strip(" .,!«»\"'")
    return _SCOPE.get(name) or _SCOPE.get(re.sub(r"\s+v?\d[\w.]*(?:\s.*)?$", "", name), "")
