"""What a card says of its document: a digest and a routing rule, made from the sections that are offered.

The card keeps a hash of what both were made from; when a section comes, goes, is hidden or erased it no longer fits,
and they are made again. A model writes the digest where one is set; where it fails, the method without one stands in.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from ...errors import LLMError, LLMMalformed
from ...llm.asking import Asker, BudgetSpent, Prompt, values
from ...llm.base import LLM, Answer
from ...models import Node
from ...store import documents
from ...store.base import Store
from ...store.documents import CARD, MADE_BY, CardState
from ...store.facts import begins
from ...store.tx import Tx
from ...text.digest import plain, sentences, telling
from ...text.routing import Rule, rule_of
from ...text.secrets import mask
from .read import LONGEST_NAME

log = logging.getLogger("mnemic.cards")

SENTENCES = 6
MOST_SECTIONS = 400  # of a document whose words are weighed; of a longer one, every second, third …
MOST_SENTENCES = 2_000
OUTLINE = 600  # characters of the line of headings
PROMPT = "digest.v1"
ASKED, PIECE = 24, 1_000  # pieces of a document that a model is shown, and characters of each
TRIES, ROOM = 2, 1_200


@dataclass(frozen=True, slots=True)
class Description:
    """Title, digest as Markdown, rule, and who made them. The text ends with the words of the rule, all of them: by
    those the keyword index finds it."""

    title: str
    text: str
    rule: Rule
    made_by: str


def describe(store: Store, space: str, row: int, asker: Asker | None) -> bool:
    """Bring digest and rule of a card up to its sections; false where they fit already.

    Args:
        asker: the model, where one is set.
    """
    with store.snapshot():
        card, shown = store.card(row), store.sections_shown(row)
    if card is None or not is_due(card, shown, asker):
        return False
    nodes = sorted(store.nodes(shown).values(), key=lambda n: (_place(n), n.recorded_at, n.id))
    made = _make(card, nodes, asker)
    if made.made_by == card.made_by and inputs_of(card, shown) == card.attributes.get("inputs"):
        return False  # the model has failed again
    digest = hashlib.blake2b(made.text.encode(), digest_size=16).digest()

    def write(tx: Tx) -> bool:
        now = documents.state(tx.connection, row)
        if now is None:
            return False
        at = max((node.event_time for node in nodes), default=begins(tx, row))
        attributes = {
            **now.attributes, "title": made.title, "rule": made.rule.dump(), "sections": len(shown),
            "inputs": inputs_of(now, shown),
        }  # fmt: skip
        documents.describe(tx, tx.space(space), row, made.text, attributes, made_by=made.made_by, at=at, digest=digest)
        return True

    return store.run(write)


def is_due(card: CardState, shown: Sequence[int], asker: Asker | None) -> bool:
    """Whether a card does not fit its sections, or a model could do better."""
    if asker is not None and shown and card.made_by == MADE_BY:
        return True
    return inputs_of(card, shown) != card.attributes.get("inputs")


def inputs_of(card: CardState, shown: Sequence[int]) -> str:
    """Hash of what a digest is made from: the rows of the sections, which never change, and the given title."""
    named = [card.attributes.get(name) for name in ("given", "name", "path")]
    whole = json.dumps([MADE_BY, named, sorted(shown)])
    return hashlib.blake2b(whole.encode(), digest_size=10).hexdigest()


def _place(node: Node) -> int:
    place = node.attributes.get("place")
    return place if isinstance(place, int) else 0


def _make(card: CardState, nodes: Sequence[Node], asker: Asker | None) -> Description:
    sections = [_split(node) for node in nodes]
    title = _title(card, sections)
    spread = sections[:: -(-len(sections) // MOST_SECTIONS) or 1]
    told: tuple[list[str], list[str]] | None = None
    if asker is not None and sections:
        told = _ask(asker, title, sections)
    if told is None:
        candidates = [sentence for _, body in spread for sentence in sentences(body)][:MOST_SENTENCES]
        told = [candidates[i] for i in telling(candidates, SENTENCES)], []
        made_by = MADE_BY
    else:
        assert asker is not None
        made_by = f"{asker.llm.name}/{PROMPT}"
    rule = rule_of(title, spread, told[1])
    headings = rule_of(title, [(headings, "") for headings, _ in sections]).headings
    rule = Rule(rule.title, headings, rule.questions, rule.defined, rule.rare)
    words = ((" · ".join(part)) for part in (rule.questions, rule.headings, (*rule.defined, *rule.rare)))
    said = "\n".join([f"# {title}", *(f"- {sentence}" for sentence in told[0])])
    return Description(title, "\n\n".join([said, *filter(None, words)]), rule, made_by)


def _split(node: Node) -> tuple[tuple[str, ...], str]:
    """Headings and body of a section, whose text begins with its headings."""
    headings = tuple(str(h) for h in node.attributes.get("headings", ()))
    lead = " / ".join(headings)
    return headings, node.content[len(lead) + 2 :] if lead else node.content


def _title(card: CardState, sections: Sequence[tuple[tuple[str, ...], str]]) -> str:
    """The title given, else that of the front matter, else the first heading, else the name of the file."""
    name = card.attributes.get("given") or card.attributes.get("name")
    if name:
        return str(name)
    first = next((headings[0] for headings, _ in sections if headings), None)
    return first or PurePath(str(card.attributes.get("path") or "")).stem[:LONGEST_NAME] or CARD


def _outline(headings: Sequence[str]) -> str:
    out = ""
    for heading in headings:
        longer = f"{out} · {heading}" if out else heading
        if len(longer) > OUTLINE:
            return f"{out} …" if out else heading[:OUTLINE]
        out = longer
    return out


# -- by a model -------------------------------------------------------------------------------------------------------


def _ask(
    asker: Asker, title: str, sections: Sequence[tuple[tuple[str, ...], str]]
) -> tuple[list[str], list[str]] | None:
    """Sentences and questions from the model; ``None`` where it has none to give."""
    prompt = Prompt.load(PROMPT)
    spread = sections[:: -(-len(sections) // ASKED) or 1]
    headings = dict.fromkeys(headings[-1] for headings, _ in sections if headings)
    pieces = "\n".join(json.dumps(body[:PIECE], ensure_ascii=False) for _, body in spread)
    filled = {"title": title, "headings": _outline(list(headings)) or "none", "text": pieces}
    try:
        return asker.ask(prompt.messages(filled), prompt.schema, _read, tries=TRIES, room=ROOM)
    except (LLMError, BudgetSpent) as error:
        log.warning("a digest is made without the model: %s", type(error).__name__)
        return None


def _read(answer: Answer) -> tuple[list[str], list[str]]:
    for value in values(answer):
        if isinstance(value, dict) and (summary := _lines(value.get("summary"), SENTENCES)):
            return summary, _lines(value.get("questions"), 10)
    raise LLMMalformed("the answer holds no summary")


def _lines(given: object, most: int) -> list[str]:
    """Lines of a model: one line each, of bounded length, without secrets."""
    found = [plain(mask(line)[0])[:400] for line in given if isinstance(line, str)] if isinstance(given, list) else []
    return [line for line in found if line][:most]


def asker_of(llm: LLM | None) -> Asker | None:
    """The model of one run, with a budget of its own."""
    from ...llm.asking import Budget

    return None if llm is None else Asker(llm, Budget())
