"""Reported cases of search: any text is safe as a query, every language is found, the best hit comes first."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
from casekit import SQL, Chosen, Make, cli, found, texts

from mnemic.errors import EmbeddingError

# -- any text is safe --------------------

RUST = "Rust gives memory safety without a garbage collector"
SYNTAX = [
    'say "hi', "foo AND", "(rust", "NEAR(", "^", '"', '""', "'", "AND", "OR NOT", "NOT rust", "a NEAR/3 b", "rust*",
    "*", "{x y}:z",
    "terms:rust", "rowid:1", "-rust", "+rust", "rust AND (", "';drop table nodes;--", "' or 1=1 --", "?1", ":name",
    "$x", "%s", "\\", "\\'",
    "память AND", "(привет", '"незакрытая', "NOT ИЛИ", "слово*", "столбец:значение", "«», — …", "\ud83d", "a\0b",
    "\r\n\t", " ",
]  # fmt: skip


@pytest.mark.parametrize("query", SYNTAX)
def test_B001_plain_words_never_syntax(make: Make, query: str) -> None:
    found(make(RUST, "память без сборщика мусора"), query)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("memory:safe", RUST),
        ("(rust", RUST),
        ("rust*", RUST),
        ("NOT rust", RUST),
        ("collector:garbage", RUST),
        ("память:мусора", "память без сборщика мусора"),
        ("(сборщик", "память без сборщика мусора"),
        ("-мусора", "память без сборщика мусора"),
    ],
)
def test_B001_words_between_signs_are_found(make: Make, query: str, text: str) -> None:
    assert found(make(RUST, "память без сборщика мусора", "unrelated"), query)[:1] == [text]


def test_B001_command_line(tmp_path: Any, make: Make) -> None:
    path = tmp_path / "memory.db"
    make(RUST, path=path).close()
    for query in ["memory:safe", "NEAR("]:
        answer = cli("recall", query, "--json", "--embedder", "none", path=path)
        assert answer.returncode == 0, answer.stderr
        assert not SQL.search((answer.stdout + answer.stderr).decode())
        hits = json.loads(answer.stdout)["hits"]
        assert len(hits) == (query in ("memory:safe",))


MOVED = "moved exports to Downloads/transcripts/2026"
PATHS = "логи лежат в /var/журналы/сервер.log и D:\\Данные\\отчёт.xlsx"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Downloads/transcripts", [MOVED]),
        ("Downloads\\transcripts", [MOVED]),
        ("downloads/transcripts/2026", [MOVED]),
        ("/var/журналы", [PATHS]),
        ("Данные\\отчёт.xlsx", [PATHS]),
        ("сервер.log", [PATHS]),
        ("/etc/hosts", []),
        ("C:\\Temp\\notes.txt", []),
        ("/usr/bin/env", []),
        ("~/.ssh/id_rsa", []),
        ("/дом/пользователь", []),
    ],
)
def test_B002_paths(make: Make, query: str, expected: list[str]) -> None:
    memory = make(MOVED, PATHS)
    assert found(memory, query)[:1] == expected[:1]
    assert expected or not found(memory, query)


def test_B002_command_line(tmp_path: Any, make: Make) -> None:
    path = tmp_path / "memory.db"
    make(MOVED, path=path).close()
    for query, count in [("Downloads/transcripts", 1), ("C:\\Temp\\log.txt", 0)]:
        answer = cli("recall", query, "--json", "--embedder", "none", path=path)
        assert answer.returncode == 0
        assert len(json.loads(answer.stdout)["hits"]) == count
        assert not SQL.search((answer.stdout + answer.stderr).decode())


QUOTES = ["'", "’", "‘", "ʼ", "′", "＇"]


@pytest.mark.parametrize("stored", QUOTES)
@pytest.mark.parametrize("asked", QUOTES)
def test_B003_apostrophes(make: Make, stored: str, asked: str) -> None:
    lines = ["we don't use agents on Fridays", "rock'n'roll playlist", "обед у д'Артаньяна", "O'Hara sent the plan"]
    memory = make(*(line.replace("'", stored) for line in lines))
    for query, line in [
        ("don't use agents", lines[0]),
        ("rock'n'roll", lines[1]),
        ("д'Артаньян", lines[2]),
        ("O'Hara's plan", lines[3]),
    ]:
        assert found(memory, query.replace("'", asked))[:1] == [line.replace("'", stored)]
    assert found(memory, "o'brien".replace("'", asked)) == []
    assert found(memory, "об'єкт".replace("'", asked)) == []


RELEASE = "release frozen on 2026-03-14, ticket OC-41252"


@pytest.mark.parametrize(
    "query", ["2026-03-14", "OC-41252", "oc-41252", "41252", "ticket OC-41252", "заявка OC-41252", "frozen 2026-03-14"]
)
def test_B004_hyphens_and_dates(make: Make, query: str) -> None:
    assert found(make(RELEASE, "something else"), query)[:1] == [RELEASE]


@pytest.mark.parametrize("query", ["launch-monitor", "QX-99999", "какой-то", "2026-03", "AB-1"])
def test_B004_what_is_not_there(make: Make, query: str) -> None:
    assert found(make("ticket OC-41252 frozen"), query) == []


@pytest.mark.parametrize("written", ["14.03.2026", "2026/03/14", "14/03/2026", "2026-W11"])
def test_B004_a_date_as_it_is_written(make: Make, written: str) -> None:
    text = f"Заморозка релиза {written}, не раньше"
    assert text in found(make(text, "ничего"), written)


DOTS = "visited the park. Then health.base was patched to v20.04"
ТОЧКИ = "обновили модуль склад.учёт до версии 3.14. Потом обед"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("park.", [DOTS]), ("health.base", [DOTS]), ("20.04", [DOTS]), ("v20.04", [DOTS]), (".base", [DOTS]),
        ("park...", [DOTS]),
        ("склад.учёт", [ТОЧКИ]), ("3.14", [ТОЧКИ]), ("обед.", [ТОЧКИ]), ("...", []), (".", []), ("…", []), ("?!", []),
        ("—", []), ("..-..", []),
    ],
)  # fmt: skip
def test_B005_dots(make: Make, query: str, expected: list[str]) -> None:
    assert found(make(DOTS, ТОЧКИ), query) == expected


FLAGS = "run pytest with --error-on-warnings and blah=1"


@pytest.mark.parametrize(
    "query",
    [
        '"--error-on-warnings"',
        "--error-on-warnings",
        "blah=",
        "blah=1",
        "-–error-on-warnings",
        "error-on-warnings",
        "`pytest`",
        "ключ --error-on-warnings",
    ],
)
def test_B007_flags_and_equals(make: Make, query: str) -> None:
    assert found(make(FLAGS, "совсем другое"), query) == [FLAGS]


def test_B007_command_line(tmp_path: Any, make: Make) -> None:
    path = tmp_path / "memory.db"
    make(FLAGS, path=path).close()
    for query in ['"--error-on-warnings"', "--error-on-warnings"]:
        answer = cli("recall", query, "--json", "--embedder", "none", path=path)
        assert answer.returncode == 0, answer.stderr
        assert [h["node"]["content"] for h in json.loads(answer.stdout)["hits"]] == [FLAGS]


# -- every language --------------------

PASSWORDS = "Ротация паролей проводится раз в квартал"
CAFE = "Le café ouvre à huit heures"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("паролей", PASSWORDS), ("Ротация", PASSWORDS), ("пароль", PASSWORDS), ("КВАРТАЛ", PASSWORDS), ("café", CAFE),
        ("cafe", CAFE), ("CAFÉ", CAFE),
        ("łódkę", "kupili łódkę w Łodzi"), ("Lodzi", "kupili łódkę w Łodzi"), ("Strasse", "neue Straße gesperrt"),
        ("ναός", "ο ΝΑΌΣ είναι κλειστός"),
        ("حساب", "فتحنا حِساب جديد"), ("खाता", "नया खाता खोला"), ("שלום", "שָׁלוֹם לכולם"),
    ],
)  # fmt: skip
def test_B009_scripts(make: Make, query: str, expected: str) -> None:
    others = [
        PASSWORDS,
        CAFE,
        "kupili łódkę w Łodzi",
        "neue Straße gesperrt",
        "ο ΝΑΌΣ είναι κλειστός",
        "فتحنا حِساب جديد",
        "नया खाता खोला",
        "שָׁלוֹם לכולם",
    ]
    assert found(make(*others), query) == [expected]


@pytest.mark.parametrize("query", ["слон", "вот что это", "жираф в зоопарке", "éléphant", "how is that", "Ωμέγα"])
def test_B009_never_unrelated_recent_episodes(make: Make, query: str) -> None:
    assert found(make(PASSWORDS, CAFE, "the newest of all"), query) == []


ROLLED = "Вчера откатили деплой на сервере оплаты"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("деплоя", ROLLED), ("серверах", ROLLED), ("откатывали деплой", ROLLED), ("деплоем", ROLLED),
        ("оплатой", ROLLED), ("серверу", ROLLED),
        ("настройками роутера", "Сменили настройки роутеров в офисе"),
        ("роутеру", "Сменили настройки роутеров в офисе"),
        ("deployments", "the deployment was rolled back"), ("rolling deployment", "the deployment was rolled back"),
    ],
)  # fmt: skip
def test_B010_inflected_forms(make: Make, query: str, expected: str) -> None:
    memory = make(
        "Сменили настройки роутеров в офисе", "the deployment was rolled back", ROLLED, "кот спит", "обед в час"
    )
    assert expected in found(memory, query, limit=5)


@pytest.mark.parametrize("query", ["привет", "Привет", "анна", "ПРИВЕТ", "АННА", "аННа"])
def test_B011_case(make: Make, query: str) -> None:
    assert found(make("ПРИВЕТ, Анна", "пока, Олег"), query) == ["ПРИВЕТ, Анна"]


@pytest.mark.parametrize("query", ["ÉCOLE", "école", "ŽLUŤ", "žluť", "ΔΕΛΤΑ", "δέλτα", "ЇЖАК", "їжак"])
def test_B011_case_beyond_ascii(make: Make, query: str) -> None:
    assert len(found(make("École fermée", "žluť a med", "Δέλτα airlines", "Їжак спить"), query)) == 1


def test_B011_filters_by_entity_and_speaker_fold_too(make: Make) -> None:
    memory = make()
    memory.observe("Завтра приеду", speaker="Анна Белова")
    memory.flush()
    assert memory.entities.get("АННА БЕЛОВА") is not None
    assert found(memory, "приеду", entity="анна белова") == ["Завтра приеду"]


TREE = "Ещё раз купили ёлку и медь"


@pytest.mark.parametrize("stored", ["NFC", "NFD", "NFKC", "NFKD"])
@pytest.mark.parametrize("asked", ["NFC", "NFD", "NFKC", "NFKD"])
def test_B012_yo_and_decomposed_forms(make: Make, stored: Any, asked: Any) -> None:
    lines = [TREE, "Чай и йод в аптечке", "El niño y la señora", "Новый райо́н"]
    memory = make(*(unicodedata.normalize(stored, line) for line in lines))
    for query, line in [
        ("еще", TREE), ("елку", TREE), ("ёлку", TREE), ("медь", TREE), ("йод", lines[1]), ("чай", lines[1]),
        ("niño", lines[2]), ("senora", lines[2]),
        ("новый", lines[3]), ("район", lines[3]),
    ]:  # fmt: skip
        assert found(memory, unicodedata.normalize(asked, query)) == [unicodedata.normalize(stored, line)], query


def test_B012_soft_sign_stays_in_the_word(make: Make) -> None:
    assert found(make("мел и мел", "медь"), "медь") == ["медь"]


CHINESE, JAPANESE = "队列端口错配导致任务无人消费", "今日は成語しりとりをした"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("端口错配", CHINESE), ("队列", CHINESE), ("消费", CHINESE), ("口", CHINESE), ("队", CHINESE), ("费", CHINESE),
        ("无人", CHINESE),
        ("しりとり", JAPANESE), ("成語", JAPANESE), ("語", JAPANESE), ("今", JAPANESE), ("결제", "어제 결제서버를 재시작했다"),
        ("서버", "어제 결제서버를 재시작했다"),
        ("ครับ", "สวัสดีครับวันนี้"), ("ｼｽﾃﾑ", "新しいシステムが動いた"), ("Ｄｏｃｋｅｒ", "restarted docker twice"),
    ],
)  # fmt: skip
def test_B013_unspaced_runs(make: Make, query: str, expected: str) -> None:
    memory = make(
        CHINESE,
        JAPANESE,
        "어제 결제서버를 재시작했다",
        "สวัสดีครับวันนี้",
        "新しいシステムが動いた",
        "restarted docker twice",
    )
    assert found(memory, query)[:1] == [expected]


def test_B013_english_stays_as_it_was(make: Make) -> None:
    memory = make("the queue port is wrong", CHINESE, "ports of call")
    assert found(memory, "queue port")[0] == "the queue port is wrong"


MIXED = "用 docker 部署 worker 时端口冲突"


@pytest.mark.parametrize("query", ["docker 部署", "docker部署", "worker 端口", "docker 口", "docker кластер 部署"])
def test_B014_mixed_scripts(make: Make, query: str) -> None:
    assert found(make("docker is fine", MIXED, "чай"), query)[0] == MIXED


def test_B014_another_script_does_not_lower_a_hit_to_zero(make: Make) -> None:
    assert found(make("docker is fine", "чай"), "docker 部署") == ["docker is fine"]
    assert found(make("docker is fine", "чай"), "deploy чай") == ["чай"]


CODE = "set max_retry_count in app-config.yaml, symbol py-sym:foo_bar"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("max_retry_count", CODE), ("retry_count", CODE), ("app-config", CODE), ("foo_bar", CODE),
        ("app-config.yaml", CODE), ("py-sym", CODE),
        ("retry count", CODE), ("getUserName", "rename getUserName to fetchUser"),
        ("user name", "rename getUserName to fetchUser"),
        ("fetchuser", "rename getUserName to fetchUser"), ("HTTPServer", "the HTTPServer2 class"),
        ("src/mnemic/text", "see src/mnemic/text/when.py"),
        ("when.py", "see src/mnemic/text/when.py"), ("C++", "моя C++ сборка"), ("c#", "проект на C#"),
    ],
)  # fmt: skip
def test_B015_identifiers(make: Make, query: str, expected: str) -> None:
    memory = make(
        "count me in", "one more config", "a bar", CODE, "rename getUserName to fetchUser", "the HTTPServer2 class",
        "see src/mnemic/text/when.py",
        "моя C++ сборка", "проект на C#", "витамин C",
    )  # fmt: skip
    assert expected in found(memory, query)[:2]


def test_B015_the_whole_identifier_ranks_above_its_parts(make: Make) -> None:
    memory = make("count count count", "retry count", CODE)
    assert found(memory, "max_retry_count")[0] == CODE


# -- ranking --------------------

KOVROV = "Kovrov prefers replies in the morning"


@pytest.mark.parametrize(
    "query",
    [
        "why is Kovrov not replying to my messages?",
        "te acuerdas de Kovrov?",
        "почему Kovrov не отвечает на мои сообщения?",
        "erinnerst du dich noch an Kovrov, den vom letzten Projekt?",
        "Hi there, I was wondering whether you could remind me of anything at all about Kovrov and his habits please",
    ],
)
def test_B018_a_sentence_is_not_all_words_required(make: Make, query: str) -> None:
    memory = make(*(f"note number {i} about the garden" for i in range(60)), KOVROV)
    assert found(memory, query)[0] == KOVROV


@pytest.mark.parametrize(
    ("known", "asked"),
    [
        (["Anna Belova", "Boris Belov"], "Anna Petrova"),
        (["Anna Belova", "Boris Belov"], "Anna"),
        (["Anna Belova", "Boris Belov"], "Belov Anna"),
        (["Анна Белова", "Борис Белов"], "Анна Петрова"),
        (["Анна Белова", "Борис Белов"], "Белов"),
        (["New York"], "New York City"),
        (["Config for apps.1", "Config for apps.2"], "Config for apps.3"),
    ],
)
def test_B019_names_are_resolved_exactly(make: Make, known: list[str], asked: str) -> None:
    memory = make()
    for name in known:
        memory.observe(f"Said by {name} today.", speaker=name)
    memory.flush()
    assert memory.entities.get(asked) is None
    assert found(memory, "said", entity=asked) == []
    for name in known:
        entity = memory.entities.get(name.upper())
        assert entity is not None
        assert entity.name == name


@pytest.mark.parametrize(
    ("noise", "best", "query"),
    [
        ("the user does where number {}", "My flat is in Porto", "Where does the user live?"),
        ("где сам пользователь и что он номер {}", "Моя квартира в Твери", "Где живёт пользователь?"),
    ],
)
def test_B020_stop_words_do_not_outrank_the_best_meaning(make: Make, noise: str, best: str, query: str) -> None:
    rules = [("Porto|Твери|live|живёт", (1.0,)), ("user|пользователь", (0.5, 0.87))]
    memory = make(*(noise.format(i) for i in range(200)), best, embedder=Chosen(rules))
    assert best in found(memory, query)[:3]


@pytest.mark.parametrize(
    ("word", "at"), [("zebrafinch", 29_000), ("зяблик", 29_000), ("zebrafinch", 0), ("zebrafinch", 250_000)]
)
def test_B021_the_whole_text_is_indexed(make: Make, word: str, at: int) -> None:
    filler = "ordinary words of a long report " * (at // 32 + 40)
    text = f"{filler[:at]} {word} {filler[at : at + 1_000]}"
    memory = make("something short", text)
    assert found(memory, word) == [text]


@pytest.mark.parametrize("kind", ["semantic", "procedural", "opinion"])
@pytest.mark.parametrize(("fact", "query"), [("Vera is allergic to walnuts", "walnuts"), ("Вера не ест орехи", "орех")])
def test_B022_facts_are_found_by_their_words(make: Make, kind: str, fact: str, query: str) -> None:
    memory = make(*(f"episode number {i}" for i in range(10)))
    memory.remember(fact, kind=kind)
    assert found(memory, query) == [fact]
    status = memory.status()
    assert status["memories"] == status["keyword_rows"] == 11


def _time_out(texts: Any, kind: str) -> None:
    if kind == "query":
        raise TimeoutError("read timed out")


def _refuse(texts: Any, kind: str) -> None:
    if kind == "query":
        raise EmbeddingError("503", retryable=True)


@pytest.mark.parametrize("fail", [_time_out, _refuse])
@pytest.mark.parametrize("query", ["paint", "краска для забора", "zebra"])
def test_B025_a_failing_embedder_is_said(make: Make, fail: Any, query: str) -> None:
    memory = make("bought paint for the fence", "купили краску", embedder=Chosen([("paint|краск", (1.0,))], fail=fail))
    answer = memory.recall(query)
    assert any("vector" in reason for reason in answer.degraded)
    assert bool(answer.hits) == (query != "zebra")


def test_B025_an_embedder_that_cannot_even_say_its_dimension(make: Make) -> None:
    class Down(Chosen):
        @property
        def dimension(self) -> int:
            raise EmbeddingError("connection refused", retryable=True)

    memory = make(embedder=Down())
    memory.observe("bought paint for the fence")
    answer = memory.recall("paint")
    assert texts(answer) == ["bought paint for the fence"]
    assert answer.degraded
    assert any("does not answer" in note for note in memory.status()["notes"])


def test_B025_nonsense_vectors_are_a_failure_not_an_answer(make: Make) -> None:
    class Broken(Chosen):
        def embed(self, texts: Any, *, kind: str) -> Any:
            rows = super().embed(texts, kind=kind)
            return rows * float("nan") if kind == "query" else rows

    answer = make("bought paint", embedder=Broken()).recall("paint")
    assert texts(answer) == ["bought paint"]
    assert answer.degraded


def test_hits_have_evidence_of_their_own(make: Make) -> None:
    memory = make(embedder=None)
    for i in range(12):
        memory.observe(f"filler number {i} of the kitchen talk", session="one")
    memory.observe("the zebrafinch sings", session="one")
    hits = found(memory, "zebrafinch")
    assert hits[0] == "the zebrafinch sings"
    assert not any(f"number {i} " in hit for hit in hits for i in range(10)), "only the session matched"
