"""Verbs that read: recall, context, timeline, show."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from mnemic.records import plain

from . import common as c
from .common import CUT, one_line, pairs, table, who


@c.verb("embedder", "filters")
def recall(
    run: c.Run,
    ctx: typer.Context,
    query: Annotated[list[str], typer.Argument(help="Words, a question, a name, a time; any text.")],
    limit: Annotated[int, typer.Option("--limit", help="Hits at most.")] = 10,
    why: Annotated[
        bool, typer.Option("--why", help="Say for each hit which channels found it, at which rank.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Do not cut long texts.")] = False,
    neighbours: Annotated[int, typer.Option("--neighbours", help="Messages before and after each hit.")] = 0,
) -> None:
    """Find what is known about something. Calls no language model."""
    text = c.free_text(ctx, query, "query")
    with run.opened(run.embedder, catch_up=True) as memory:
        answer = memory.recall(text, limit=limit, neighbours=neighbours, filter=run.filter)
    if run.told(answer):
        return
    rows = []
    for rank, hit in enumerate(answer.hits, 1):
        around = {id(node): node for node in hit.neighbours}
        earlier = [n for n in around.values() if n.event_time <= hit.node.event_time]
        later = [n for n in around.values() if n.event_time > hit.node.event_time]
        rows += [("", *_cells(node, full)) for node in earlier]
        date, speaker, _ = _cells(hit.node, full)
        rows.append((str(rank), date, speaker, _said(hit, full)))
        if not neighbours:
            mark = {True: "reply", False: "asked"}
            rows += [
                ("", date, mark[n.role == "assistant"], one_line(n.content, None if full else CUT)) for n in hit.answer
            ]
        if why:
            rows.append(("", "", "why", hit.why))
        rows += [("", *_cells(node, full)) for node in later]
        rows += [
            ("", f"{node.at:%Y-%m-%d}", "before", one_line(node.content, None if full else CUT)) for node in hit.history
        ]
    if rows:
        table(("#", "date", "who", "text"), rows, wide=3)
    verdicts = {
        "strong": "answer from it",
        "weak": "perhaps: not sure that this answers it",
        "none": "nothing is known",
    }
    c.note(f"sufficiency: {answer.sufficiency} ({answer.score:.2f}), {verdicts[answer.sufficiency]}")
    for card in answer.cards:
        c.note(f"see card {card.id}: {one_line(card.title, 80)}: {one_line(card.why, 200)}")
    for reason in answer.degraded:
        c.note(f"degraded: {reason}")


def _said(hit: Any, full: bool) -> str:
    """What a hit says, the words it was read from, and whether it still holds: the end of a long text makes room for
    both."""
    whole = one_line(hit.text, None)
    if full or len(whole) <= CUT:
        return whole
    rest = one_line(hit.text[len(hit.node.content) :], None).strip()
    if not rest:
        return one_line(hit.node.content, CUT)
    return f"{one_line(hit.node.content, max(CUT // 3, CUT - len(rest)))} {one_line(rest, CUT)}"


def _cells(node: Any, full: bool) -> tuple[str, str, str]:
    return f"{node.at:%Y-%m-%d}", who(node), one_line(node.content, None if full else CUT)


@c.verb("embedder", "filters")
def context(
    run: c.Run,
    ctx: typer.Context,
    prompt: Annotated[list[str], typer.Argument(help="What the agent is about to answer.")],
    budget: Annotated[
        int | None, typer.Option("--budget", help="Tokens at most [default: 1000 or 3000 by complexity].")
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", help="The running conversation, which is left out.")
    ] = None,
) -> None:
    """Print a block of memory for a prompt, within a budget of tokens; nothing when nothing is relevant."""
    text = c.free_text(ctx, prompt, "prompt")
    with run.opened(run.embedder, catch_up=True) as memory:
        block = memory.context(text, budget=budget, session=session, filter=run.filter)
    if run.told(block):
        return
    if block is None:
        c.note("nothing relevant is known")
    else:
        print(block.text)


@c.verb("filters")
def timeline(
    run: c.Run,
    limit: Annotated[int, typer.Option("--limit", help="Memories at most.")] = 100,
    offset: Annotated[int, typer.Option("--offset", help="Leave out so many of the first.")] = 0,
    full: Annotated[bool, typer.Option("--full", help="Do not cut long texts.")] = False,
) -> None:
    """Show memories in the order they happened."""
    with run.opened() as memory:
        nodes = memory.timeline(limit=limit, offset=offset, filter=run.filter)
    if run.told(nodes):
        return
    rows = [(f"{n.at:%Y-%m-%d %H:%M}", who(n), one_line(n.content, None if full else CUT)) for n in nodes]
    if rows:
        table(("time (UTC)", "who", "text"), rows, wide=2)
    if len(nodes) == limit:
        c.note(f"there may be more: --offset {offset + limit}")


@c.verb()
def show(
    run: c.Run, id: Annotated[str, typer.Argument(metavar="ID", help="Id of a memory, as `recall --json` gives it.")]
) -> None:
    """Show one memory whole, with all that is known of it."""
    with run.opened() as memory:
        node = memory.get(id)
    if run.told(node):
        return
    document = plain(node)
    content = document.pop("content")
    pairs([(name, one_line(str(value), None)) for name, value in document.items() if value not in (None, "", [], {})])
    print()
    print(content)
