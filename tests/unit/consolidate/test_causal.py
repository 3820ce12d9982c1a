"""The phase that finds causes: which edges, once, fifty pairs a day, undone, erased, judged by a model."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, timedelta, timezone
from typing import Any

import pytest

from mnemic import Config, InvalidInput, LLMRefused, LLMServerError, LLMTimeout, Memory
from mnemic.consolidate.causal import CONFIDENCE, Causes
from mnemic.phase import PhaseContext, PhaseResult
from mnemic.testing import FrozenClock, ScriptedModel

EAST = timezone(timedelta(hours=5))


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock("2026-03-02T09:00:00Z")


@pytest.fixture
def memory(clock: FrozenClock, tmp_path: Any) -> Iterator[Memory]:
    with Memory(tmp_path / "m.db", embedder=None, clock=clock, config=Config(background=False, zone="UTC")) as memory:
        yield memory


def tell(memory: Memory, *texts: str, session: str = "one", **more: Any) -> list[str]:
    """Messages a minute apart; returns their ids."""
    ids = []
    for text in texts:
        memory._clock.advance(minutes=1)  # type: ignore[attr-defined]
        ids.append(memory.observe(text, session=session, **more).id)
    return ids


def night(memory: Memory, phase: Causes | None = None, **more: Any) -> PhaseResult:
    return (phase or Causes())(memory._store, memory.space, PhaseContext(memory._clock.now(), UTC, **more))


def edges(memory: Memory) -> list[tuple[Any, ...]]:
    """Live causal edges by content: cause, effect, confidence."""
    with memory._store.reader() as r:
        return list(
            r.execute(
                "select a.content, b.content, e.confidence from edges e join nodes a on a.row = e.source "
                "join nodes b on b.row = e.target where e.relation = 'causal' and e.hidden_at is null order by 1, 2"
            )
        )


FULL, FAILED, OLD = "The disk of the server is full.", "Because of that the deploy failed.", "Therefore nobody saw it."


def test_a_chain_of_three(memory: Memory) -> None:
    """Source is the cause, target the effect; the words that say so are kept, and every edge is an act with its number."""
    ids = tell(memory, FULL, FAILED, OLD)
    out = night(memory)
    assert edges(memory) == [(FAILED, OLD, CONFIDENCE), (FULL, FAILED, CONFIDENCE)]
    assert [(act.other, act.id, act.why) for act in out.acts] == [
        (ids[0], ids[1], "said so: because of this"),
        (ids[1], ids[2], "said so: therefore"),
    ]
    explained = memory.explain(ids[1])
    assert [(c.node.content, c.confidence, c.quote) for c in explained.causes] == [(FULL, 0.7, FAILED)]
    assert [(c.node.content, c.quote) for c in explained.effects] == [(OLD, OLD)]


def test_russian(memory: Memory) -> None:
    tell(
        memory,
        "Курьер потерял паспорт.",
        "Из-за этого я пропустила свадьбу.",
        "Почему не перенесли?",
        "Потому что зал был занят.",
    )
    night(memory)
    assert [(a, b) for a, b, _ in edges(memory)] == [
        ("Курьер потерял паспорт.", "Из-за этого я пропустила свадьбу."),
        ("Потому что зал был занят.", "Почему не перенесли?"),
    ]


def test_nothing_where_it_is_asked_denied_supposed_or_of_time(memory: Memory) -> None:
    tell(
        memory, "The site is slow.", "Is it because of the images?", "It is not because of the images.",
        "If it were because of the images, it would be slow everywhere.", "Maybe because of the index.",
        "It has been slow since Monday.", "Это не из-за картинок.", "Так как насчёт пятницы?",
    )  # fmt: skip
    out = night(memory)
    assert not edges(memory)
    assert not out.counts["judged"]


def test_sessions_are_not_joined(memory: Memory) -> None:
    tell(memory, FULL, session="one")
    tell(memory, FAILED, session="two")
    night(memory)
    assert not edges(memory)


def test_tools_and_third_parties_give_no_reasons(memory: Memory) -> None:
    tell(memory, FULL)
    tell(memory, FAILED, origin="external")
    tell(memory, FAILED + " So it says.", role="tool")
    tell(memory, FAILED + " I see.")
    night(memory)
    assert [a for a, *_ in edges(memory)] == [FAILED]  # the page is what the user speaks of; the tool stands aside


def test_within_one_message_facts_are_joined(memory: Memory) -> None:
    """Cause and effect in one message: an edge between the facts read from its parts, and none where there are none."""
    tell(memory, "I moved to Berlin because I got a job at Siemens.", "We stopped because of the rain.")
    memory.consolidate()
    night(memory)
    ((cause, effect, _),) = edges(memory)
    assert "Siemens" in cause
    assert "Berlin" in effect


def test_once_or_five_times(memory: Memory) -> None:
    tell(memory, FULL, FAILED, OLD)
    first = night(memory)
    rows = edges(memory)
    for _ in range(4):
        again = night(memory)
        assert not again.acts
        assert not again.counts["judged"]
    assert edges(memory) == rows
    assert first.counts == {"judged": 2, "causal": 2}


def test_fifty_pairs_a_local_day(memory: Memory, clock: FrozenClock) -> None:
    """Five runs of one day give the rows of one; the next day goes on; what gave nothing counts and is not judged again."""
    for number in range(60):
        said = "We stopped because of the rain." if number % 6 == 5 else f"Therefore case {number} was closed."
        tell(memory, f"Form {number} came back.", said, session=f"s{number}")
    counts = []
    for _ in range(5):
        out = night(memory)
        assert out.finished
        counts.append((out.counts["judged"], len(edges(memory))))
        clock.advance(minutes=1)
    assert counts == [(50, 42), (0, 42), (0, 42), (0, 42), (0, 42)]
    clock.advance(days=1)
    assert night(memory).counts["judged"] == 10
    assert len(edges(memory)) == 50


def test_the_day_is_the_users(memory: Memory, clock: FrozenClock) -> None:
    phase = Causes(pairs=1)
    tell(memory, FULL, FAILED, OLD)
    clock.set("2026-03-02T18:30:00Z")
    assert phase(memory._store, memory.space, PhaseContext(clock.now(), EAST)).counts["judged"] == 1
    clock.set("2026-03-02T19:30:00Z")  # half past midnight there
    assert phase(memory._store, memory.space, PhaseContext(clock.now(), EAST)).counts["judged"] == 1


def test_a_dry_run_says_it_and_writes_nothing(memory: Memory) -> None:
    tell(memory, FULL, FAILED)
    assert len(night(memory, dry_run=True).acts) == 1
    assert not edges(memory)
    assert len(night(memory).acts) == 1


def test_stopped_anywhere_it_goes_on(memory: Memory) -> None:
    tell(memory, FULL, FAILED, OLD, FAILED, OLD)
    rounds = 0
    while True:
        left = iter([False, False])
        out = night(memory, stop=lambda left=left: next(left, True))
        rounds += 1
        if out.finished:
            break
        assert rounds < 20
    assert rounds > 1
    assert len(edges(memory)) == 4


def test_undone_it_stays_undone(memory: Memory) -> None:
    ids = tell(memory, FULL, FAILED)
    (act,) = night(memory).acts
    assert act.change is not None
    memory.review.undo(act.change)
    assert not memory.explain(ids[1]).causes
    with pytest.raises(InvalidInput):
        memory.review.undo(act.change)
    memory._store.run(lambda tx: tx.connection.execute("delete from jobs"))  # as if nothing had been judged
    assert not night(memory).acts
    assert not edges(memory)


def test_hidden_messages_are_passed_over(memory: Memory) -> None:
    ids = tell(memory, FULL, "Never mind this one.", FAILED)
    memory.forget(ids[1])
    night(memory)
    assert [(a, b) for a, b, _ in edges(memory)] == [(FULL, FAILED)]
    memory.forget(ids[0])
    assert not memory.explain(ids[2]).causes


@pytest.mark.parametrize("which", [0, 1])
def test_erasing_either_message_takes_the_edge_and_its_words(memory: Memory, which: int) -> None:
    ids = tell(memory, "The zebrafinch server is full.", "Because of that the quokkadeploy failed.")
    night(memory)
    receipt = memory.erase(item=ids[which])
    assert receipt["found"] == 0
    assert not edges(memory)


def test_erasing_the_message_takes_the_edge_of_facts_that_others_support(memory: Memory) -> None:
    """The facts stay, for they were said elsewhere too; the quotation goes with the message it stood in."""
    tell(memory, "I live in Berlin.", "I work at Siemens.", session="zero")
    ids = tell(memory, "I moved to Berlin because I got a job at Siemens. Quokkalove.", session="two")
    memory.consolidate()
    night(memory)
    assert len(edges(memory)) == 1
    receipt = memory.erase(item=ids[0])
    assert receipt["found"] == 0
    assert not edges(memory)


def test_a_link_that_was_put_by_hand_is_shown_without_words(memory: Memory) -> None:
    ids = tell(memory, FULL, "Lunch was late.")
    memory.link(ids[0], ids[1], "causal")
    assert [(c.node.id, c.quote) for c in memory.explain(ids[1]).causes] == [(ids[0], "")]


# -- the model --------------------------------------------------------------------------------------------------------


def judged(memory: Memory, *answers: Any, **more: Any) -> tuple[PhaseResult, ScriptedModel]:
    model = ScriptedModel(*answers)
    return night(memory, Causes(lambda: model, **more)), model


def answer(relation: str, quote: str = "", cause: str = "", effect: str = "") -> dict[str, str]:
    return {"relation": relation, "quote": quote, "cause": cause, "effect": effect}


def test_a_model_judges_also_what_words_alone_do_not_say(memory: Memory) -> None:
    tell(memory, "My keys are gone.", "I looked everywhere, so I called Ben.")
    out, model = judged(memory, answer("a_caused_b", "I looked everywhere, so I called Ben."))
    assert len(edges(memory)) == 1
    assert out.counts["calls"] == 1
    assert out.counts["tokens"] > 0
    assert not judged(memory)[0].acts
    assert len(model.calls) == 1


@pytest.mark.parametrize(
    "said",
    [
        answer("none"),
        answer("a_caused_b", "The disk burned down because of that."),  # not there
        answer("a_caused_b", ""),
        answer("inside_b", FAILED, "the moon", "the deploy"),
        "no idea",
        LLMRefused("declined"),
    ],
)
def test_what_a_model_does_not_bear_out_is_remembered_as_nothing(memory: Memory, said: Any) -> None:
    tell(memory, FULL, FAILED)
    judged(memory, *([said] * 2))
    assert not edges(memory)
    assert not judged(memory)[1].calls


@pytest.mark.parametrize("error", [LLMServerError("down"), LLMTimeout("slow")])
def test_where_the_model_is_down_the_pair_waits(memory: Memory, error: Exception, monkeypatch: Any) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    tell(memory, FULL, FAILED)
    out, _ = judged(memory, error, error)
    assert out.finished
    assert "could not be asked" in out.note
    assert not edges(memory)
    judged(memory, answer("a_caused_b", FAILED))
    assert len(edges(memory)) == 1
