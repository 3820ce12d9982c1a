"""Settings: defaults, then the environment (``MNEMIC_…``), then what the caller passes. Every one is in
docs/settings.md."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from .clock import zone
from .errors import InvalidInput
from .knobs import KNOBS, FadeKnobs, RecallKnobs
from .phase import cron


@dataclass(frozen=True, slots=True)
class Config:
    """How a memory behaves.

    Attributes:
        zone: IANA zone of the user: in it naive times are read and "yesterday" is meant. The host's zone is never used.
        durable: sync at every commit. Off, a power cut may lose the newest commits; a crash of the program never does.
        mask_secrets: replace keys, tokens and passwords before the first write.
        queue_size: writes that may wait before callers are held back.
        background: embed and index names in a background thread. Off, ``flush()`` does it.
        consolidate: read facts out of ended sessions in the background, once nothing was written for a while. Off,
            ``consolidate()`` and ``mnemic consolidate`` do it.
        catch_up: after a command that wrote, embed and read facts for a bounded time. Off, the night does it.
        sleep: when the nightly run takes place, in the background of a process that has the memory open: a time of day
            in the zone, five cron fields, or ``off``. A night that was missed is run at the next quiet moment.
        sleep_minutes: time that a scheduled night may take.
        embed_batch: texts handed to the embedder at once.
        embed_retries: attempts before a text is set aside, with growing pauses.
        archive_logs: by night, pack transcripts that were imported and are two weeks old, and large exports, into
            ``NAME.archive`` beside the memory (see docs/archive.md).
        cold_days: age in days from which the texts of episodes go to the side file ``NAME.cold`` by night; ``0``:
            never.
        context_tokens: budget of a context block when the call names none; ``0``: by the complexity of the prompt.
        weights: what each feature counts in recall. context_shares: sections of a context block. context_depth: how far
            it looks. context_sizes: how long it is. fade_days, fade_shape, fade_below: the forgetting curves. All are
            mappings of names to numbers, of which those that are not given stay as they are (see docs/settings.md).
        memory_md: file that the nightly run writes the list of cards of the memory's own space into; empty: none.
    """

    zone: str = "UTC"
    durable: bool = False
    mask_secrets: bool = True
    queue_size: int = 10_000
    background: bool = True
    consolidate: bool = True
    catch_up: bool = True
    sleep: str = "03:00"
    sleep_minutes: int = 60
    embed_batch: int = 64
    embed_retries: int = 3
    archive_logs: bool = False
    cold_days: int = 0
    context_tokens: int = 0
    memory_md: str = ""
    weights: Mapping[str, float] = KNOBS["weights"].default
    context_shares: Mapping[str, float] = KNOBS["context_shares"].default
    context_depth: Mapping[str, float] = KNOBS["context_depth"].default
    context_sizes: Mapping[str, float] = KNOBS["context_sizes"].default
    fade_days: Mapping[str, float] = KNOBS["fade_days"].default
    fade_shape: Mapping[str, float] = KNOBS["fade_shape"].default
    fade_below: Mapping[str, float] = KNOBS["fade_below"].default

    def __post_init__(self) -> None:
        for name, knob in KNOBS.items():
            object.__setattr__(self, name, knob.read(name, getattr(self, name)))
        zone(self.zone)
        cron(self.sleep)
        for name in ("queue_size", "sleep_minutes", "embed_batch", "embed_retries"):
            if getattr(self, name) < 1:
                raise InvalidInput(name, "must be at least 1")
        for name in ("context_tokens", "cold_days"):
            if getattr(self, name) < 0:
                raise InvalidInput(name, "must not be negative")

    @property
    def recall(self) -> RecallKnobs:
        """What recall and context blocks go by."""
        return RecallKnobs(self.weights, self.context_shares, self.context_depth, self.context_sizes)

    @property
    def fading(self) -> FadeKnobs:
        """How memories fade."""
        return FadeKnobs(self.fade_days, self.fade_shape, self.fade_below)

    @classmethod
    def load(cls, environ: Mapping[str, str] | None = None, **given: object) -> Config:
        """Defaults, overridden by ``MNEMIC_ZONE`` and its like, overridden by ``given`` (``None`` = not given).

        Raises:
            InvalidInput: a setting that is unknown or cannot be read.
        """
        environ = os.environ if environ is None else environ
        config = cls()
        values: dict[str, object] = {}
        for field in fields(cls):
            text = environ.get(f"MNEMIC_{field.name.upper()}", "")
            if text:
                values[field.name] = _read(field.name, text, getattr(config, field.name))
        known = {field.name for field in fields(cls)}
        for name, value in given.items():
            if name not in known:
                raise InvalidInput(name, "no such setting", f"known are {', '.join(sorted(known))}")
            if value is not None:
                values[name] = value
        return replace(config, **values)  # type: ignore[arg-type]


def _read(name: str, text: str, default: object) -> object:
    if isinstance(default, bool):
        lowered = text.strip().lower()
        if lowered in ("1", "true", "yes", "on"):
            return True
        if lowered in ("0", "false", "no", "off"):
            return False
        raise InvalidInput(name, "not a yes or no", "use 1 or 0")
    if isinstance(default, int):
        try:
            return int(text)
        except ValueError as error:
            raise InvalidInput(name, "not a whole number") from error
    return text
