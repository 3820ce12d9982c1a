"""Which messages say something lasting about the speaker's life or work, and which are filler: two logistic models.

A message is *lasting* where it is worth standing in a profile ("I moved to Porto last spring"), *filler* where nothing
is lost without it: greetings, thanks, "Ok.", "Tell me a joke", "Would you like me to …?". Most messages are neither.
Short answers that carry content ("Inês.", "9443", "yes, to Lisbon") are not filler.

With the vectors of the shipped embedder (``local:use-m3``) any of its languages is read. Without them words decide, by
tables in English and Russian; of what is said in another language only its length, signs and digits are then known.
The weights (``data/lasting.json``) are made by ``python bench/lasting.py train``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .stopwords import ENGLISH, STOP_WORDS
from .tokens import estimate

__all__ = [
    "DIMENSION",
    "FILLER",
    "LASTING",
    "filler",
    "lasting",
    "lexical",
    "neutral",
    "probabilities",
    "readable",
    "unpack",
]

#: From this probability on a message is called filler; hardly any evidence message is (docs/benchmarks.md).
FILLER = 0.5
#: From this probability on a message is worth looking at for a profile.
LASTING = 0.5

#: Length of the vectors that the weights are for; others are not read.
DIMENSION = 512
#: A message is read this far: what comes later in a long one says nothing more about its kind.
MAX_CHARS = 1200

Floats: TypeAlias = NDArray[np.float32]
#: What of a message is weighed (``neutral``, ``words``, ``vectors``) → its weights by name.
Weights: TypeAlias = Mapping[str, Mapping[str, Floats]]

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
#: A capital after a word or a comma: not one that begins a sentence.
_NAME = re.compile(r"(?<=[\w,;)] )[A-ZА-ЯЁ][^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_MARKUP = re.compile(r"```|^\s*(?:[-*•#>|]|\d+[.)])\s|\*\*|https?://|[{}<>=;]{2}|^\s*at .*:\d+", re.M)
_PAST = re.compile(r"^(?:[a-z]{2,}ed|[а-яё]{2,}л(?:а|и|ся|ась|ись)?)$")
#: Scripts that the tables have no word of.
_OTHER_SCRIPT = re.compile(r"[\u0370-\u03ff\u0530-\u1fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")

#: Feature → words of both languages that it counts.
_COUNTED = {
    "first person": (
        "i i'm i've i'd i'll im ive me my mine myself we we're we've we'd we'll our ours us я меня мне мной мой"
        " моя моё мое мои мою моего моей моём моем моему моим моих мы нас нам нами наш наша наше наши нашу нашего"
        " нашей нашем нашему наших"
    ),
    "second person": (
        "you your yours you're you've u ur yourself ты тебя тебе тобой твой твоя твое твоё твои вы вас вам вами"
        " ваш ваша ваше ваши вашу вашего вашей"
    ),
    "past": (
        "was were had did went got been became began bought left met told said made took came found moved started"
        " finished used quit lost won built last ago yesterday since recently был была было были стал стала вчера"
        " недавно назад раньше прошлой прошлом прошлый прошлую"
    ),
    "future": (
        "will going gonna plan planning tomorrow next soon i'll we'll upcoming буду будем собираюсь собираемся"
        " планирую планируем завтра скоро следующей следующем будущем"
    ),
    "habit": (
        "always never usually often prefer love hate favorite favourite like enjoy avoid every regularly daily"
        " weekly allergic vegetarian vegan can't rather fan into всегда никогда обычно часто люблю любим ненавижу"
        " предпочитаю нравится любимый любимая любимое обожаю каждый каждую каждое регулярно терпеть аллергия"
    ),
    "kin": (
        "wife husband son daughter mother mom mum father dad sister brother kids kid children baby family friend"
        " friends boss colleague colleagues girlfriend boyfriend partner cat dog fiancé fiance uncle aunt cousin"
        " grandma grandmother grandfather roommate flatmate neighbor neighbour жена жены мужа муж сын сына дочь"
        " дочери дочка дочке дочки мама мамы папа отец мать сестра сестры брат брата дети детей ребенок ребёнок"
        " семья друг подруга начальник коллега кот кошка собака бабушка дед дедушка сосед соседка тётя тетя дядя"
    ),
    "work": (
        "job work working team project company office manager career degree university school college studying"
        " class course client deadline budget meeting работа работаю работе команда команде проект проекте"
        " компания офис универ университет школа учусь курсы клиент срок бюджет"
    ),
    "phatic": (
        "hi hello hey thanks thank thx ty bye goodbye ok okay yes no yep yeah yup nope sure great cool nice"
        " awesome wow lol haha hmm alright noted got it fine perfect amazing welcome please sorry congrats"
        " congratulations good morning night evening cheers exactly right agree understood sounds oh aw absolutely"
        " definitely glad happy certainly understand done luck enjoy привет здравствуйте здравствуй приветик пока"
        " спасибо спс пасиб благодарю ок окей да нет ага угу ладно хорошо отлично супер класс круто здорово ого"
        " хаха хм понял поняла понятно ясно записал записала запомнил запомнила принято договорились точно конечно"
        " извините извини прости простите пожалуйста доброе добрый утро вечер ночи спокойной поздравляю готово"
        " сделаю учту жаль рад рада неа ничего соболезнования сочувствую хорошего yo see ya worries mind later"
        " care tight сладких прощения прошу неважно забей согласен согласна увидимся выходные выходных дела"
        " чудесно рождения"
    ),
    "offer": (
        "would shall want need help assist let feel anything else questions further assistance хотите хочешь"
        " помочь помощь могу чем ещё еще вопросы вопрос обращайтесь"
    ),
    "pastime": "joke weather story song poem time coin анекдот погода сказку песню шутку монетку времени погоду",
}
WORDS = {name: frozenset(words.split()) for name, words in _COUNTED.items()}
_SMALL_TALK = WORDS["phatic"] | WORDS["offer"] | WORDS["pastime"]
#: What a message begins with that gives an order, that asks, and what is passed over before.
_OPENINGS = {
    "order": (
        "tell write make give show find play set add fix create turn navigate start stop search continue"
        " translate explain list remind open call book check run use help sing repeat go say try summarize"
        " summarise recommend suggest describe расскажи напиши сделай дай покажи найди включи поставь добавь"
        " исправь создай выключи начни останови продолжай переведи объясни напомни открой позвони закажи проверь"
        " запусти помоги спой повтори скажи попробуй перескажи посоветуй перепиши поищи подскажи давай"
    ),
    "asks": (
        "what what's whats how how's where when who why which can could would should do does did is are will have"
        " has что как где когда кто почему зачем какой какая какое какие сколько можно можешь можете есть ли чем"
        " куда откуда"
    ),
    "": "please пожалуйста ok ок so ну а and и hey эй",
}
_OPENING = {word: name for name, words in _OPENINGS.items() for word in words.split()}
#: Short words of other languages in Latin letters: with more of these than of English ones a text is not read by words.
_FOREIGN_WORDS = """
der die das und ist nicht ich wir ein eine mit für auf den dem von zu mir mich dir wie le la les et est je pas un une
du des ce que qui ne vous tu en il el los las y es yo del con por para mi su se gli che di è per sono non ho mio mia
si o os um uma eu não com meu minha em da dos das na wo bitte hier ja oui ça sí sì sim più muy
"""
_FOREIGN = frozenset(_FOREIGN_WORDS.split())
_ENGLISH = (
    (frozenset(ENGLISH.split()) | WORDS["phatic"]) - _FOREIGN - {"am", "an", "as", "at", "me", "so", "was", "will"}
)


def lasting(texts: Sequence[str], vectors: Floats | None = None) -> Floats:
    """How likely each message says something lasting about the speaker's life or work, 0…1; see :data:`LASTING`.

    Args:
        texts: messages, of any language and length. One without a word or sign is 0.
        vectors: their unit vectors by ``local:use-m3`` (no other model of that length), shape ``(len(texts), 512)``.
            ``None``, or of another shape: words alone decide.
    """
    return probabilities(_stored()["lasting"], texts, vectors) * _said(texts)


def filler(texts: Sequence[str], vectors: Floats | None = None) -> Floats:
    """How likely nothing is lost without each message, 0…1; see :data:`FILLER`. Arguments as of :func:`lasting`.

    A message without a word or sign is 1.
    """
    return 1 - (1 - probabilities(_stored()["filler"], texts, vectors)) * _said(texts)


def _said(texts: Sequence[str]) -> Floats:
    return np.array([bool(text.strip()) for text in texts], dtype=np.float32)


def probabilities(weights: Weights, texts: Sequence[str], vectors: Floats | None) -> Floats:
    """Of each text by given weights: by its vector where there is one, else by words where its language is known."""
    columns = np.array([neutral(text) for text in texts], dtype=np.float32).reshape(-1, len(weights["neutral"]["mean"]))
    if vectors is not None and vectors.shape == (len(texts), DIMENSION):
        return _logistic(_weighed(weights["vectors"], columns) + vectors @ weights["vectors"]["vector"])
    score = _weighed(weights["neutral"], columns)
    read = [number for number, text in enumerate(texts) if readable(text)]
    if read:
        words = np.array([lexical(texts[number]) for number in read], dtype=np.float32)
        score[read] = _weighed(weights["words"], np.hstack([columns[read], words]))
    return _logistic(score)


def _weighed(part: Mapping[str, Floats], columns: Floats) -> Floats:
    return np.asarray((columns - part["mean"]) / part["scale"] @ part["columns"] + part["bias"], dtype=np.float32)


def _logistic(score: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(score, -30, 30))), dtype=np.float32)


def neutral(text: str) -> list[float]:
    """What is counted in any language: length, questions, exclamations, digits, markup, lines."""
    whole, text = len(text), text[:MAX_CHARS]
    tokens = estimate(text) * whole / max(1, len(text))
    numbers = len(_DIGITS.findall(text))
    return [
        math.log1p(tokens),
        max(0.0, 1 - tokens / 12),
        float(tokens > 150),
        min(3.0, text.count("?") + text.count("？")),
        float(text.rstrip().endswith(("?", "？"))),
        min(3.0, text.count("!") + text.count("！")),
        float(numbers > 0),
        math.log1p(numbers),
        float(bool(_MARKUP.search(text))),
        math.log1p(text.count("\n")),
    ]


def lexical(text: str) -> list[float]:
    """What is counted by the tables: names, openings, stop words and content, past tense, :data:`WORDS`."""
    words = _words(text)
    count = max(1, len(words))
    opening = next((name for word in words if (name := _OPENING.get(word, "other"))), "")
    content = sum(word not in STOP_WORDS and word not in WORDS["phatic"] for word in words)
    small_talk = any(word in _SMALL_TALK or _OPENING.get(word) == "order" for word in words)
    return [
        math.log1p(len(_NAME.findall(text[:MAX_CHARS]))),
        float(opening == "order"),
        float(opening == "asks"),
        sum(word in STOP_WORDS for word in words) / count,
        content / count,
        math.log1p(content),
        float(small_talk),
        math.log1p(sum(bool(_PAST.match(word)) for word in words)),
        *(sum(word in table for word in words) / math.sqrt(count) for table in WORDS.values()),
    ]


def readable(text: str) -> bool:
    """Whether the tables know the language: Cyrillic letters, or Latin ones not plainly of another than English."""
    if _OTHER_SCRIPT.search(text[:MAX_CHARS]):
        return False
    words = _words(text)
    foreign = sum(word in _FOREIGN for word in words)
    return not foreign or foreign < sum(word in _ENGLISH for word in words)


def _words(text: str) -> list[str]:
    return _WORD.findall(text[:MAX_CHARS].lower().replace("’", "'"))


def unpack(stored: Mapping[str, Mapping[str, Any]]) -> Weights:
    """Weights of one head as they stand in the file: vectors as small whole numbers and the size of a step."""
    return {
        name: {
            **{key: np.array(part[key], dtype=np.float32) for key in ("mean", "scale", "columns", "bias")},
            "vector": np.array(part["vector"], dtype=np.float32) * np.float32(part["step"]),
        }
        for name, part in stored.items()
    }


@cache
def _stored() -> Mapping[str, Weights]:
    """What the package ships: head → weights."""
    text = files(__package__).joinpath("data/lasting.json").read_text("utf-8")
    return {head: unpack(parts) for head, parts in json.loads(text).items()}
