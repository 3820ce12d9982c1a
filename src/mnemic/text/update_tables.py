"""The words and patterns of :mod:`updates`, English and Russian, as data; each row has an example.

What asks for a value, and what beside it says that it changed, is not there yet, or is of something else. Phrases as in :mod:`wording`: folded words, ``word*`` for all that begins so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .wording import Phrase, listed


@dataclass(frozen=True, slots=True)
class Ask:
    """A row: words by which a question asks for values of some kinds, and such a question.

    Attributes:
        kinds: of :data:`KINDS`, separated by spaces. words: as in :class:`~.wording.Phrase`.
        example: a question. head: whether the words name the property, so that it must stand beside the value.
    """

    kinds: str
    words: str
    example: str
    head: bool = False


ASKS: tuple[Ask, ...] = (
    Ask("count", "how many", "How many commits are merged?"),
    Ask("count", "what number of", "What number of tests pass?"),
    Ask("count", "сколько", "Сколько тестов проходит?"),
    Ask("count", "какое количество", "Какое количество тестов проходит?"),
    Ask("money", "how much", "How much do I pay for rent?"),
    Ask("money", "budget*", "What is my snack budget?", True),
    Ask("money", "salary", "What is my salary?", True),
    Ask("money", "price", "What is the price of the ticket?", True),
    Ask("money", "cost*", "What does hosting cost?", True),
    Ask("money", "rent", "How much is the rent?", True),
    Ask("money", "fee", "What is the monthly fee?", True),
    Ask("money", "бюджет*", "Какой бюджет на книги?", True),
    Ask("money", "зарплат*", "Какая у меня зарплата?", True),
    Ask("money", "цена", "Какая цена билета?", True),
    Ask("money", "стоит", "Сколько стоит хостинг?"),
    Ask("money", "стоимость", "Какая стоимость билета?", True),
    Ask("money", "аренд*", "Сколько я плачу за аренду?", True),
    Ask("money", "плачу", "Сколько я плачу за интернет?"),
    Ask("money", "платим", "Сколько мы платим за хостинг?"),
    Ask("percent", "what percent*", "What percentage of tests pass?"),
    Ask("percent", "percentage", "What is my accuracy percentage?"),
    Ask("percent", "coverage", "What is the test coverage?", True),
    Ask("percent", "accuracy", "What accuracy does the model have?", True),
    Ask("percent", "rate", "What is the pass rate?", True),
    Ask("percent", "процент*", "Какой процент тестов проходит?"),
    Ask("percent", "покрыти*", "Какое покрытие тестами?", True),
    Ask("percent", "точность*", "Какая точность у модели?", True),
    Ask("percent", "доля", "Какая доля тестов проходит?", True),
    Ask("duration", "how long", "How long does the build take?"),
    Ask("duration", "time", "What is the response time?"),
    Ask("duration", "latency", "What is the latency of the API?", True),
    Ask("duration", "timeout*", "What is the timeout of the proxy?", True),
    Ask("duration", "duration", "What is the duration of the course?", True),
    Ask("duration", "как долго", "Как долго идет сборка?"),
    Ask("duration", "сколько времени", "Сколько времени занимает сборка?"),
    Ask("duration", "время", "Какое время ответа у API?"),
    Ask("duration", "задержк*", "Какая задержка у API?", True),
    Ask("duration", "таймаут*", "Какой таймаут у прокси?", True),
    Ask("duration", "длительность", "Какая длительность курса?", True),
    Ask("date clock", "when", "When is the meeting?"),
    Ask("date", "what date", "What date is the launch?"),
    Ask("date", "which date", "Which date is the launch?"),
    Ask("date", "what day", "What day is the launch?"),
    Ask("date", "which day", "Which day is the launch?"),
    Ask("date", "deadline*", "What is the deadline of the report?", True),
    Ask("date", "due", "When is the report due?"),
    Ask("date clock", "когда", "Когда встреча с врачом?"),
    Ask("date", "какого числа", "Какого числа релиз?"),
    Ask("date", "в какой день", "В какой день встреча?"),
    Ask("date", "дата", "Какая дата релиза?"),
    Ask("date", "дедлайн*", "Какой дедлайн по отчету?", True),
    Ask("date", "срок*", "Какой срок сдачи отчета?", True),
    Ask("clock", "what time", "What time is the call?"),
    Ask("clock", "во сколько", "Во сколько созвон?"),
    Ask("clock", "в какое время", "В какое время созвон?"),
    Ask("version", "version", "Which version of Django do we use?"),
    Ask("version", "версия", "Какая версия Django?"),
    Ask("version", "версию", "Какую версию Django мы используем?"),
    Ask("version", "версии", "На какой версии Django проект?"),
    Ask("status", "status", "What is the status of the migration?"),
    Ask("status", "state of", "What is the state of the migration?"),
    Ask("status", "статус*", "Какой статус у миграции?"),
    Ask("status", "в каком состоянии", "В каком состоянии миграция?"),
    Ask("amount", "quota", "What is the daily call quota?", True),
    Ask("amount", "limit", "What is the upload limit?", True),
    Ask("amount", "target*", "What is my weekly word target?"),
    Ask("amount", "goal*", "What is my step goal?"),
    Ask("amount", "size", "What is the size of the index?", True),
    Ask("amount", "weight", "What is my weight?", True),
    Ask("amount", "weigh", "How much do I weigh?", True),
    Ask("amount", "score*", "What is my score in the quiz?", True),
    Ask("amount", "record", "What is my record in push-ups?", True),
    Ask("amount", "personal best", "What is my personal best in the race?", True),
    Ask("amount", "speed", "What is the download speed?", True),
    Ask("amount", "capacity", "What is the capacity of the hall?", True),
    Ask("amount", "count", "What is the word count of my draft?", True),
    Ask("amount", "port", "What port does the server listen on?", True),
    Ask("amount", "лимит*", "Какой лимит загрузки?", True),
    Ask("amount", "квот*", "Какая квота вызовов?", True),
    Ask("amount", "цель", "Какая у меня цель по шагам?"),
    Ask("amount", "размер*", "Какой размер индекса?", True),
    Ask("amount", "вес", "Какой у меня вес?", True),
    Ask("amount", "вешу", "Сколько я вешу?", True),
    Ask("amount", "рекорд*", "Какой у меня рекорд по отжиманиям?", True),
    Ask("amount", "скорость*", "Какая скорость загрузки?", True),
    Ask("amount", "порт", "Какой порт у сервера?", True),
)  # fmt: skip
ASKED = tuple(Phrase(row.words, row.example) for row in ASKS)
ROWS: Mapping[tuple[str, ...], Ask] = {tuple(row.words.split()): row for row in ASKS}

#: Words that ask where they open a question or follow one of :data:`OPENS`; elsewhere they only join.
JOINS = listed("when когда")
OPENS = listed("and so but и а но")

#: A question about how it was, or how it came to be: the older text is as good an answer.
HISTORY: tuple[Phrase, ...] = (
    Phrase("original*", "What was the original deadline?"),
    Phrase("initial*", "How many cards did I plan initially?"),
    Phrase("at first", "What was the budget at first?"),
    Phrase("previous*", "What was my previous budget?"),
    Phrase("earlier", "What was the earlier deadline?"),
    Phrase("used to", "How many cups did I use to drink? How much did I used to pay?"),
    Phrase("before", "What was the coverage before the refactoring?"),
    Phrase("chang*", "How did the deadline change?"),
    Phrase("increas*", "How much has the coverage increased?"),
    Phrase("decreas*", "How much has the weight decreased?"),
    Phrase("improve*", "By how much did the accuracy improve?"),
    Phrase("progress*", "How has my accuracy progressed?"),
    Phrase("history", "What is the history of the budget?"),
    Phrase("over time", "How did the coverage go over time?"),
    Phrase("evol*", "How did the budget evolve?"),
    Phrase("differ*", "What is the difference between the two budgets?"),
    Phrase("compare*", "How does the budget compare with the last one?"),
    Phrase("between", "How many days passed between the calls?"),
    Phrase("passed", "How many days had passed since the call?"),
    Phrase("how long did", "How long did it take to move?"),
    Phrase("ago", "How many days ago was the call?"),
    Phrase("изначальн*", "Какой был изначальный дедлайн?"),
    Phrase("первоначальн*", "Какой был первоначальный бюджет?"),
    Phrase("сначала", "Какой бюджет был сначала?"),
    Phrase("раньше", "Сколько тестов было раньше?"),
    Phrase("прежн*", "Какой был прежний дедлайн?"),
    Phrase("прошл*", "Какой был прошлый дедлайн?"),
    Phrase("предыдущ*", "Какой был предыдущий дедлайн?"),
    Phrase("до этого", "Сколько тестов было до этого?"),
    Phrase("измен*", "Как изменился дедлайн?"),
    Phrase("менял*", "Как менялся бюджет?"),
    Phrase("вырос*", "На сколько выросло покрытие?"),
    Phrase("истори*", "Какая история бюджета?"),
    Phrase("назад", "Сколько дней назад был созвон?"),
    Phrase("между", "Сколько дней прошло между созвонами?"),
    Phrase("прошло", "Сколько дней прошло с созвона?"),
)

#: A question about single events or about a sum of them: two values may both be right, so only a change that is said
#: in so many words counts.
EVENTS: tuple[Phrase, ...] = (
    Phrase("did", "How much did I spend on shoes?"),
    Phrase("was", "When was the call?"),
    Phrase("were", "How many guests were there?"),
    Phrase("total", "How many hours have I spent in total?"),
    Phrase("altogether", "How many fish do I have altogether?"),
    Phrase("combined", "What is the combined weight?"),
    Phrase("average", "What is the average of the scores?"),
    Phrase("times", "How many times have I been to Rome?"),
    Phrase("different", "How many different doctors have I seen?"),
    Phrase("last", "What did the last trip cost?"),
    Phrase("был", "Когда был созвон?"),
    Phrase("была", "Когда была встреча?"),
    Phrase("было", "Сколько гостей было?"),
    Phrase("были", "Когда были гости?"),
    Phrase("всего", "Сколько всего часов я занимался?"),
    Phrase("раз", "Сколько раз я был в Риме?"),
    Phrase("в среднем", "Сколько я трачу в среднем?"),
)

#: What says, before a value, that it is otherwise than before.
NEW: tuple[Phrase, ...] = (
    Phrase("now", "The coverage is now 78%"),
    Phrase("new", "The new deadline is April 5"),
    Phrase("updated", "The updated limit is 20 GB"),
    Phrase("revised", "The revised budget is $80"),
    Phrase("reached", "The branch has now reached 165 commits"),
    Phrase("hit", "Coverage has hit 80%"),
    Phrase("grew to", "The library grew to 52 sources"),
    Phrase("grown to", "The library has grown to 52 sources"),
    Phrase("went up to", "The rent went up to $900"),
    Phrase("gone up to", "The rent has gone up to $900"),
    Phrase("went down to", "The latency went down to 90 ms"),
    Phrase("is up to", "I am up to 12 books; my count is up to 12"),
    Phrase("is down to", "The latency is down to 90 ms"),
    Phrase("actually", "Actually the budget is $80"),
    Phrase("теперь", "Теперь дедлайн 5 апреля"),
    Phrase("сейчас", "Сейчас проходит 140 тестов"),
    Phrase("уже", "Покрытие уже 78%"),
    Phrase("стал*", "Тестов стало 140"),
    Phrase("нов*", "Новый дедлайн 5 апреля"),
    Phrase("обновленн*", "Обновленный бюджет 80 евро"),
    Phrase("достиг*", "Покрытие достигло 78%"),
    Phrase("на самом деле", "На самом деле бюджет 80 евро"),
)
#: The same, where a word of :data:`ONTO` leads from it to the value.
CHANGED: tuple[Phrase, ...] = (
    Phrase("adjusted", "I've adjusted the snack budget to $75"),
    Phrase("changed", "The port was changed to 8080"),
    Phrase("increased", "The number of mentees has increased to 7"),
    Phrase("raised", "The budget was raised to $500"),
    Phrase("bumped", "We bumped the limit to 20"),
    Phrase("decreased", "The weight decreased to 70 kg"),
    Phrase("reduced", "The latency was reduced to 90 ms"),
    Phrase("lowered", "The limit was lowered to 5"),
    Phrase("dropped", "The latency dropped to 90 ms"),
    Phrase("improved", "The coverage has recently improved to 78%"),
    Phrase("extended", "I've extended my goal to 12 books"),
    Phrase("expanded", "The team was expanded to 9 people"),
    Phrase("upgraded", "We upgraded Django to 5.1"),
    Phrase("switched", "We switched the port to 8080"),
    Phrase("moved", "The call moved to April 22"),
    Phrase("moving", "We are moving the call to April 22"),
    Phrase("pushed", "The launch was pushed to May 3"),
    Phrase("shifted", "The launch shifted to May 3"),
    Phrase("postponed", "The launch is postponed to May 3"),
    Phrase("delayed", "The launch is delayed to May 3"),
    Phrase("rescheduled", "The call is rescheduled to 4:30 PM"),
    Phrase("обновил*", "Обновили Django до 5.1"),
    Phrase("вырос*", "Покрытие выросло до 78%"),
    Phrase("увелич*", "Лимит увеличен до 20"),
    Phrase("повыси*", "Бюджет повысили до 500 евро"),
    Phrase("подня*", "Лимит подняли до 20"),
    Phrase("сниз*", "Задержка снизилась до 90 мс"),
    Phrase("уменьш*", "Задержка уменьшилась до 90 мс"),
    Phrase("сократ*", "Срок сократили до 5 дней"),
    Phrase("упал*", "Задержка упала до 90 мс"),
    Phrase("улучш*", "Точность улучшилась до 90%"),
    Phrase("измен*", "Порт изменен на 8080"),
    Phrase("поменял*", "Порт поменяли на 8080"),
    Phrase("перенес*", "Созвон перенесли на 22 апреля"),
    Phrase("сдвинул*", "Релиз сдвинули на 3 мая"),
    Phrase("отложил*", "Релиз отложили до 3 мая"),
    Phrase("продл*", "Срок продлили до 3 мая"),
    Phrase("расшир*", "Цель расширили до 12 книг"),
)
ONTO = listed("to of at until by till до на в к")
#: The same right after a value.
NEW_AFTER: tuple[Phrase, ...] = (
    Phrase("now", "It is 165 now"),
    Phrase("instead", "It is on Friday instead"),
    Phrase("up from", "It is 78%, up from 65%"),
    Phrase("down from", "It is 90 ms, down from 120 ms"),
    Phrase("теперь", "Проходит 140 теперь"),
    Phrase("вместо", "Дедлайн 5 апреля вместо 1 апреля"),
)
#: What hints at a change.
RECENT: tuple[Phrase, ...] = (
    Phrase("recently", "I recently completed 15 problems"),
    Phrase("already", "I've already completed 15 problems"),
    Phrase("currently", "I currently own 4 bikes"),
    Phrase("just", "I've just finished 15 problems"),
    Phrase("so far", "So far 15 problems are done"),
    Phrase("latest", "The latest count is 15"),
    Phrase("finally", "I finally have 5 bikes"),
    Phrase("недавно", "Недавно решил 15 задач"),
    Phrase("на данный момент", "На данный момент решено 15 задач"),
    Phrase("пока что", "Пока что решено 15 задач"),
)
#: What stands right before a value that is not the present one.
NOT_YET: tuple[Phrase, ...] = (
    Phrase("goal", "My goal is 90%"),
    Phrase("target*", "targeting 90%"),
    Phrase("aim*", "I aim for 90%"),
    Phrase("at least", "I want at least 80%"),
    Phrase("to increase", "I want to increase it to 90%"),
    Phrase("to improve", "I want to improve it to 90%"),
    Phrase("to reach", "I need to reach 90%"),
    Phrase("to achieve", "I try to achieve 100%"),
    Phrase("to get", "I'd like to get 90%"),
    Phrase("to hit", "I hope to hit 90%"),
    Phrase("to reduce", "I want to reduce it to 90 ms"),
    Phrase("to cut", "I want to cut it to 90 ms"),
    Phrase("need", "I need 20 hours"),
    Phrase("want", "I want 20 cards"),
    Phrase("would", "That would be 20 cards"),
    Phrase("could", "It could take 20 hours"),
    Phrase("should", "It should be 20 cards"),
    Phrase("if", "if 20 tests fail"),
    Phrase("цель*", "Цель – 90%"),
    Phrase("хочу", "Хочу 90%"),
    Phrase("хотим", "Хотим довести до 90%"),
    Phrase("надо", "Надо 90%"),
    Phrase("нужно", "Нужно 90%"),
    Phrase("хотя бы", "Хотя бы 90%"),
    Phrase("не менее", "Не менее 90%"),
    Phrase("минимум", "Минимум 90%"),
    Phrase("если", "если упадет 20 тестов"),
)
#: What stands right before a value that only adds to the one asked for, or that is over.
BESIDE: tuple[Phrase, ...] = (
    Phrase("by", "increased by 20%"),
    Phrase("another", "another 5 books"),
    Phrase("additional", "an additional 5 books"),
    Phrase("extra", "an extra 5 hours"),
    Phrase("first", "the first 5 books"),
    Phrase("last", "the last 5 books"),
    Phrase("next", "the next 5 days"),
    Phrase("than", "more than 5 books"),
    Phrase("over", "over the 6 weeks"),
    Phrase("every", "every 5 minutes"),
    Phrase("еще", "еще 5 книг"),
    Phrase("первые", "первые 5 книг"),
    Phrase("последние", "последние 5 книг"),
    Phrase("больше чем", "больше чем 5 книг"),
    Phrase("каждые", "каждые 5 минут"),
)
#: Words before a value among which such a word is about it.
REACH: Mapping[str, int] = {"not yet": 6, "beside": 4, "over": 4}
#: What stands right before a value that holds no longer.
OVER: tuple[Phrase, ...] = (
    Phrase("from", "from 65% to 78%"),
    Phrase("instead of", "instead of April 1"),
    Phrase("was", "it was 65%"),
    Phrase("previous*", "the previous 65%"),
    Phrase("original*", "the original 65%"),
    Phrase("с", "с 65% до 78%"),
    Phrase("вместо", "вместо 1 апреля"),
    Phrase("был*", "было 65%"),
    Phrase("прежн*", "прежние 65%"),
)
_Begun = Mapping[str, Sequence[tuple[str, tuple[str, ...]]]]
#: (name of the table, phrase) by the first word of the phrase, and by its first three letters where it is a stem.
Index = tuple[_Begun, _Begun]


def fits(words: Sequence[str], phrase: Sequence[str]) -> bool:
    """Whether words are those of a phrase, as many as it has."""
    return all(w.startswith(p[:-1]) if p[-1] == "*" else w == p for p, w in zip(phrase, words, strict=True))


def row(words: Sequence[str]) -> Ask:
    """The row of :data:`ASKS` that these words of a question were found by."""
    return next(asked for phrase, asked in ROWS.items() if len(phrase) == len(words) and fits(words, phrase))


def _indexed(named: Mapping[str, Sequence[Phrase]]) -> Index:
    whole: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    begun: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for name, table in named.items():
        for phrase in table:
            words = tuple(phrase.words.split())
            stem = words[0][-1] == "*"
            (begun if stem else whole).setdefault(words[0][:3] if stem else words[0], []).append((name, words))
    return whole, begun


#: What a question says, and what is said beside a value.
QUESTION = _indexed({"ask": ASKED, "history": HISTORY, "event": EVENTS})
BESIDES = _indexed(
    {
        "new": NEW, "changed": CHANGED, "new after": NEW_AFTER, "recent": RECENT, "not yet": NOT_YET, "beside": BESIDE,
        "over": OVER,
    }
)  # fmt: skip
