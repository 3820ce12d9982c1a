"""Words that say how somebody feels, English and Russian, and what only looks like them: data only, read by :mod:`.feelings`.

``words`` are phrases separated by commas, folded, longest first; ``word*`` is any word that begins so. Every row has an
example, which the tests enumerate.
"""

from __future__ import annotations

from dataclasses import dataclass

from .wording import listed


@dataclass(frozen=True, slots=True)
class Feeling:
    """Phrases of one strength.

    Attributes:
        weight: −1…1. weak: it counts only where nothing technical is spoken of ("the pool is exhausted").
    """

    weight: float
    words: str
    example: str
    weak: bool = False


ENGLISH: tuple[Feeling, ...] = (
    Feeling(
        0.9,
        "love, loved, loves, loving, adore*, over the moon, overjoyed, ecstatic, thrilled, elated, delighted,"
        " in love, couldn't be happier, could not be happier, never been happier, happiest, blissful*, euphoric,"
        " best day of my life, dream come true, cloud nine",
        "We were over the moon when Ida was born",
    ),
    Feeling(
        0.6,
        "happy, happier, happily, happiness, glad, joy, joyful*, joyous, excited, excitedly, excitement, enjoy*, proud,"
        " proudly, grateful, gratitude, thankful, relieved, cheerful*, hopeful, pleased, fond of, passionate about,"
        " can't wait, cannot wait, looking forward, look forward, looks forward, looked forward, smitten, inspired by, feel at home,"
        " guilty pleasure*, what a relief, big relief, huge relief, such a relief, at peace, cherish*, treasure every",
        "I am so grateful to my sister",
    ),
    Feeling(
        0.5,
        "i like, i really like, i also like, i do like, i quite like, i still like, i always liked, i liked, we like,"
        " we really like, we liked, she likes, she liked, he likes, he liked, they like, they liked, likes, content with,"
        " wonderful*, fantastic, lovely, beautiful*, magical, heartwarming, exciting, delightful, having fun, had fun,"
        " so much fun, great fun, blessed, got engaged, got married, gave birth, had a baby, newborn,"
        " got promoted, i got in, in remission",
        "What a wonderful evening it was with the kids",
        weak=True,
    ),
    Feeling(0.3, "favorite, favourite, would love, i'd love, we'd love, she'd love, he'd love", "My favourite aunt lives in Cork"),
    Feeling(
        -0.9,
        "hate, hated, hates, hating, hatred, loathe*, detest*, despise*, abhor*, heartbroken, broke my heart,"
        " breaks my heart, devastated, terrified, miserable, misery, furious, can't stand, cannot stand, couldn't stand, in despair,"
        " desperate, despair, suicidal, traumatized, traumatised, grief, grieving, grieve*, mourn*, hopeless*, worst day"
        " of my life, worst year of my life, panic attack*, in tears, cried myself",
        "She was heartbroken after the funeral",
    ),
    Feeling(
        -0.6,
        "sad, sadder, saddest, saddened, sadness, unhappy, unhappiness, upset, angry, angrily, anger, enraged, mad at,"
        " pissed off, pissed at, afraid, scared, scary, scares, frightened, frightening, fear, fears, feared, dread*,"
        " anxious, anxiety, worried, worries me, worry about, worrying about, nervous, lonely, loneliness, homesick, depressed, depression, depressing,"
        " ashamed, embarrass*, guilty, jealous, envious, envy, disappoint*, frustrat*, irritated, irritates, annoys me, annoyed,"
        " resent*, regret, regrets, regretted, regretting, disgust*, bitter about, fed up, sick of, tired of, stressed, stressful, burned out,"
        " burnt out, hurt my feelings, hurt her feelings, hurt his feelings, hurtful, cry, cries, cried, crying, sobbing,"
        " i miss, we miss, misses, miss you, miss her, miss him, miss them, missed you, missed her, missed him, gets on my nerves,"
        " get on my nerves, drives me crazy, drives me mad, driving me crazy, discouraged, humiliat*, insulted, betrayed, tormented",
        "I have been so lonely since we moved",
    ),
    Feeling(
        -0.5,
        "don't like, doesn't like, didn't like, never liked, dislike, dislikes, disliked, awful*, terrible, terribly,"
        " horrible, horribly, dreadful, nightmare*, devastating, overwhelmed, exhausted, exhausting, annoying, boring, bored, painful*,"
        " in pain, hurts, suffer*, sadly, panicked, panicking, passed away, funeral, miscarriage, laid off, broke up"
        " with, dumped me, divorce*, cheated on, my heart sank, bullied, bullying, lost my job, lost her job, lost his job,"
        " my condolences, on the verge",
        "Grandpa passed away in March",
        weak=True,
    ),
)  # fmt: skip

RUSSIAN: tuple[Feeling, ...] = (
    Feeling(
        0.9,
        "обожа*, в восторге, восторг, восторга, влюблен, влюблена, влюблены, влюбил*, безумно любл*, счастлив, счастлива,"
        " счастливы, счастливее, на седьмом небе, не могу нарадовать*, не нарадую*, не нарадует*, души не чаю, души не чает, вне себя"
        " от счастья, вне себя от радости, лучший день в моей жизни, ликую, ликует",
        "Она на седьмом небе: дочь поступила",
    ),
    Feeling(
        0.6,
        "рад, рада, рады, радость, радости, радостью, радостно, радостн*, радую, радует, радуют, радуюсь, радуется, радуемся, радовал*,"
        " обрадовал*, порадовал*, люблю, любим, любит, любят, любил, любила, любили, полюбил*, счастье, счастья, счастлив*,"
        " горжусь, гордимся, гордится, гордость, горд, горда, восхищ*, вдохновл*, вдохновил*, благодарен, благодарна, благодарны,"
        " наслажд*, жду не дождусь, ждем не дождемся, не могу дождаться, дождаться не могу, жду с нетерпением, с нетерпением жду,"
        " с нетерпением ждем, камень с души, гора с плеч, от души, по душе, дорожу, ура",
        "Мы так рады за Аню",
    ),
    Feeling(
        0.5,
        "нравится, нравятся, нравилось, нравились, нравился, нравилась, понравил*, приятно, весело, веселимся, веселились,"
        " прекрасн*, замечательн*, чудесн*, волшебн*, с удовольствием, удовольствие, душевно, уютно, родился сын, родилась дочь,"
        " родился внук, родилась внучка, сделал предложение, поженились, выздоровел*, выписали домой, повезло",
        "Прекрасный был вечер с друзьями",
        weak=True,
    ),
    Feeling(0.3, "любимый, любимая, любимое, любимые, любимого, любимой", "Моя любимая тетя живет в Пскове"),
    Feeling(
        -0.9,
        "ненавижу, ненавидит, ненавидим, ненавидят, ненавидел*, ненависть, возненавидел*, терпеть не могу, терпеть не может, терпеть не"
        " можем, не переношу, не выношу, на дух не переношу, презира*, в отчаянии, отчаяние, отчаяния, отчаялся, отчаялась, в ужасе, в ярости,"
        " ярость, разбито сердце, сердце разбито, разбил сердце, разбила сердце, рыдал*, рыдаю, рыдает, худший день в моей жизни,"
        " не хочу жить, убит горем, убита горем, убиты горем, скорблю, скорбим, скорбит, паническая атака, панические атаки,"
        " панических атак, безутешн*, осточертел*",
        "Терпеть не могу понедельники",
    ),
    Feeling(
        -0.6,
        "грустно, грустн*, грущу, грустит, грусть, грусти, печальн*, печаль, печали, опечал*, тоскую, тоскует, тоска, тоскливо, скучаю, скучаем, скучает,"
        " соскучил*, одиноко, одинок, одинока, одиночество, одиночества, боюсь, боимся, боится, боятся, боялся, боялась, испугал*,"
        " напугал*, страшно, страх, страхом, тревожно, тревожусь, тревожится, волнуюсь, волнуется, волнуемся, волновал*, переживаю, переживает,"
        " переживаем, переживал*, расстро*, разочаров*, обидно, обидел*, обиделся, обиделась, обижен, обижена, обида, обиды, злюсь, злится, злит, разозлил*, зол"
        " на, зла на, бесит, бесят, бесил*, взбесил*, раздражает, раздражают, раздражал*, раздражен*, надоел*, достало, достали меня, выгорел, выгорела,"
        " выгорание, депресси*, подавлен, подавлена, стыдно, стыжусь, жаль, жалко, сожалею, сожалеет, жалею, жалеет, больно на душе, плачу от, плачет,"
        " плакал*, расплакал*, слезы, в слезах, ревную, ревнует, завидую, завидует, отвращение, отвращения, противно, противен, противна, тошнит от, нервничаю, нервничает,"
        " нервничал*, в стрессе, не люблю, не любит, не любим, не любят, не любил*, разлюбил*, уныние, унываю, мучаюсь, мучается, не рад, не рада, не рады",
        "Мне так одиноко после переезда",
    ),
    Feeling(
        -0.5,
        "не нравится, не нравятся, не нравилось, не понравил*, ужасно, ужасн*, ужас, кошмар, кошмарн*, отвратительн*, скучно, устал, устала,"
        " устали, измотан, измотана, измучен*, больно, мучительно, паника, панике, паникую, паникует, похорон*, умер дедушка, умерла"
        " бабушка, умер папа, умер отец, умерла мама, умерла мать, умер муж, умерла жена, умер брат, умерла сестра, умер друг, умерла подруга,"
        " умерла собака, умер пес, умер кот, умерла кошка, дедушка умер, бабушка умерла, папа умер, отец умер, мама умерла, мать умерла, муж умер,"
        " жена умерла, брат умер, сестра умерла, друг умер, собака умерла, пес умер, кот умер, кошка умерла, не стало деда, не стало дедушки,"
        " не стало бабушки, не стало мамы, не стало папы, не стало отца, развод*, развел*, уволили, сократили меня, рассталась, расстался,"
        " расстались, бросил меня, бросила меня, выкидыш, горе",
        "Осенью не стало бабушки",
        weak=True,
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Guard:
    """Words that sound like a feeling and are none: a pattern on folded lower case, and a sentence without weight."""

    pattern: str
    example: str


GUARDS: tuple[Guard, ...] = (
    Guard(r"\b(?:happy|sad) (?:path|case|flow)s?\b", "The tests cover the happy path only"),
    Guard(r"\b(?:happy|glad|pleased|delighted) to (?:help|assist|hear|see|meet|answer|explain|provide|share|report|announce)\b", "Glad to help with the migration"),
    Guard(r"\bi(?:'m| am) (?:afraid|scared) (?:that|so|not|i|we|you|it|the|there|this)\b", "I'm afraid the port is taken"),
    Guard(r"\b(?:no worries|no fear|don't worry|not to worry|never fear|don't be (?:afraid|sad|upset|scared|shy))\b", "Don't worry about the warning"),
    Guard(r"\bhappy (?:birthday|new year|holidays|easter|anniversary|friday|monday|hour|coding|hacking|meal)\b", "Happy hour is from five to seven"),
    Guard(r"\b(?:love|hate) (?:letter|story|song|language|triangle|speech|seat|island|crime|mail|potion)s?\b", "The model flags hate speech"),
    Guard(r"\bjoy ?(?:stick|con|cons|division)\b", "The joy con drifts"),
    Guard(r"\b(?:the|great|economic|tropical|atmospheric) (?:great )?depression\b|\bdepressed (?:key|button|switch|pedal)s?\b|\b(?:key|button|pedal) is depressed\b", "The Great Depression began in 1929"),
    Guard(r"\b(?:anxiety|depression|stress) (?:dataset|label|corpus|column|table|score|test|tests|testing|corrosion|inventory|scale)s?\b", "The depression scale is column five"),
    Guard(r"\bworry about (?:that|this|it|the (?:warning|error|format|lint|style|version|tests?|cache|order))\b", "You can worry about that later"),
    Guard(r"\bexcited (?:state|electron|atom|level|mode)s?\b|\bstressed (?:syllable|vowel|concrete|skin|member)s?\b", "The excited state decays in 3 ns"),
    Guard(r"\b(?:angry birds|inside out|mad max|desperate housewives|guilty gear|scary movie|lonely planet|love island|boring company|taylor swift)\b", "Angry Birds came out in 2009"),
    Guard(r"\b(?:found|plead(?:s|ed)?|pleads|pleaded|pled|not) guilty\b|\bguilty (?:plea|verdict|party)\b", "The company pleaded guilty"),
    Guard(r"\blikes (?:count|counter|table|column|button|per|on|and (?:shares|comments|dislikes|retweets))\b|\b(?:number|count|thousands?|hundreds?|millions?) of likes\b|\b(?:more|fewer|\d[\d,.]*k?) likes\b", "The post got 200 likes"),
    Guard(r"\b(?:scary|love|hate|joy|fear|anger|sad|happy|excited|cry|crying|angry) (?:emoji|emoticon|smiley|face|label|class|tag|category|button|reaction)s?\b", "The angry emoji is broken on Android"),
    Guard(r"\b(?:user|error|exception|handler|flag|field|column|enum|value) (?:named |called )?(?:happy|sad|love|hate|joy|angry)\b", "The enum value happy is unused"),
    Guard(r"\bfavou?rites?\b(?= (?:list|bar|folder|tab|icon|menu|button|page|table|endpoint))", "The favorite button is grey"),
    Guard(r"\b(?:feel free|i hope|hope you|wish you|hopefully)\b[^.!?]*", "I hope you are happy with the result"),
    Guard(r"\b(?:to my regret|i regret to (?:inform|say)|with regret)\b", "I regret to inform you that the slot is taken"),
    Guard(r"\bбоюсь,? что\b|\bбоюсь,? (?:придется|не|это|тут|здесь|так)\b", "Боюсь, что сборка упадет"),
    Guard(r"\bрад[аы]? (?:помочь|стараться|приветствовать|сообщить|представить|знакомству|видеть|слышать)\b", "Рад помочь с настройкой"),
    Guard(r"\bс радостью (?:помогу|отвечу|подскажу|расскажу)\b|\bс удовольствием (?:помогу|отвечу|подскажу|расскажу)\b", "С радостью помогу с настройкой"),
    Guard(r"\bне (?:переживай(?:те)?|волнуй(?:ся|тесь)|бойся|бойтесь|страшно|жалко|расстраивай(?:ся|тесь)|печаль(?:ся|тесь)|грусти(?:те)?)\b", "Не страшно, поправим завтра"),
    Guard(r"\bжаль,? что (?:нет|не|нельзя)\b(?=[^.!?]*\b(?:api|метод|параметр|флаг|опци|функци|библиотек|сервер|поддержк))", "Жаль, что нет такого флага в библиотеке"),
    Guard(r"\b(?:эмоци[яию]|смайл\w*|эмодзи|класс\w*|метк\w+|тег\w*|пол[ея]) [«\"]?(?:радост\w+|груст\w+|страх\w*|гнев\w*|печал\w+)", "Класс радость встречается редко"),
    Guard(r"\bсчастлив\w+ (?:билет\w*|числ\w+|пут\w+)\b", "В автобусе попался счастливый билет"),
    Guard(r"\b(?:с|за|от) развод\w*\b(?= (?:кабел|провод|плат|труб|сет))|\bразводк\w+\b|\bразводн\w+\b|\bразвел\w* (?:кабел\w*|провод\w*|плат\w*|трасс\w*|раствор\w*|краск\w*|костер\w*)\b", "Разводные мосты закрыты до весны"),
    Guard(r"\bразвел(?:и|а)?сь (?:тараканы|мухи|кролики|ветки|баги)\b", "На кухне развелись тараканы"),
    Guard(r"\b(?:надеюсь|желаю|дай бог)\b[^.!?]*", "Надеюсь, вы рады результату"),
    Guard(r"\bлюбит (?:когда|чтобы|таб|пробел)\w*(?=[^.!?]*\b(?:компилятор|линтер|парсер|формат|скрипт|сервер|json|yaml))|\b(?:компилятор|линтер|парсер|сервер|nginx|yaml|json|make|git|docker) (?:не )?люб\w+", "YAML не любит табуляции"),
    Guard(r"\b(?:compiler|linter|parser|ci|type checker|mypy|ruff|clippy|build|git|docker) (?:is|are|was|will be|stays) (?:now |finally |not |still )?(?:happy|unhappy|sad|upset|angry|mad)\b", "The linter is happy"),
    Guard(r"\b(?:compiler|linter|parser|server|nginx|yaml|json|make|git|docker|bash|python|rust|postgres|terraform|webpack) (?:really |just )?(?:doesn't like|does not like|didn't like|hates|loves|likes|dislikes)\b", "YAML hates tabs"),
)  # fmt: skip

#: What makes the next feeling stronger or weaker, and by how much.
INTENSIFIERS = (
    (1.3, "very so really extremely incredibly absolutely deeply truly totally completely utterly super insanely beyond"
          " terribly awfully most genuinely madly"
          " очень так такой такая такие ужасно страшно дико безумно жутко невероятно крайне глубоко искренне по-настоящему"
          " абсолютно совершенно просто-таки сильно"),
    (0.6, "bit slightly somewhat little rather mildly fairly kinda sorta немного немножко слегка чуть чуть-чуть отчасти"
          " немножечко несколько"),
)  # fmt: skip

#: In a clause with one of these before it, a feeling is supposed, not had.
SUPPOSED = listed("if unless whether suppose imagine если ли бы будто допустим пусть")

#: Words of machines and programs: a sentence with one of them has no weak feelings. ``word*`` as above.
TECHNICAL = """
code codebase panic panics failure* return returns error errors exception exceptions stack trace traceback log logs server servers service services process
processes thread threads build builds compile* test tests testing suite ci pipeline deploy* release commit* branch merge*
repo repository git docker container* kubernetes pod pods cluster database databases db query queries sql index indexes cache cached
memory cpu gpu disk latency throughput performance api apis endpoint endpoints request requests response responses http
https json yaml xml csv html css javascript typescript python rust java golang function functions method methods class
classes variable variables parameter* module modules package packages library libraries framework* dependency dependencies
import imports script scripts config configuration settings install* upgrade* migration* schema table tables column columns
bug bugs crash crashes crashed segfault kernel driver* firmware compiler linter parser regex token tokens model models
dataset datasets embedding* training inference gradient* loss battery app software hardware packet packets socket* port
ports proxy firewall vpn dns ssl tls certificate* timeout* retry retries queue queues worker workers job jobs cron shell bash terminal
cli flag flags env ui ux frontend backend client clients pool quota node nodes device devices router wifi laptop phone printer
код кода коде коду ошибк* исключени* лог логи логах логов сервер* сервис* процесс* поток потока потоков сборк* тест тесты
тестов тестах тестам деплой* релиз* коммит* ветк* репозитор* контейнер* кластер* база базы базе базу баз запрос* индекс* кэш* кеш*
память памяти процессор* диск диска диске задержк* производительност* апи эндпоинт* ответ ответа функци* метод метода
методы класс класса классе переменн* параметр* модул* пакет* библиотек* фреймворк* зависимост* импорт* скрипт* конфиг* настройк*
установк* миграци* схем* таблиц* столб* баг баги багов падени* ядро ядра драйвер* прошивк* компилятор* линтер* парсер* токен*
модел* датасет* обучени* градиент* аккумулятор* приложени* софт железо сокет* порт порта порту прокси таймаут* очеред* воркер*
задач* консол* терминал* флаг флага клиент* ноут* телефон* принтер* роутер* кабел* плат*
"""

#: Signs that speak for themselves.
EMOJI = {
    0.6: "😍🥰😊😁😄🤩🥳❤💖💕🎉😻🤗",
    -0.6: "😢😭😡😠😞😔😟😰😱💔😩😫🤬😿",
}  # fmt: skip
