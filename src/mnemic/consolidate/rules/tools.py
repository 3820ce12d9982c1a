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
    "tracker": "jira|youtrack|linear|trello|asana|redmine|shortcut|clickup|basecamp|жира|джира|трелло|ютрек",
    "code host": "github|gitlab|bitbucket|gitea|codeberg|sourcehut|гитхаб|гитлаб",
    "music": "spotify|apple music|youtube music|tidal|deezer|yandex music|яндекс музыка",
    "design": "figma|sketch|adobe xd|penpot|фигма|фигму",
    "packages": "npm|yarn|pnpm|bun",
    "python packages": "pip|poetry|uv|pipenv|conda|pdm",
    "search engine": "google|duckduckgo|kagi|bing|yandex",
}
#: scope of "prefers" → words of which one holds at a time: tea now, coffee before.
CHOICES: Mapping[str, str] = {
    "drink": "tea coffee matcha cocoa espresso latte beer wine cider чай кофе матча какао пиво вино эспрессо латте",
    "theme": "dark light тёмная светлая темная",
    "indentation": "tabs spaces табы пробелы",
    "pet": "cats dogs кошки собаки",
    "seat": "window aisle",
    "contact": "email calls chat slack telegram звонки переписка почта",
    "travel": "trains planes flying driving поезд поезда самолёт самолет",
}
_CHOICE: Mapping[str, str] = {word: scope for scope, listed in CHOICES.items() for word in listed.split()}
_SCOPE: Mapping[str, str] = {name: scope for scope, names in KINDS.items() for name in names.split("|")}


def scope_of(tool: str) -> str:
    """What a tool is for; empty where the table does not hold it.

    >>> scope_of("Neovim"), scope_of("PostgreSQL 17"), scope_of("a hammer")
    ('editor', 'database', '')
    """
    name = fold(tool).strip(" .,!«»\"'")
    return _SCOPE.get(name) or _SCOPE.get(re.sub(r"\s+v?\d[\w.]*(?:\s.*)?$", "", name), "")


def by_name(text: str) -> str:
    """The tool at the beginning of a text, where the table holds it.

    >>> by_name("vim"), by_name("Berlin")
    ('vim', '')
    """
    name = text.strip(" .,!")
    return name if scope_of(name) else ""


def choice_of(value: str) -> str:
    """Between which things a preference chooses; empty where the table does not hold it, or the value says more.

    >>> choice_of("green tea"), choice_of("dark mode"), choice_of("tea in the morning")
    ('drink', 'theme', '')
    """
    there = value.lower().split()
    scopes = {_CHOICE[word] for word in there if word in _CHOICE}
    return scopes.pop() if len(scopes) == 1 and len(there) <= 2 else ""


#: Machines that one works on.
GEAR = re.compile(r"(?:ThinkPad|MacBook|iMac|Mac|Surface|Chromebook|Raspberry|iPad|iPhone|Pixel|ноут|комп)\w*\b")
