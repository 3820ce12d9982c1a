"""What users of other memories and reviewers of this one reported of reading without a model, and others of the same kind."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from casekit import Make

from mnemic import Memory
from mnemic.models import FACTS, Node


def facts(memory: Memory, *texts: str, first: str = "2026-01-20") -> list[Node]:
    """What holds after these messages, each consolidated a day after the one before."""
    day = int(datetime.fromisoformat(first).replace(tzinfo=UTC).timestamp())
    for i, text in enumerate(texts):
        memory.observe(text, at=datetime.fromtimestamp(day + i * 86_400 + 36_000, UTC), session=f"s{i}")
        memory.consolidate()
    return [node for node in memory.timeline(kinds=FACTS, limit=1_000) if node.attributes.get("act") != "end"]


def told(memory: Memory, *texts: str) -> list[str]:
    return sorted(f"{f.subject} {f.predicate} {f.object}" for f in facts(memory, *texts))


@pytest.mark.parametrize("text", [
    "Lola: I live in Madrid now\nPepe: I work at Zara\n\nsummarise this chat",
    "Can you translate this?\n\nI live in Madrid. I work at Zara.",
    "[10:32] Lola: I live in Madrid\n[10:33] Pepe: I work at Zara",
    "```\nI live in Madrid.\n```",
    "+ I live in Madrid\n- I work at Zara",
    "The log says:\nI use Redis.\nI work at Zara.",
    "Лола: я живу в Мадриде\nПепе: я работаю в Zara\n\nперескажи этот чат",
    "Переведи на английский\n\nЯ живу в Мадриде. Я люблю рис.",
    "> Я живу в Мадриде\n> Я не ем мясо",
])  # fmt: skip
def test_N15_words_of_others_pasted_into_a_message(make: Make, text: str) -> None:
    assert told(make(), text) == []


@pytest.mark.parametrize("text", [
    "Here is my sister's email:\n\nHi, I live in Madrid and I work at Zara.\n\nBest, Lola",
    "What should I reply to this?\n\nDear Sam,\nI live in Madrid.\nYours,\nLola",
    "Candidate profile:\nI am a nurse. I live in Madrid.",
    "My landlord wrote:\nI live in Madrid and I love silence.",
    "Dear Sir or Madam,\nI live in Madrid.\n\nSincerely,\nLola",
    "Subject: hello\nI live in Madrid.",
    "Name: Lola\nCity: Madrid\nJob: I work at Zara",
    "Вот письмо моей сестры:\n\nЯ живу в Мадриде.\n\nТвоя Лола",
    "Анкета кандидата:\nЯ медсестра. Я живу в Мадриде.",
    "Что мне ответить?\n\nУважаемый Иван,\nя живу в Мадриде.\n\nС уважением,\nЛола",
])  # fmt: skip
def test_N15b_letters_and_forms_are_not_their_reader(make: Make, text: str) -> None:
    assert told(make(), text) == []


@pytest.mark.parametrize("text", [
    "Oh sure, I just LOVE standing in the rain for hours.",
    "Yeah right, I love Mondays.",
    "I simply adore being stuck in traffic.",
    "I love it when the build breaks at night.",
    "Oh great, I love meetings that could be mails.",
    "I love waiting on hold.",
    "Ага, конечно, я просто обожаю мокнуть под дождём.",
    "Ну да, я люблю стоять в очередях.",
    "Обожаю, когда поезд опаздывает.",
    "Как же я люблю пробки.",
])  # fmt: skip
def test_N20_irony_is_no_preference(make: Make, text: str) -> None:
    assert told(make(), text) == []


@pytest.mark.parametrize(("chosen", "undone", "now"), [
    ("We chose Kafka over NATS because of replay.", "The rewrite is done: the project runs on NATS now, the Kafka code is deleted.", "NATS"),
    ("We chose MySQL.", "We switched from MySQL to SQLite.", "SQLite"),
    ("We use Jenkins.", "We migrated from Jenkins to Drone.", "Drone"),
    ("We settled on Qdrant.", "We use LanceDB instead of Qdrant.", "LanceDB"),
    ("Мы выбрали Kafka вместо NATS.", "Мы перешли с Kafka на NATS.", "NATS"),
    ("Мы используем Redis.", "Теперь мы используем Valkey вместо Redis.", "Valkey"),
    ("Мы остановились на Qdrant.", "Мы перешли с Qdrant на LanceDB.", "LanceDB"),
])  # fmt: skip
def test_N22_a_decision_is_undone_by_a_report(make: Make, chosen: str, undone: str, now: str) -> None:
    assert [f.object for f in facts(make(), chosen, undone)] == [now]


@pytest.mark.parametrize(("home", "trip"), [
    ("I live in Oslo.", "Next month I'm in Tokyo for work."),
    ("I live in Oslo.", "I am in Berlin this week."),
    ("I live in Oslo.", "I live in Rome this week."),
    ("I live in Oslo.", "I'm staying in Rome until Friday."),
    ("I live in Oslo.", "I'm moving to Rome in June."),
    ("I live in Oslo.", "I went back to Quanzhou during the holiday to visit my parents."),
    ("Я живу в Осло.", "В следующем месяце я в Токио по работе."),
    ("Я живу в Осло.", "На этой неделе я в Берлине."),
    ("Я живу в Осло.", "Лечу в Рим на выходные."),
])  # fmt: skip
def test_N31_a_trip_is_no_home(make: Make, home: str, trip: str) -> None:
    assert [f.object for f in facts(make(), home, trip) if f.predicate == "lives_in"] in (["Oslo"], ["Осло"])


@pytest.mark.parametrize("text", [
    "My horse Sam is a Friesian.", "My dog Rolf is a giant schnauzer.", "My cat Tom is a great hunter.",
    "My dog Rex is a nurse at heart.", "Мой кот Барсик — мейн-кун.", "Мой пёс Рекс — водитель семьи.", "My dogs love rewards.",
])  # fmt: skip
def test_N36_an_animal_has_no_job(make: Make, text: str) -> None:
    assert {f.predicate for f in facts(make(), text)} <= {"has_pet"}


@pytest.mark.parametrize(("stated", "remark"), [
    ("I love writing.", "I'm not sure if this will be enough to meet the project's needs."),
    ("I love writing.", "I'm afraid I won't be able to organize them into a clear writing framework."),
    ("I like tea.", "No tea in the cupboard."),
    ("I love hiking.", "I haven't been hiking for ages."),
    ("Я люблю чай.", "Чай кончился, не знаю, что делать."),
    ("Я люблю писать.", "Боюсь, я не смогу это написать."),
    ("Мне нравится джаз.", "Сегодня без джаза."),
])  # fmt: skip
def test_fault_2_a_remark_ends_no_preference(make: Make, stated: str, remark: str) -> None:
    memory = make()
    assert told(memory, stated, remark) == told(make(), stated)


@pytest.mark.parametrize(("stated", "said"), [
    ("I'm a nurse.", "As a student, I mainly use my phone."),
    ("I'm a nurse.", "As an organizer, I was a bit nervous."),
    ("I'm a nurse.", "So happy you followed your dreams and became an engineer."),
    ("I'm a nurse.", "I've been a lurker here for years."),
    ("I'm a nurse.", "Emi works as teacher assistant."),
    ("Я медсестра.", "Как студентка, я в основном пользуюсь телефоном."),
    ("Я медсестра.", "Рада, что ты стала инженером."),
    ("Я медсестра.", "Когда-то я была бы учителем."),
])  # fmt: skip
def test_fault_3_another_role_ends_no_job(make: Make, stated: str, said: str) -> None:
    assert [f.object for f in facts(make(), stated, said) if f.predicate == "works_as"] in (["nurse"], ["медсестра"])


@pytest.mark.parametrize(("first", "second"), [
    ("run before work", "pays attention to white space"), ("reads in bed", "walks to work"), ("бегает по утрам", "читает перед сном"),
])  # fmt: skip
def test_fault_3_habits_stand_beside_each_other(make: Make, first: str, second: str) -> None:
    memory = make()
    for i, habit in enumerate((first, second)):
        episode = memory.observe(f"I said: {habit}", session=f"s{i}")
        node = {"source": episode.id, "quote": habit, "content": f"User {habit}", "subject": "user", "predicate": "habit", "object": habit}  # fmt: skip
        memory.workflow().save_nodes_batch(f"s{i}", [node])
    assert sorted(f.object or "" for f in memory.timeline(kinds=FACTS, limit=10)) == sorted((first, second))


@pytest.mark.parametrize(("text", "value"), [
    ("I avoid sports that involve running.", "sports that involve running"),
    ("I avoid any foods that contain gluten.", "foods that contain gluten"),
    ("I dislike living in crowded, densely populated cities.", "living in crowded, densely populated cities"),
    ("I'm a big fan of indie and folk music.", "indie and folk music"),
    ("I prefer not to watch films involving graphic violence.", None),
    ("I hate the taste of it.", None),
    ("I love the way you think.", None),
    ("I like being", None),
    ("I love that one.", None),
    ("Я не люблю книги, в которых много насилия.", "книги, в которых много насилия"),
    ("Я люблю всё это.", None),
    ("Мне нравится, как ты поёшь.", None),
    ("Я люблю старые карты.", "старые карты"),
])  # fmt: skip
def test_fault_4_a_value_is_whole_or_nothing(make: Make, text: str, value: str | None) -> None:
    assert [f.object for f in facts(make(), text) if f.object] == ([value] if value else [])


@pytest.mark.parametrize(("text", "value", "since"), [
    ("I'm starting at OutSystems on april 13.", "OutSystems", "2026-04-13"),
    ("I start at Acme in March.", "Acme", "2026-03-01"),
    ("I'm joining Globex next month.", "Globex", "2026-02-01"),
    ("С 6 апреля выхожу в Тинькофф.", "Тинькофф", "2026-04-06"),
    ("1 марта выхожу в Сбер.", "Сбер", "2026-03-01"),
    ("В апреле начинаю работать в Яндексе.", "Яндекс", "2026-04-01"),
])  # fmt: skip
def test_fault_5_months_ahead_lie_ahead(make: Make, text: str, value: str, since: str) -> None:
    memory = make()
    memory.observe(text, at="2026-01-20T10:00:00Z", session="a")
    memory.consolidate()
    (fact,) = memory.timeline(kinds=FACTS, as_of="2026-12-01", limit=10)
    assert (fact.object, fact.valid_from and str(datetime.fromtimestamp(fact.valid_from / 1e6, UTC))[:10]) == (
        value,
        since,
    )
    assert memory.timeline(kinds=FACTS, as_of="2026-01-25", limit=10) == []


@pytest.mark.parametrize(
    "text", ["Training for the marathon in April.", "Готовлюсь к марафону в апреле.", "See you in May."]
)
def test_fault_5_what_is_prepared_for_has_not_begun(make: Make, text: str) -> None:
    assert told(make(), text) == []


@pytest.mark.parametrize(("text", "expected"), [
    ("Бюджет 1,2 млн.", []), ("Standup's at 10 now.", []), ("Я алкоголь не употребляю", []), ("с поста не ем мясо", []),
    ("моя соседка тётя Роза", []), ("сестра Оли, Ира", []), ("The demo is at 11 now.", []),
    ("Мою жену зовут Лиля.", ["user family Лиля"]), ("Мы с женой Лилей гуляли.", ["user family Лиля"]),
    ("Я живу в Махачкале.", ["user lives_in Махачкала"]), ("Я живу в Нижнем Новгороде.", ["user lives_in Нижний Новгород"]),
    ("Переехали в Санкт-Петербург.", ["user lives_in Санкт-Петербург"]), ("Я не ем свинину.", ["user diet свинина"]),
])  # fmt: skip
def test_fault_7_values_are_whole_and_in_their_base_form(make: Make, text: str, expected: list[str]) -> None:
    assert told(make(), text) == expected


@pytest.mark.parametrize(("first", "second", "expected"), [
    ("I live in Xiamen.", "I went back to Quanzhou during the holiday to visit my parents. Chatting at home made time fly by.",
     ["user lives_in Xiamen"]),
    ("My husband Chen Zhiqiang cooks.", "My husband Aqiang is late.", ["user family Aqiang", "user family Chen Zhiqiang"]),
    ("I live in Riga.", "I visited Porto last week.", ["user lives_in Riga"]),
    ("My name is Robert.", "Call me Bob.", ["user name Robert"]),
    ("Я живу в Твери.", "Съездила в Тулу к родителям.", ["user lives_in Тверь"]),
    ("Мой муж Александр дома.", "Мой муж Саша устал.", ["user family Александр", "user family Саша"]),
    ("Меня зовут Екатерина.", "Зови меня Катя.", ["user name Екатерина"]),
])  # fmt: skip
def test_fault_8_visits_and_nicknames_end_nothing(make: Make, first: str, second: str, expected: list[str]) -> None:
    assert told(make(), first, second) == expected


@pytest.mark.parametrize("text", [
    "diff --git a/x b/x\n@@ -1,2 +1,2 @@\n- I use Vim\n+ I use Emacs",
    "def f():\n    return 'I live in Riga'\n\n# we use Postgres",
    "THE SOFTWARE IS PROVIDED AS IS, WITHOUT WARRANTY, IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS",
    "Traceback (most recent call last):\n  File x\nWe use Redis.",
    "2026-01-02 10:00:00 INFO we use Redis now",
    "Error: ENOENT\n    at Object.open (fs.js:12:3)\nI use Linux",
    "Ошибка: не найдено\nмы используем Redis.",
    "| имя | город |\n| я живу в Риге | Рига |",
    "const a = 1; // мы используем Redis",
])  # fmt: skip
def test_fault_9_code_and_logs_are_not_read(make: Make, text: str) -> None:
    assert told(make(), text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Vera moved to Rome and joined Globex.",
        "My sister Anna quit Acme and joined Globex.",
        "Вера переехала в Рим и устроилась в Globex.",
        "Мой брат уволился и перешёл в Globex.",
    ],
)
def test_a_deed_without_a_subject_is_not_the_users(make: Make, text: str) -> None:
    assert not [fact for fact in told(make(), text) if fact.startswith(("user works_at", "user lives_in"))]
