"""A block of memory for a prompt: sections with shares of a token budget, quoted data fenced off.

Facts 40 %, entity profiles 25 %, what happened when 25 %, evidence 10 %, and where there are reference documents as much
for them as for what happened, all in proportion; what a section does not need falls to the next one, and what does not fit falls away from the least important. ``None`` when nothing is relevant enough.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..clock import to_datetime
from ..models import KINDS, Context, Hit, Node, Routed
from ..store.documents import SECTION
from ..text.recalled import FOOT, HEAD, SEASON
from ..text.tokens import estimate
from .filters import Filters
from .plan import SIZES
from .run import Recaller

#: Section → (title, share of the budget, which nodes belong there).
SECTIONS: tuple[tuple[str, str, float], ...] = (
    ("facts", "What is known", 0.40),
    ("entities", "Who and what", 0.25),
    ("events", "What was said, and when", 0.25),
    ("reference", "From reference documents", 0.25),
    ("evidence", "Around it", 0.10),
)
_HIDDEN = r"[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]{0,20}"
_OPEN, _SLASH = r"(?:[<＜﹤‹⟨〈]|&(?:lt|\#0{0,5}60|\#x0{0,5}3c);)", "[/／⁄∕]?"
#: Tags by which prompts are put together, and the marks of chat templates: none of them may look like one.
_FENCE = re.compile(
    rf"{_OPEN}{_HIDDEN}({_SLASH}){_HIDDEN}(?:"
    + _HIDDEN.join("mnemic") + rf"{_HIDDEN}[-_‐-―−]?{_HIDDEN}" + _HIDDEN.join("memory")
    + r"|(?=(?:memor(?:y|ies)|system|assistant|instructions?)\b)\w+)",
    re.I,
)  # fmt: skip
_TEMPLATE = re.compile(r"<\|(?=\w)|\[(?=/?INST\])|<<(?=/?SYS>>)", re.I)
FACTS = tuple(kind for kind in KINDS if kind != "episodic")
MOST_FACTS = 12  # facts looked for beside the messages
MOST_NAMES, MOST_ABOUT = 3, 5  # entities of a prompt that facts are shown of, and facts of each
LONGER = 2.0  # a message is shown beside the fact read from it when it says so many times more
_LONGEST = 1_200  # characters of one item; the rest is behind its id


def build_context(
    recaller: Recaller,
    space: str,
    prompt: str,
    filters: Filters,
    budget: int | None,
    *,
    count: Callable[[str], int] = estimate,
    about: About | None = None,
) -> Context | None:
    """The block; ``None`` when nothing is relevant.

    Args:
        about: gives the profile of an entity. Not asked where filters are set, which a profile knows nothing of.
    """
    answer = recaller.recall(space, prompt, filters, limit=30, neighbours=1)
    tokens, _ = SIZES[answer.plan.complexity]
    room = budget or tokens
    found = () if answer.sufficiency == "none" else answer.hits
    if not found and not answer.cards:
        return None
    groups = _grouped(found, _known(recaller, space, prompt, filters) if found else ())
    named = answer.plan.entities[:MOST_NAMES]
    told = {name: about(name) for name in named} if about is not None and filters == Filters() else {}
    pieces = {
        key: [Piece(_line(node, recaller, before), node.content, (node.id,), bool(before)) for node, before in lines]
        for key, lines in groups.items()
    }
    unknown = tuple(name for name in named if told.get(name) is None)  # of these no profile says what is known
    pieces["entities"] = _profiles(list(told.values())) + [
        Piece(_line(node, recaller, before), node.content, (node.id,), bool(before))
        for node, before in _about(recaller, space, unknown, filters)
    ]
    pieces["reference"] = [_pointer(card) for card in answer.cards] + pieces["reference"]
    asked = " ".join(prompt.split())
    fixed = count(HEAD + "\n" + FOOT) + 8
    left = room - fixed
    parts: list[str] = []
    items: list[str] = []
    shown: set[str] = set()
    shown_ids: set[str] = set()
    spare = 0.0
    total = sum(share for key, _, share in SECTIONS if pieces[key]) or 1.0
    for key, title, share in SECTIONS:
        if not pieces[key]:
            continue
        allowed = int((room - fixed) * share / total + spare)
        lines: list[str] = []
        used = count(f"## {title}\n")
        for piece in pieces[key]:
            text = " ".join(piece.content.split())
            if text == asked and _asks(text):  # the same question, asked before: it tells nothing
                continue
            if text in shown or (not piece.history and shown_ids.issuperset(piece.ids)):
                continue
            cost = count(piece.text) + 1
            if used + cost > min(allowed, left):
                continue
            shown.add(text)
            lines.append(piece.text)
            items += [id_ for id_ in piece.ids if id_ not in shown_ids]
            shown_ids.update(piece.ids)
            used += cost
        if lines:
            parts.append(f"## {title}\n" + "\n".join(lines))
            left -= used
            spare = max(0.0, allowed - used)
        else:
            spare = float(allowed)
    if not items:
        return None
    season = recaller.season(space, [hit.node.id for hit in answer.hits])
    if season is not None:
        line = f"{SEASON}{cut(_quoted(season.topic), _LONGEST // 4)} ({', '.join(map(str, season.years))})"
        if count(line) + 1 <= left:
            parts.append(line)
    text = "\n".join([HEAD, *parts, FOOT])
    return Context(text, count(text), tuple(items), answer.sufficiency)


Lines = dict[str, list[tuple[Node, tuple[Node, ...]]]]
#: Name of an entity → its profile and the ids of the facts that it shows; ``None`` where nothing is known.
About = Callable[[str], tuple[str, tuple[str, ...]] | None]


@dataclass(frozen=True, slots=True)
class Piece:
    """What is shown or left out as a whole.

    Attributes:
        text: as it is shown. content: what it says, shown once only. ids: of the memories in it; where all of them are
            shown already, it adds nothing, unless it tells a ``history``.
    """

    text: str
    content: str
    ids: tuple[str, ...]
    history: bool = False


def _asks(text: str) -> bool:
    from ..text.causes import asks  # its tables are not needed for most blocks

    return asks(text)


def _profiles(told: Sequence[tuple[str, tuple[str, ...]] | None]) -> list[Piece]:
    return [
        Piece("\n".join(cut(_quoted(line), _LONGEST) for line in found[0].splitlines()), found[0], found[1])
        for found in told
        if found is not None
    ]


def _known(recaller: Recaller, space: str, prompt: str, filters: Filters) -> tuple[Hit, ...]:
    """Facts that the prompt asks for by themselves: among the messages they would lose to the longer texts."""
    if filters.kinds or not recaller.has_facts(space):
        return ()
    answer = recaller.recall(space, prompt, replace(filters, kinds=FACTS, reference=False), limit=MOST_FACTS)
    return () if answer.sufficiency == "none" else answer.hits


def _about(
    recaller: Recaller, space: str, names: tuple[str, ...], filters: Filters
) -> list[tuple[Node, tuple[Node, ...]]]:
    """What is known of those whom the prompt names, whether it asks for it or not."""
    if filters.kinds or filters.entity or not recaller.has_facts(space):
        return []
    found = []
    for name in names:
        asked = replace(filters, kinds=FACTS, entity=name, reference=False)
        answer = recaller.recall(space, name, asked, limit=MOST_ABOUT)
        found += [(hit.node, hit.history) for hit in answer.hits]
    return found


def _grouped(hits: tuple[Hit, ...], known: tuple[Hit, ...]) -> Lines:
    """Which memories belong to which section, each with what it replaced."""
    groups: Lines = {key: [] for key, _, _ in SECTIONS}
    sections = [hit for hit in hits if _is_section(hit.node)]
    others = [hit for hit in hits if hit.node.kind != "episodic" and not _is_section(hit.node)]
    facts = {hit.node.id: hit for hit in (*others, *known)}
    said = {e.node.id: len(hit.node.content) for hit in facts.values() for e in hit.evidence}
    groups["facts"] = [(hit.node, hit.history) for hit in facts.values()]
    for hit in hits:
        if hit.node.kind == "episodic" and len(hit.node.content) > LONGER * said.get(hit.node.id, 0):
            groups["events"].append((hit.node, hit.superseded_by))
    groups["reference"] = [(hit.node, tuple(e.node for e in hit.evidence)) for hit in sections]
    groups["evidence"] = [(node, ()) for hit in hits[:5] for node in hit.neighbours]
    return groups


def _is_section(node: Node) -> bool:
    return node.label == SECTION and "mark" in node.attributes


def _pointer(card: Routed) -> Piece:
    """Where to look: the card, its file, and by which words the prompt is for it."""
    whose = "quoted third party, " if card.third_party else ""
    where = f" ({_quoted(card.path)})" if card.path else ""
    line = f"- [{whose}card {card.id}] “{cut(_quoted(card.title), _LONGEST // 8)}”{where}: {_quoted(card.why)}"
    return Piece(line, line, (card.id,))


def _line(node: Node, recaller: Recaller, before: tuple[Node, ...]) -> str:
    when = to_datetime(node.event_time, recaller.zone)
    who = cut(_quoted(node.speaker or node.role or ""), _LONGEST)
    if node.third_party:
        who = f"{who}, quoted third party" if who else "quoted third party"
    text = _quoted(node.content)
    if len(text) > _LONGEST:
        text = cut(text, _LONGEST) + " …"
    if _is_section(node):
        document = _quoted(str(before[0].attributes.get("title", ""))) if before else ""
        who = ", ".join(part for part in (f"“{cut(document, _LONGEST // 8)}”" if document else "", who) if part)
    elif before and node.kind == "episodic":
        text += f" (changed since {to_datetime(before[0].event_time, recaller.zone):%Y-%m-%d})"
    elif before:
        until = to_datetime(before[0].valid_until or node.event_time, recaller.zone)
        text += f" (until {until:%Y-%m-%d}: {cut(_quoted(before[0].content), _LONGEST // 4)})"
    return f"- [{when:%Y-%m-%d}{', ' + who if who else ''}] {text}"


def _quoted(text: str) -> str:
    """On one line, and without anything a model might read as the end of the block."""
    return _TEMPLATE.sub("(", _FENCE.sub(r"<\1quoted-memory", " ".join(text.split())))


def cut(text: str, limit: int) -> str:
    """The beginning of a text, never ending inside a character that a reader sees as one."""
    end = min(limit, len(text))
    least = max(0, end - 64)  # more than that is no character but a stack of marks
    place = end
    while place > least and _joined(text, place):
        place -= 1
    return text[: place if place > least or not least else end].rstrip()


def _joined(text: str, place: int) -> bool:
    """Whether the characters before and after a place belong together: marks, joiners, skin tones, tags, flags, jamo."""
    if not 0 < place < len(text):
        return False
    left, right = text[place - 1], text[place]
    code = ord(right)
    if (
        "\u200d" in (left, right)
        or unicodedata.category(right) in ("Mn", "Mc", "Me")
        or unicodedata.combining(left) == 9
    ):
        return True
    if 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F or (0x1160 <= code <= 0x11FF):
        return True
    run = 0
    if 0x1F1E6 <= code <= 0x1F1FF:
        while run < place and 0x1F1E6 <= ord(text[place - 1 - run]) <= 0x1F1FF:
            run += 1
    return run % 2 == 1
