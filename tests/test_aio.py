"""AsyncMemory: opens in three ways, does not block the loop, closes once, raises what Memory raises."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest

from mnemic import AsyncMemory, InvalidInput, Memory, NotFound, StoreClosed
from mnemic.events import Event


def test_three_ways_to_open(tmp_path: Path) -> None:
    async def story() -> None:
        path = tmp_path / "m.db"
        async with AsyncMemory(path, embedder="none", space="a") as memory:
            node = await memory.observe("The build is green.", session="s")
            assert (await memory.get(node.id)).content == "The build is green."
            assert (memory.path, memory.embedder) == (str(path), None)
        memory = await AsyncMemory.open(path, embedder="none", space="a")
        assert [n.id for n in await memory.timeline(session="s")] == [node.id]
        await memory.close()
        lazy = AsyncMemory(path, embedder="none", space="a")
        assert (await lazy.recall("build")).hits
        assert await lazy.context("how is the build?", labels=["message"]) is not None
        await lazy.close()
        await lazy.close()

    asyncio.run(story())


def test_errors_are_those_of_memory(tmp_path: Path) -> None:
    async def story() -> None:
        async with AsyncMemory(tmp_path / "m.db", embedder="none") as memory:
            with pytest.raises(InvalidInput):
                await memory.recall("x", limit=0)
            with pytest.raises(NotFound):
                await memory.get("nope")
        with pytest.raises(StoreClosed):
            await memory.status()
        with pytest.raises(StoreClosed):
            _ = memory.path
        with pytest.raises(InvalidInput):
            await AsyncMemory.open(tmp_path, embedder="none")

    asyncio.run(story())


def test_the_loop_goes_on_while_a_verb_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(self: Memory, *, space: str | None = None) -> dict[str, int]:
        time.sleep(0.3)
        return {}

    monkeypatch.setattr(Memory, "status", slow)

    async def story() -> int:
        turns = 0
        async with AsyncMemory(tmp_path / "m.db", embedder="none") as memory:
            working = asyncio.gather(*(memory.status() for _ in range(4)))
            while not working.done():
                await asyncio.sleep(0.01)
                turns += 1
        return turns

    assert asyncio.run(story()) >= 3


def test_a_write_that_has_begun_is_kept_when_its_caller_is_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, observe = threading.Event(), Memory.observe

    def noted(self: Memory, *args: object, **more: object) -> object:
        began.set()
        time.sleep(0.05)
        return observe(self, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Memory, "observe", noted)

    async def story() -> None:
        async with AsyncMemory(tmp_path / "m.db", embedder="none") as memory:
            task = asyncio.create_task(memory.observe("kept all the same", key="k"))
            while not began.is_set():
                await asyncio.sleep(0.001)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        with Memory(tmp_path / "m.db", embedder=None) as memory:
            assert [n.content for n in memory.timeline()] == ["kept all the same"]

    asyncio.run(story())


def test_events_reach_their_subscribers(tmp_path: Path) -> None:
    async def story() -> list[Event]:
        heard: list[Event] = []
        async with AsyncMemory(tmp_path / "m.db", embedder="none") as memory:
            off = memory.on("session.completed", heard.append)
            await memory.observe("one", session="a")
            await memory.observe("two", session="b")
            await memory.flush()
            off()
        return heard

    assert [e.data["session"] for e in asyncio.run(story())] == ["a"]
