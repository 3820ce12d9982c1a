"""What a rule may take for a value: cut where the value ends, refused where it is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ...text.analyse import fold
from ...text.names import NOT_NAMES
from ...text.stopwords import STOP_WORDS
from .row import words
from .tools import scope_of

_UPPER = "A-ZÀ-ÖØ-ÞŁŠŽČĆА-ЯЁ"
_ANY = r"\w'&.+#/-"
_NAME_WORD = rf"[{_UPPER}][{_ANY}]*"
#: A capitalised name of up to six words, small words between them.
NAME = (
    rf"{_NAME_WORD}(?: (?:(?:of|the|and|de|la|du|del|von|van|der|di|&|на) )?(?:{_NAME_WORD}|\d{{1,4}}[\w+.-]*)){{0,5}}"
)
_NAMED = re.compile(rf'(?:the |The )?[«"]?({NAME})')
_PERSON = re.compile(rf"({_NAME_WORD}(?: {_NAME_WORD}){{0,3}})")
_GUILLEMETS = re.compile(r"[«\"]([^«»\"\n]{1,60})[»\"]")

#: Words before which a value ends, English and Russian.
_END = re.compile(
    r"\s*(?:,(?!\d{3}\b)|[;:!?()]|\.\s|\s[—-]+\s|\s(?:because|since|so|but|which|who|whom|that|when|whenever|while|if|where|although|though|"
    r"as|and (?:i|it|it's|we|he|she|they|my|im|i'm|was|is|am|then|now|have|had|just|never|need|want|looking|do|not|all|there|this|that|his|her|their|our)|"
    r"or so|hence|thus|anyway|btw|lol|haha|please|pls|thanks|thank|to be honest|tbh|especially|like|even|rather|instead|according|they|i|i'm|you|it|we|he|she)(?=\s|$)|"
    r"\s(?:потому|так как|поэтому|чтобы|что|который|которая|которое|которые|где|когда|если|но|а|хотя|ведь|и (?:я|мы|он|она|у меня|мне|это|теперь|так|там|тут|не|потом)|"
    r"пожалуйста|плиз|кстати|короче|вместо|так что|зато|как)(?=\s|$)).*",
    re.I | re.S,
)
#: Fillers that trail behind a value.
_TRAIL = re.compile(
    r"\s*\b(?:now|right now|these days|nowadays|a while (?:back|ago)|ages ago|in the (?:mornings?|evenings?|afternoons?)|at the moment|currently|too|as well|also|again|already|actually|really|obviously|"
    r"honestly|anymore|any more|any longer|yet|still|though|lately|recently|at all|a lot|so much|very much|the most|most of all|"
    r"by the way|for now|for good|full[- ]time|part[- ]time|here|there|today|today's|tho|haha|lol|btw|ok|okay|right|in general|"
    r"for (?:a|an|\d+|about|over|almost|nearly|two|three|four|five|six|seven|eight|nine|ten|many|several|the past|the last|years|months|ages|over|around|some|quite)\b.*|"
    r"every(?: single)? day|all the time|"
    r"сейчас|теперь|уже|тоже|также|пока|ещё|еще|очень|сильно|вообще|просто|наконец|тут|здесь|там|снова|опять|на данный момент|"
    r"в последнее время|кстати|если что|больше|больше всего|всегда|обычно|по жизни|с детства|давно|до сих пор|и всё|и все|"
    r"(?:уже )?(?:два|три|четыре|пять|шесть|семь|восемь|девять|десять|полтора|пару|несколько|\d{1,2}|второй|третий|первый|четвёртый|пятый) (?:год|года|лет|месяц|месяца|месяцев|недел\w+|день|дня|дней)|"
    r"(?<!в )(?:уже )?(?:год|месяц|неделю|полгода))\s*$",
    re.I,
)
_LEAD = re.compile(
    r"^(?:a bit of|a lot of|lots of|some|any|all|mostly|mainly|just|really|very|pretty|actually|basically|both|only|also|now|like|"
    r"очень|только|просто|всякие|всякую|всякий|эти|этот|эту|сейчас|теперь|уже|разные|в основном|тоже)\s+",
    re.I,
)
_ARTICLE = re.compile(r"^(?:an?|the|my|our)\s+", re.I)
_PRONOUNS = words("""
it this that these those them him her you me us myself yourself itself what how who where when why which one
everything anything something nothing someone everyone anyone nobody there here doing being having seeing
hearing knowing это этот эта эти этого этому то тот та те того его её ее их ему ей им вас вам тебя тебе ты вы
меня мне нас что как кто всё все так такое такой такие такая ничего никого кого чего чем сам сама себя себе
""")
_NO_PLACE = words("""
home fear hope peace harmony hell heaven person general fact love poverty silence sync terms the past future
moment denial luxury comfort theory practice limbo shock pain bed progress touch мире страхе надежде интернете
кровати доме
""")
_PLACE_NOUN = re.compile(
    r"\b(?:village|town|city|suburbs?|countryside|apartment|flat|house|studio|farm|condo|dorm|cabin|bungalow|loft|mountains|"
    r"island|district|neighbou?rhood|дерев\w+|сел[оеа]|посёл\w+|город\w*|пригород\w*|квартир\w+|дом\w*|общежити\w+|студи\w+|"
    r"район\w*|центр\w*)\b",
    re.I,
)
_ORG_NOUN = re.compile(
    r"\b(?:company|startup|start-up|bank|hospital|school|firm|agency|university|clinic|studio|college|restaurant|shop|store|"
    r"library|lab|laboratory|museum|factory|warehouse|nonprofit|ngo|office|hotel|bakery|pharmacy|cafe|practice|"
    r"компани\w+|стартап\w*|банк\w*|больниц\w+|школ\w+|фирм\w+|агентств\w+|университет\w*|институт\w*|клиник\w+|студи\w+|завод\w*|"
    r"магазин\w*|библиотек\w+|музе\w+|лаборатори\w+|редакци\w+|гостиниц\w+|ресторан\w*|кафе|аптек\w+|поликлиник\w+)\b",
    re.I,
)
ROLE_STOP = re.compile(r"\s+(?:at|for|in|with|from|on|near|by|who|and|в|во|на|у|из|и)\s.*", re.I)
_ROLES = re.compile(
    r"(?:\w+(?:er|tor|sor|ist|ian|eer|yst|tant|woman|wright|smith|grapher|logist)|fireman|postman|salesman|policeman|handyman|chairman|"
    r"waitress|actress|superintendent|correspondent|agent|resident|nurse|chef|cook|pilot|lawyer|lead|cto|ceo|cfo|coo|"
    r"intern|devops|sre|pm|qa|dev|head|vet|mechanic|clerk|coach|guide|judge|priest|nanny|barista|architect|freelance|"
    r"freelancer|student|postdoc|phd student|journalist|analyst|founder|co-founder|director|vp|principal|monk|maid|officer|"
    r"admin|sysadmin|executive|paramedic|au pair|tech|apprentice|trainee|editor-in-chief|copywriter|surgeon|farmer)s?",
    re.I,
)
_NOT_ROLES = words("""
never ever other bigger better older younger longer sooner winter summer letter number paper computer member
owner user lover believer beginner newcomer morning later stranger outsider loser sucker fan fighter hater early
person human man woman parent patient different important current recent adult independent pregnant content
present absent silent confident newer partner poor sister brother mother father daughter runner gamer customer teenager
""")


def trimmed(text: str, limit: int = 9) -> str:
    """A value up to where the clause goes on to something else, without fillers around it."""
    text = " ".join(_END.sub("", " " + text[:300]).split()).strip(" ,.—-–!")
    for _ in range(3):
        shorter = _TRAIL.sub("", text).strip(" ,.—-")
        if shorter == text or not shorter:
            break
        text = shorter
    text = _LEAD.sub("", text)
    return text if 0 < len(text.split()) <= limit else ""


def usable(text: str) -> bool:
    """Whether a phrase can stand as a value: no pronoun, no blank to fill in, nothing that only points elsewhere."""
    words = text.split()
    first = fold(words[0].strip("'\"«»")) if words else ""
    if words and fold(words[-1]) in (
        "one",
        "ones",
        "there",
        "here",
        "it",
        "them",
        "that",
        "this",
        "and",
        "or",
        "to",
        "the",
        "a",
        "там",
        "тут",
        "это",
        "и",
    ):
        return False
    return bool(words) and first not in _PRONOUNS and "\ufffc" not in text and "_" * 2 not in text and "[" not in text


def thing(text: str) -> str:
    """Any noun phrase of up to nine words."""
    text = trimmed(text)
    if re.search(r"(?:^| )(?:is|are|was|were) ", text):
        return ""  # a sentence, no phrase
    text = _ARTICLE.sub("", text) if text.lower().startswith(("a ", "an ", "the ")) else text
    return text if len(text) > 1 and usable(text) else ""


def short(text: str) -> str:
    """A noun phrase of up to four words."""
    text = thing(text)
    return text if len(text.split()) <= 4 else ""


def named(text: str) -> str:
    """A capitalised name at the beginning."""
    if quoted := _GUILLEMETS.match(text):
        return quoted[1]
    match = _NAMED.match(text)
    if not match:
        return ""
    name = re.sub(r"'s$", "", match[1].strip(" .,'"))
    words = name.split()
    while words and (fold(words[-1]) in NOT_NAMES):
        words.pop()
    return " ".join(words) if words and fold(words[0]) not in NOT_NAMES and fold(words[0]) not in STOP_WORDS else ""


def place(text: str) -> str:
    """A place: a name with what follows it ("Portland, Oregon"), small letters if short, or a kind of place."""
    if name := named(text):
        rest = text.split(name, 1)[1]
        more = re.match(rf", ({NAME})$", rest.strip(" .") if rest.startswith(",") else "")
        return f"{name}, {more[1]}" if more else name
    text = trimmed(text, 7)
    words = text.split()
    if not words or not usable(text) or fold(words[0]) in ("my", "мой", "моем", "моей"):
        return ""
    if _PLACE_NOUN.search(text) and not re.search(r"\bcity of\b", text):
        return text
    small = [fold(w) for w in words]
    if (
        len(words) <= 2
        and not set(small) & _NO_PLACE
        and small[0] not in STOP_WORDS
        and text.replace(" ", "").isalpha()
    ):
        return text
    return ""


def organisation(text: str) -> str:
    """A firm, school or the like."""
    if name := named(text):
        return name
    text = trimmed(text, 7)
    words = text.split()
    if not words or not usable(text):
        return ""
    if _ORG_NOUN.search(text):
        return _ARTICLE.sub("", text)
    small = [fold(w) for w in words]
    fits = (
        small[0] not in STOP_WORDS
        and small[0] not in _NO_PLACE
        and small[0] not in ("night", "least", "first", "once", "work")
    )
    return text if len(words) == 1 and fits and len(text) > 2 and text.replace("-", "").isalnum() else ""


def person(text: str) -> str:
    """A person's name: one to four capitalised words."""
    match = _PERSON.match(text.strip("«»\"' "))
    if not match:
        return ""
    words = [w for w in match[1].strip(" .,'-").split() if w]
    while words and fold(words[-1]) in NOT_NAMES:
        words.pop()
    name = " ".join(words)
    name = re.sub(r"'s$", "", name)
    return name if len(name) > 1 and fold(words[0]) not in NOT_NAMES and fold(words[0]) not in STOP_WORDS else ""


def role(text: str) -> str:
    """An occupation, English: known by its ending or its word."""
    text = _ARTICLE.sub("", trimmed(ROLE_STOP.sub("", " " + text).strip(), 5))
    words = text.split()
    if (
        not words
        or not usable(text)
        or not all(w.replace("-", "").replace("/", "").replace("'", "").isalnum() for w in words)
    ):
        return ""
    last = fold(words[-1])
    if len(words) > 5 or any(
        fold(word) in STOP_WORDS for word in words if fold(word) not in ("of", "in", "it", "it's")
    ):
        return ""
    return (
        text
        if _ROLES.fullmatch(last) and last not in _NOT_ROLES and fold(words[0]) not in ("not", "never", "big", "huge")
        else ""
    )


def number(text: str) -> str:
    """A number with its unit."""
    match = re.match(r"[€$£~]?\d[\d.,:]*\s?(?:k|m|тыс\w*|млн|%|[€$£₽])?(?:\s?[\w€$£₽%/]+){0,3}", text.strip())
    return match[0].strip(" .,") if match else ""


def measure(text: str) -> str:
    """Whatever a property may be: a number, a date, a name; not a sentence."""
    if url := re.match(r"https?://\S+", text):
        return url[0].rstrip(".,;")
    text = trimmed(text, 7)
    if not usable(text) or re.match(
        r"(?:not|very|too|so|really|a bit|still|being|going|gone|the same|не|очень|слишком)\b", text, re.I
    ):
        return ""
    return (
        text
        if re.search(r"\d|://", text)
        or named(text)
        or re.match(
            r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|next|end of|понедельник|вторник|сред|четверг|пятниц|суббот|воскресень|завтра|конец|следующ)",
            text,
            re.I,
        )
        else ""
    )


def age(text: str) -> str:
    """Years of life: 1 to 120."""
    match = re.match(
        r"(\d{1,3})\b(?!\s*(?:minutes?|min|мин|%|weeks?|days?|hours?|months?|k\b|км|кг|час|дн|недел|месяц|раз))", text
    )
    if match:
        return match[1] if 0 < int(match[1]) <= 120 else ""
    return text.strip() if re.fullmatch(r"[а-яё ]{3,30}|[a-z -]{3,20}", text.strip()) else ""


def clause(text: str) -> str:
    """What follows, whole: a condition, a decision, a command. Up to sixteen words."""
    text = " ".join(text.split()).strip(" ,.;!")
    return text if 0 < len(text.split()) <= 16 and usable(text) else ""


_PROGRAM = re.compile(
    r"(?:sudo |[A-Z_]+=\S+ )*(?:make|npm|pnpm|yarn|npx|uv|uvx|poetry|pdm|hatch|cargo|go|docker(?:-compose)?|podman|tox|nox|just|task|pytest|python3?|"
    r"bun|deno|node|gradle|\./[\w./-]+|mvn|bazel|kubectl|helm|terraform|pip|pipx|git|gh|bash|sh|ruff|mypy|fly|flyctl|ansible-playbook|alembic|"
    r"django-admin|flask|uvicorn|gunicorn|celery|rails|rake|bundle|mix|dotnet|composer|php|systemctl|service|brew|apt|apt-get|ssh|scp|rsync|curl|"
    r"psql|pg_dump|mysql|sqlite3|redis-cli|aws|gcloud|az|heroku|vercel|netlify|wrangler|supabase|prisma|jest|vitest|playwright|cypress|eslint|"
    r"black|mnemic|tsc|vite|webpack|swift|xcodebuild|flutter|dart|ctest|cmake|ninja|conda|jupyter|mkdocs|hugo|jekyll|nix|crontab|chmod|chown|export)(?: |$)"
)


def command(text: str) -> str:
    """A command line: it begins with a program."""
    quoted = re.match(r"`([^`\n]{2,160})`", text)
    text = quoted[1] if quoted else " ".join(text.split()).strip(" ,.;!")
    sure = _PROGRAM.match(text) and (quoted or re.fullmatch(r"[\w./=@:+-]+(?: +[\w./:=@+,-]+)*", text))
    return text if sure and len(text) <= 160 and (quoted or " " in text) and len(text.split()) < 14 else ""


#: Languages people speak, as English writes them, and those the endings do not tell.
LANGUAGE = re.compile(
    r"(?:[a-z]{3,}(?:ish|ian|ese|ean)|german|french|dutch|greek|hindi|urdu|tamil|telugu|bengali|arabic|hebrew|thai|farsi|swahili|"
    r"catalan|basque|czech|slovak|icelandic|gaelic|welsh|mandarin|cantonese|tagalog|punjabi|marathi|malay|korean|latin|"
    r"esperanto|pashto|somali|yoruba|igbo|zulu|afrikaans|uzbek|kazakh|tatar|georgian|sign language|asl|[а-яё]+[сц]ки[йм]|иврит|хинди|фарси|урду|"
    r"эсперанто|латынь)",
    re.I,
)
_NO_LANGUAGE = words("rubbish nonsense parish vanish finish publish british spanglish")


def language(text: str) -> str:
    """A language that people speak; a list of them stays a list for :func:`parts`."""
    found = [part for part in parts(text) if LANGUAGE.fullmatch(part) and part.lower() not in _NO_LANGUAGE]
    return ", ".join(found)


def bodypart(text: str) -> str:
    """A part of the body without its owner."""
    return re.sub(r"^(?:my|his|her|their|свою|свой|себе) ", "", trimmed(text, 4), flags=re.I)


def plan(text: str) -> str:
    """What one means to do."""
    text = trimmed(text, 12)
    return text if len(text.split()) > 1 or text in ("retire", "launch", "quit", "move", "release") else ""


_TOOL_END = re.compile(
    r"(?<=\S)\s+(?:for|as|to|on|in|at|with|from|via|when|every|by|under|during|of|about|around|не|для|на|в|во|под|как|с|со|из|по|через|уже|при|у)\s.*",
    re.I | re.S,
)


def tool(text: str) -> str:
    """A tool, a material, a product: a name, or at most three words."""
    text = re.sub(r"^(?:the|an?|our|my) ", "", trimmed(_TOOL_END.sub("", " " + text), 5), flags=re.I).replace("`", "")
    if not usable(text) or text.lower() in ("time", "work", "code", "words", "more", "less", "love", "caution"):
        return ""
    if name := named(text):
        return name if text.startswith((name, "«")) else text
    return text if len(text.split()) <= 3 else ""


_TOOL_WORDS = words("""
docker kubernetes k8s redis terraform ansible python rust golang go java kotlin typescript javascript react vue
svelte angular django flask fastapi rails spring laravel nginx apache caddy celery pytest tox nox poetry uv pip
npm pnpm yarn webpack vite make cmake bazel git github gitlab jira linear figma slack zoom notion obsidian
airtable pandas numpy polars pytorch tensorflow keras grafana prometheus sentry datadog graphql grpc rest kafka
spark airflow dbt snowflake bigquery supabase firebase vercel netlify heroku aws gcp azure cloudflare линукс
питон докер редис кафка постгрес линукс джира джиру гит гитлаб гитхаб терраформ фигму фигма ноушен обсидиан
""")


def known_tool(text: str) -> str:
    """A tool told by how it is written (a capital, a digit, backticks) or by its name."""
    text = tool(text)
    sure = re.search(r"[A-Z0-9]", text) or scope_of(text) or fold(text.split(" ")[0] if text else "") in _TOOL_WORDS
    return text if text and sure and "/" not in text[:3] else ""


_NO_TOWN = words(
    "january february march april may june july august september october november december love ci prod qa it hr"
)


def town(text: str) -> str:
    """A place named in passing: "I'm in Lisbon"."""
    name = named(text)
    return name if fold(name) not in _NO_TOWN and not name.isupper() else ""


def software(text: str) -> str:
    """A tool with a capital, where the words around it leave little else."""
    name = named(text)
    weekday = fold(name.split(" ")[0]) in NOT_NAMES if name else True
    return (
        ""
        if weekday or fold(name) in ("pto", "english", "german", "french", "spanish", "russian", "project", "team")
        else name
    )


_SMALL_NUMBERS = words("""
two three four five six seven eight nine ten twelve два две три четыре пять шесть семь восемь девять десять
двенадцать
""")


def number_word(text: str) -> str:
    """A number in digits or, up to twelve, in a word."""
    return text if text.lower() in _SMALL_NUMBERS else number(text)


def version(text: str) -> str:
    """A version number."""
    return text.strip(" .,").removeprefix("v") if re.match(r"v?\d", text) else ""


def decision(text: str) -> str:
    """What was decided: "to drop webhooks" → "drop webhooks"."""
    text = re.sub(r"^(?:to|on|that) ", "", " ".join(text.split()).strip(" ,.;!"))
    text = re.sub(r",? (?:so|because|which|and i|but|since|после|потому|так что)\b.*$", "", text)
    return (
        text
        if (1 < len(text.split()) <= 14 or named(text))
        and not re.search(r" (?:it|that|this|them|him|her)$|^(?:it|this|that)$", text)
        else ""
    )


def condition(text: str) -> str:
    """The circumstance in which something breaks."""
    text = clause(re.sub(r"^(?:the|a|an) ", "", text))
    return text if len(text) > 3 else ""


def is_software(text: str) -> bool:
    """Whether a name is that of a well-known tool: one moves to Mattermost otherwise than to Porto."""
    return bool(scope_of(text)) or fold(text.split(" ")[0] if text else "") in _TOOL_WORDS


_NO_PRODUCT = words("""
mom mum dad mother father sister brother wife husband boss god english french german spanish russian monday tuesday wednesday thursday friday
saturday sunday january february march april may june july august september october november december github linkedin twitter facebook
instagram spotify netflix google amazon python java javascript react aunt uncle grandma grandpa phd api cv ceo
""")


def product(text: str) -> str:
    """A device or the like by its name, after "my"."""
    name = named(text)
    return (
        name
        if name and fold(name.split(" ")[0]) not in _NO_PRODUCT and not is_software(name) and re.search(r"\d| ", name)
        else ""
    )


def allergen(text: str) -> str:
    """What somebody is allergic to, said alone; "no" is none."""
    text = short(text)
    return (
        ""
        if fold(text.split(" ")[0] if text else "")
        in ("no", "none", "nope", "nothing", "not", "yes", "нет", "да", "ничего")
        else text
    )


def named_thing(text: str) -> str:
    """A make or model: a name that is no place or person by its article."""
    return named(_ARTICLE.sub("", text))


def general(text: str) -> str:
    """Part of a general statement."""
    return " ".join(text.split()).strip(" ,.;!")


_LIST = re.compile(r"\s*,\s*(?:and|or|и)?\s*|\s+(?:and|&|plus|и)\s+", re.I)


def parts(text: str) -> list[str]:
    """The members of a list: "English, German and Tamil"."""
    return [part for part in _LIST.split(text) if part]


#: Name of a kind → what reads a value of it; those of Russian are in :data:`~.values_russian.KINDS`.
KINDS: Mapping[str, Callable[[str], str]] = {
    "thing": thing,
    "short": short,
    "name": named,
    "place": place,
    "org": organisation,
    "person": person,
    "role": role,
    "number": number,
    "measure": measure,
    "age": age,
    "clause": clause,
    "command": command,
    "language": language,
    "tool": tool,
    "plan": plan,
    "town": town,
    "software": software,
    "number_word": number_word,
    "known_tool": known_tool,
    "version": version,
    "decision": decision,
    "condition": condition,
    "named_thing": named_thing,
    "allergen": allergen,
    "product": product,
    "general": general,
    "bodypart": bodypart,
}
