"""Words by which people ask, in the languages that the shipped embedder knows best: they agree with nothing in an answer.

"What do you know about Dario?" asks for Dario; "wann", "où", "¿cuándo" stand in no statement. As stems, since that is
how a query is matched.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from .analyse import terms

#: Language → words that ask, or ask to tell. Ordinary stop words of English and Russian are left out elsewhere.
ASKING = {
    "en": "know tell remember recall mention mentioned ever anything something everything please remind tell said say",
    "ru": "знаешь знаете знать расскажи расскажите рассказать помнишь помните напомни напомните скажи скажите говорил"
    " говорила упоминал упоминала известно что-нибудь про",
    "de": "wer was wann wo wohin woher wie warum weshalb wieso welche welcher welches wem wen wieviel weißt wissen erzähl"
    " erzähle sag kennst erinnerst über ist sind war haben hat habe ich du mein meine der die das ein eine",
    "fr": "qui que quoi quand où comment pourquoi combien quel quelle quels quelles est-ce sais savez dis dites parle"
    " raconte rappelle connais sur est sont je tu mon ma mes le la les un une des de du à au en",
    "es": "quién qué cuándo dónde adónde cómo cuánto cuánta por qué cuál cuáles sabes sabe dime cuéntame recuerdas sobre"
    " es son está yo tú mi mis el la los las un una de del en a",
    "it": "chi che cosa quando dove come perché quanto quale quali sai dimmi raccontami ricordi su è sono il lo la i gli"
    " le un una di del della in a mio mia",
    "pt": "quem que quando onde como porquê quanto qual quais sabes sabe diga conte lembra sobre é são está o a os as um"
    " uma de do da em meu minha",
    "zh": "什么 什么时候 时候 谁 哪里 哪儿 怎么 为什么 多少 哪个 吗 呢 告诉 知道 关于",
    "ar": "من ما ماذا متى أين كيف لماذا كم هل أي هو هي في على عن",
}
#: Languages whose words are left out of a query in any case; those of the others only where no message holds them, as
#: some are words of content elsewhere ("die", "war").
AT_HOME = ("en", "ru")
_SELF = frozenset(terms("i me my myself я мне меня мной себе"))
#: What makes a question without any other word one about the asker.
_ABOUT = frozenset(terms("about know who обо про знаешь знаете известно кто"))
_EMPTY = frozenset(terms("user am i'm сам сама пользователь пользователе"))


@cache
def asking_terms(home: bool = False) -> frozenset[str]:
    """Stems of all words that ask; ``home``: of the languages :data:`AT_HOME` alone."""
    return frozenset(t for name, words in ASKING.items() if not home or name in AT_HOME for t in terms(words))


def about_self(query_stems: Sequence[str], stop: frozenset[str]) -> bool:
    """Whether a query asks for nothing but what is known of the asker: "what do you know about me?", «кто я?»."""
    asked = set(query_stems)
    rest = asked - stop - _SELF - _ABOUT - _EMPTY - asking_terms(home=True)
    return bool(asked & _SELF) and bool(asked & _ABOUT) and not rest
