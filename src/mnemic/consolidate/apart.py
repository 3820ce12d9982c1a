"""The rules in a process of their own, so that they do not hold the interpreter while messages come in.

Reading facts is most of the work of consolidation and all of it is Python: on a thread it makes every ``observe`` wait
for its turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import tzinfo
from functools import lru_cache

from ..worker_process import CannotStart, WorkerProcess, possible
from .claims import Extraction, Extractor, Said

#: Pages that are read here first: to start a process takes half a second, which a short session is not worth.
HERE = 3

_Task = tuple[tzinfo, list[Said], Mapping[str, str]]


@lru_cache(maxsize=1)
def _rules(zone: tzinfo) -> Extractor:
    from .rules import Rules

    return Rules(zone=zone)


def extract(task: _Task) -> Iterator[Extraction]:
    """The work of the process: one page."""
    zone, page, names = task
    yield _rules(zone).extract(page, names)


class RulesApart:
    """The rules for one run: the first pages are read here, the others beside; without a process, all of them here.

    Args:
        rules: those of this process. zone: theirs.
    """

    def __init__(self, rules: Extractor, zone: tzinfo) -> None:
        self.name = rules.name
        self._rules, self._zone = rules, zone
        self._process: WorkerProcess[_Task, Extraction] = WorkerProcess(extract)
        self._apart = possible()
        self._pages = 0

    def extract(self, page: list[Said], names: Mapping[str, str]) -> Extraction:
        """As :meth:`mnemic.consolidate.rules.Rules.extract`."""
        self._pages += 1
        if self._apart and self._pages > HERE:
            try:
                (extraction,) = self._process.ask((self._zone, page, names))
                return extraction
            except (CannotStart, OSError):  # nothing is lost: the page is read here
                self._apart = False
        return self._rules.extract(page, names)

    def close(self) -> None:
        """End the process. Idempotent."""
        self._process.close()
