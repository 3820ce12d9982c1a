"""Names and their endings as data: Russian given names and how they decline, English short names, letters.

:mod:`mnemic.text.name_forms` gives them meaning. Everything here is folded: lower case, ``ё`` written ``е``.
"""

from __future__ import annotations

from dataclasses import dataclass

# -- Russian given names ----------------------------------------------------------------------------------------------

#: One name a line: the full name, "=" its other spellings, the gender, the short names. A short name may stand under
#: several full names («Саша»), of both genders.
RUSSIAN_NAMES = """
александр m: саша саня шура санек сашка сашенька шурик сашуля саныч
алексей m: леша алеша леха лешка лешенька алешка
анатолий m: толя толик толян
андрей m: андрюша дрюня андрюха андрюшка
антон m: тоша антоша антошка тоха
аркадий m: аркаша кеша
арсений m: сеня арсюша
артем=артемий m: тема артемка темыч
артур m: артурчик
богдан m: богдаша даня бодя
борис m: боря борька боренька борян
вадим m: вадик дима вадька
валентин m: валя валик валька
валерий m: валера валерка валерик
василий m: вася васька васенька васек
виктор m: витя витька витенька витек витюша
виталий m: виталик виталя витя
владимир m: вова володя вовка вован вовочка володька влад
владислав m: влад владик слава владька
всеволод m: сева
вячеслав m: слава славик славка
геннадий m: гена генка генаша
георгий m: гоша жора гога гера жорик гошка
герман m: гера
глеб m: глебушка глебчик
григорий m: гриша гришка гришаня
даниил=данил=данила=даниэль m: даня данька данилка
денис m: дениска ден дэн
дмитрий=димитрий m: дима митя димка димон димочка митька дмитрик
евгений m: женя женька жека женечка
егор m: егорка гоша егорушка жора
ефим m: фима
захар m: захарка
иван m: ваня ванька ванечка ванюша
игнат=игнатий m: игнаша
игорь m: игорек гоша гарик игореша
илья m: илюша илюха илюшка
иннокентий m: кеша
кирилл m: кирюша киря кирюха
константин m: костя костик костян костенька котя
лев m: лева левушка левка
леонид m: леня ленька
макар m: макарка
максим m: макс максимка максик максюша
марк m: марик
матвей m: мотя матвейка
мирон m: мироша
михаил m: миша мишка мишаня миха мишенька
никита m: никитка никитос ник
николай m: коля колька колян коленька николаша
олег m: олежка олежек олежа олежик
павел m: паша пашка пашенька павлик павлуша
петр m: петя петька петенька петруха
платон m: платоша тоша
прохор m: проша
ратмир m: ратик
ринат=ренат m: ринатик
родион m: родя родик
роман m: рома ромка ромочка ромчик
руслан m: русик руслик
ростислав m: ростик слава
савва=савелий m: сава савушка
святослав m: свят слава святик
семен m: сема сеня семка
сергей m: сережа серега сережка серый серж
станислав m: стас стасик слава стасян
степан m: степа степка степаша
тарас m: тарасик
тимофей m: тима тимоша тимка
тимур m: тимурчик тима
федор m: федя федька феденька
филипп m: филя филька филиппок
эдуард m: эдик эдя эд
юрий m: юра юрка юрик юрочка
яков m: яша яшка
ян m: яник
ярослав m: ярик слава яря славик
азат m: азатик
айдар m: айдарчик
рустам m: рустик рустамчик
тигран m: тигранчик
александра f: саша саня шура сашка сашенька аля алекса
алина f: аля алинка алиночка лина
алиса f: алиска алисочка лиса
алла f: аллочка алка
анастасия f: настя настенька настюша ася стася настька
ангелина f: геля лина ангелинка
анна f: аня анюта нюра анька анечка аннушка нюта ася
антонина f: тоня тонечка тонька
арина f: ариша аришка
валентина f: валя валечка валюша валька
валерия f: лера лерочка лерка
варвара f: варя варенька варька
василиса f: вася василиска
вера f: верочка верка веруня
вероника f: ника вероничка
виктория f: вика викуля викуся викочка
галина f: галя галка галочка галинка
дарья=дария f: даша дашенька дашка дашуля
диана f: дианочка дина
ева f: евочка
евгения f: женя женька женечка
екатерина f: катя катюша катенька катька катерина катюха
елена f: лена леночка ленка алена ленуся еленочка
елизавета f: лиза лизочка лизка лизавета
жанна f: жанночка
зинаида f: зина зиночка
злата f: златочка
зоя f: зоенька зойка
инна f: инночка инка
ирина f: ира ирочка ирка иришка ириша
камилла=камила f: камилка
карина f: кариночка кара
кира f: кирочка кирка
клавдия f: клава клавочка
кристина f: кристя кристинка крис
ксения f: ксюша ксюха ксюшенька
лариса f: лара лариска ларочка
лидия f: лида лидочка лидка
лилия f: лиля лилечка
любовь f: люба любочка любаша любка
людмила f: люда люся мила людочка людка
маргарита f: рита марго риточка ритка
марина f: маринка мариночка мариша
мария=марья f: маша маруся машенька машка машуля маня
милана f: мила миланочка
надежда f: надя наденька надюша надька
наталья=наталия f: наташа наташка ната наташенька таша
нина f: ниночка нинка
оксана f: ксюша оксанка ксана
олеся f: леся олеська
ольга f: оля оленька олечка олька
полина f: поля полинка полиночка
раиса f: рая раечка
регина f: регинка гина
римма f: риммочка
роза f: розочка
светлана f: света светочка светик светка лана
софья=софия f: соня сонечка софа сонька
таисия f: тая тася таечка
тамара f: тома тамарочка томочка
татьяна f: таня танечка танюша танька
ульяна f: уля ульянка улечка
элеонора f: нора эля
эльвира f: эля эльвирка
эмилия f: эмиля
юлия f: юля юленька юлька юлечка
яна f: яночка янка
ярослава f: яся слава
"""


@dataclass(frozen=True, slots=True)
class Pattern:
    """How words of one ending decline.

    Attributes:
        ending: of the nominative; the longest one that fits wins. genders: whose names these are.
        forms: endings in place of it: genitive, dative, accusative, instrumental, prepositional, vocative
            ("/" between equals, "-" none: the bare stem, "" no such form).
        example: a name and all its forms in this order, as the test wants them.
    """

    ending: str
    genders: str
    forms: tuple[str, str, str, str, str, str]
    example: str


#: «С» in an ending stands for any consonant, «Ш» for г к х ж ш ч щ, «Ж» for ж ш ч щ ц; they belong to the stem.
GIVEN_PATTERNS: tuple[Pattern, ...] = (
    Pattern("авел", "m", ("авла", "авлу", "авла", "авлом", "авле", ""), "павел павла павлу павла павлом павле"),
    Pattern("лев", "m", ("льва", "льву", "льва", "львом", "льве", ""), "лев льва льву льва львом льве"),
    Pattern("ек", "m", ("ька", "ьку", "ька", "ьком", "ьке", ""), "игорек игорька игорьку игорька игорьком игорьке"),
    Pattern("жек", "m", ("жка", "жку", "жка", "жком", "жке", ""), "олежек олежка олежку олежка олежком олежке"),
    Pattern("ок", "m", ("ка", "ку", "ка", "ком", "ке", ""), "филиппок филиппка филиппку филиппка филиппком филиппке"),
    Pattern("С", "m", ("а", "у", "а", "ом", "е", ""), "иван ивана ивану ивана иваном иване"),
    Pattern("Ж", "m", ("а", "у", "а", "ем/ом", "е", ""), "саныч саныча санычу саныча санычем/санычом саныче"),
    Pattern("ий", "m", ("ия", "ию", "ия", "ием", "ии", ""), "юрий юрия юрию юрия юрием юрии"),
    Pattern("ый", "m", ("ого", "ому", "ого", "ым", "ом", ""), "серый серого серому серого серым сером"),
    Pattern("й", "m", ("я", "ю", "я", "ем", "е", ""), "андрей андрея андрею андрея андреем андрее"),
    Pattern("ь", "m", ("я", "ю", "я", "ем", "е", ""), "игорь игоря игорю игоря игорем игоре"),
    Pattern("ь", "f", ("и", "и", "ь", "ью", "и", ""), "любовь любови любови любовь любовью любови"),
    Pattern("а", "mf", ("ы", "е", "у", "ой/ою", "е", "-"), "вова вовы вове вову вовой/вовою вове вов"),
    Pattern("Ша", "mf", ("и", "е", "у", "ой/ою", "е", "-"), "вика вики вике вику викой/викою вике вик"),
    Pattern("Жа", "mf", ("и", "е", "у", "ей/ею/ой", "е", "-"), "саша саши саше сашу сашей/сашею/сашой саше саш"),
    Pattern("я", "mf", ("и", "е", "ю", "ей/ею", "е", "ь"), "ваня вани ване ваню ваней/ванею ване вань"),
    Pattern("ья", "mf", ("ьи", "ье", "ью", "ьей/ьею", "ье", ""), "дарья дарьи дарье дарью дарьей/дарьею дарье"),
    Pattern("ия", "f", ("ии", "ии", "ию", "ией/иею", "ии", ""), "мария марии марии марию марией/мариею марии"),
    Pattern("оя", "f", ("ои", "ое", "ою", "оей/оею", "ое", "ой"), "зоя зои зое зою зоей/зоею зое зой"),
    Pattern("ая", "f", ("аи", "ае", "аю", "аей/аею", "ае", "ай"), "рая раи рае раю раей/раею рае рай"),
)

# -- Russian surnames and patronymics ---------------------------------------------------------------------------------

#: As above. A surname in -ов, -ин, -ский, -ой has a form for women, which stands in a row of its own. «-о», «-их» do
#: not decline, and the words of :data:`PLAIN_PATTERNS` only where another word says that this is a case form.
SURNAME_PATTERNS: tuple[Pattern, ...] = (
    *(
        Pattern(
            f"{end}в", "m", (f"{end}ва", f"{end}ву", f"{end}ва", f"{end}вым", f"{end}ве", ""),
            f"{stem}{end}в {stem}{end}ва {stem}{end}ву {stem}{end}ва {stem}{end}вым {stem}{end}ве",
        )
        for end, stem in (("о", "иван"), ("е", "андре"))
    ),
    *(
        Pattern(
            f"{end}ва", "f", (f"{end}вой/{end}вою", f"{end}вой/{end}вою", f"{end}ву", f"{end}вой/{end}вою", f"{end}вой", ""),
            f"{stem}{end}ва {stem}{end}вой/{stem}{end}вою {stem}{end}вой/{stem}{end}вою {stem}{end}ву "
            f"{stem}{end}вой/{stem}{end}вою {stem}{end}вой",
        )
        for end, stem in (("о", "иван"), ("е", "андре"))
    ),
    *(
        Pattern(
            f"{end}н", "m", (f"{end}на", f"{end}ну", f"{end}на", f"{end}ным", f"{end}не", ""),
            f"{stem}{end}н {stem}{end}на {stem}{end}ну {stem}{end}на {stem}{end}ным {stem}{end}не",
        )
        for end, stem in (("и", "никит"), ("ы", "синиц"))
    ),
    *(
        Pattern(
            f"{end}на", "f", (f"{end}ной/{end}ною", f"{end}ной/{end}ною", f"{end}ну", f"{end}ной/{end}ною", f"{end}ной", ""),
            f"{stem}{end}на {stem}{end}ной/{stem}{end}ною {stem}{end}ной/{stem}{end}ною {stem}{end}ну "
            f"{stem}{end}ной/{stem}{end}ною {stem}{end}ной",
        )
        for end, stem in (("и", "никит"), ("ы", "синиц"))
    ),
    Pattern("ский", "m", ("ского", "скому", "ского", "ским", "ском", ""),
            "покровский покровского покровскому покровского покровским покровском"),
    Pattern("цкий", "m", ("цкого", "цкому", "цкого", "цким", "цком", ""),
            "высоцкий высоцкого высоцкому высоцкого высоцким высоцком"),
    Pattern("ской", "m", ("ского", "скому", "ского", "ским", "ском", ""),
            "донской донского донскому донского донским донском"),
    Pattern("ская", "f", ("ской/скою", "ской/скою", "скую", "ской/скою", "ской", ""),
            "покровская покровской/покровскою покровской/покровскою покровскую покровской/покровскою покровской"),
    Pattern("цкая", "f", ("цкой/цкою", "цкой/цкою", "цкую", "цкой/цкою", "цкой", ""),
            "высоцкая высоцкой/высоцкою высоцкой/высоцкою высоцкую высоцкой/высоцкою высоцкой"),
    Pattern("ович", "m", ("овича", "овичу", "овича", "овичем", "овиче", ""),
            "иванович ивановича ивановичу ивановича ивановичем ивановиче"),
    Pattern("евич", "m", ("евича", "евичу", "евича", "евичем", "евиче", ""),
            "андреевич андреевича андреевичу андреевича андреевичем андреевиче"),
    Pattern("ьич", "m", ("ьича", "ьичу", "ьича", "ьичем/ьичом", "ьиче", ""),
            "ильич ильича ильичу ильича ильичем/ильичом ильиче"),
    Pattern("овна", "f", ("овны", "овне", "овну", "овной/овною", "овне", ""),
            "петровна петровны петровне петровну петровной/петровною петровне"),
    Pattern("евна", "f", ("евны", "евне", "евну", "евной/евною", "евне", ""),
            "сергеевна сергеевны сергеевне сергеевну сергеевной/сергеевною сергеевне"),
    Pattern("ична", "f", ("ичны", "ичне", "ичну", "ичной/ичною", "ичне", ""),
            "ильинична ильиничны ильиничне ильиничну ильиничной/ильиничною ильиничне"),
)  # fmt: skip

#: Endings of other words used as names («Брак», «Сорока», «Толстой»): read only beside a word that shows the case.
PLAIN_PATTERNS: tuple[Pattern, ...] = (
    Pattern("ец", "m", ("ца", "цу", "ца", "цом/цем", "це", ""), "жванец жванца жванцу жванца жванцом/жванцем жванце"),
    Pattern("С", "m", ("а", "у", "а", "ом", "е", ""), "брак брака браку брака браком браке"),
    Pattern("Ж", "m", ("а", "у", "а", "ем/ом", "е", ""), "баркач баркача баркачу баркача баркачем/баркачом баркаче"),
    Pattern("ой", "m", ("ого", "ому", "ого", "ым", "ом", ""), "толстой толстого толстому толстого толстым толстом"),
    Pattern("ый", "m", ("ого", "ому", "ого", "ым", "ом", ""), "белый белого белому белого белым белом"),
    Pattern("Ший", "m", ("ого", "ому", "ого", "им", "ом", ""), "горький горького горькому горького горьким горьком"),
    Pattern("ай", "m", ("ая", "аю", "ая", "аем", "ае", ""), "гайдай гайдая гайдаю гайдая гайдаем гайдае"),
    Pattern("ей", "m", ("ея", "ею", "ея", "еем", "ее", ""), "шварцей шварцея шварцею шварцея шварцеем шварцее"),
    Pattern("ь", "m", ("я", "ю", "я", "ем", "е", ""), "гоголь гоголя гоголю гоголя гоголем гоголе"),
    Pattern(
        "ая", "f", ("ой", "ой", "ую", "ой/ою", "ой", ""), "толстая толстой толстой толстую толстой/толстою толстой"
    ),
    Pattern("а", "mf", ("ы", "е", "у", "ой/ою", "е", ""), "дыба дыбы дыбе дыбу дыбой/дыбою дыбе"),
    Pattern("Ша", "mf", ("и", "е", "у", "ой/ою", "е", ""), "глинка глинки глинке глинку глинкой/глинкою глинке"),
    Pattern("я", "mf", ("и", "е", "ю", "ей/ею", "е", ""), "зозуля зозули зозуле зозулю зозулей/зозулею зозуле"),
)
#: Endings by which a patronymic is known (nominative).
PATRONYMIC_ENDINGS = ("ович", "евич", "ьич", "овна", "евна", "ична")

# -- English ----------------------------------------------------------------------------------------------------------

#: Full name: short names. A short name may stand under several.
ENGLISH_NAMES = """
abigail: abby abbie gail | abraham: abe bram | adelaide: addie | albert: al bert bertie | alexander: alex al sandy xander lex
alexandra: alex sandra lexi sandy | alfred: fred alf alfie | amanda: mandy | andrea: andie | andrew: andy drew
angela: angie | anthony: tony ant | antoinette: toni | archibald: archie | arthur: art artie | augustus: gus augie
barbara: barb babs barbie | bartholomew: bart | beatrice: bea trixie | benjamin: ben benny benji | bernard: bernie
bradley: brad | brandon: bran | caroline: carrie carol | cassandra: cass cassie | catherine: cathy kate katie cat kitty
charles: charlie chuck chas | charlotte: charlie lottie | christina: chris tina chrissy | christine: chris chrissy tina
christopher: chris kit topher | clifford: cliff | constance: connie | cynthia: cindy | daniel: dan danny
david: dave davy | deborah: deb debbie | dominic: dom nick | donald: don donny | dorothy: dot dottie dolly
douglas: doug | edmund: ed eddie ned | edward: ed eddie ted ned teddy | eleanor: ellie nell nora | elizabeth: liz beth lizzie eliza betty betsy
emily: em emmy | emma: em | ernest: ernie | eugene: gene | evelyn: evie | florence: flo flossie
frances: fran frankie | francis: frank frankie | franklin: frank | frederick: fred freddie freddy rick | gabriel: gabe
gabrielle: gabby | geoffrey: geoff jeff | george: georgie | gerald: gerry jerry | gilbert: gil bert | gregory: greg
gwendolyn: gwen | harold: hal harry | harriet: hattie | henry: hank harry hal | herbert: herb bert | howard: howie
isaac: ike zac | isabella: bella izzy isa | jacob: jake | jacqueline: jackie | james: jim jimmy jamie
janet: jan | jeffrey: jeff | jennifer: jen jenny jenn | jeremy: jem jerry | jessica: jess jessie | joanna: jo joey
john: jack johnny jon | jonathan: jon johnny nathan | joseph: joe joey | josephine: jo josie | joshua: josh | judith: judy
julian: jules | juliet: jules | katherine: kate kathy katie kat kitty kath | kathleen: kathy kath | kenneth: ken kenny
kimberly: kim | laurence: larry laurie | lawrence: larry laurie | leonard: len lenny leo | leslie: les | lewis: lew lou
lillian: lily lil | louis: lou louie | louise: lou | lucille: lucy | madeleine: maddie | madison: maddie | margaret: maggie meg peggy marge greta daisy
martin: marty | mary: molly polly | matilda: tilly mattie | matthew: matt matty | maximilian: max | maxwell: max | megan: meg
melissa: mel missy | melanie: mel | michael: mike mick mickey mikey | michelle: shelly | mildred: millie | mitchell: mitch | mohammed: mo
nancy: nan | natalie: nat | natasha: tasha | nathan: nat nate | nathaniel: nat nate nathan | nicholas: nick nicky nico | nicole: nicky nikki
norman: norm | oliver: ollie | olivia: liv livvy | oscar: ozzie | pamela: pam | patricia: pat patty trish tricia
patrick: pat paddy rick | penelope: penny | peter: pete | philip: phil pip | phillip: phil | priscilla: prissy cilla
prudence: prue | rachel: rach | raymond: ray | rebecca: becky becca | reginald: reg reggie | richard: rick dick rich ricky richie
robert: bob rob bobby robbie bert | roberta: bobbie | roderick: rod | rodney: rod | roger: rodge | roland: rollie | ronald: ron ronnie
rosemary: rose rosie | rudolph: rudy | russell: russ | samantha: sam sammy | samuel: sam sammy | sandra: sandy
sarah: sally sadie | sebastian: seb bas | sidney: sid | solomon: sol | stanley: stan | stephanie: steph stevie
stephen: steve stevie | steven: steve stevie | stuart: stu | susan: sue susie suzy | suzanne: sue suzy | sylvester: sly
sylvia: syl | terence: terry | teresa: terry tess tessa | theresa: terry tess | theodore: ted theo teddy | thomas: tom tommy
timothy: tim timmy | tobias: toby | valerie: val | vanessa: nessa | veronica: ronnie vera | victor: vic | victoria: vicky tori vic
vincent: vince vinny | virginia: ginny | vivian: viv | walter: walt wally | wilfred: wilf | william: bill will billy willy liam
winifred: winnie | winston: win | zachary: zach zack | zoe: zo
"""

#: Small words before a surname that belong to it.
PARTICLES = frozenset(
    [
        "von",
        "van",
        "vom",
        "zu",
        "zum",
        "zur",
        "de",
        "der",
        "den",
        "del",
        "della",
        "di",
        "da",
        "do",
        "dos",
        "du",
        "des",
        "la",
        "le",
        "el",
        "al",
        "bin",
        "ibn",
        "ben",
        "bint",
        "abu",
        "ter",
        "ten",
        "af",
        "av",
        "st",
        "фон",
        "ван",
        "де",
        "дер",
        "ди",
        "да",
        "ла",
        "ле",
        "эль",
        "аль",
        "ибн",
        "бин",
        "бен",
        "оглы",
        "кызы",
    ]
)

# -- letters ----------------------------------------------------------------------------------------------------------

#: Cyrillic (Russian, Ukrainian, Belarusian, Serbian) letter → Latin. «Е», «э» and «ё» are one.
_LETTERS = """
ж:zh а:a б:b в:v г:g д:d е:e з:z и:i й:i к:k л:l м:m н:n о:o п:p
р:r с:s т:t у:u ф:f х:h ц:ts ч:ch ш:sh щ:sh ы:i э:e ю:iu я:ia і:i ї:i є:e ґ:g ў:u ј:i љ:li њ:ni ћ:ch ђ:di џ:dzh
"""
LATIN = dict(pair.split(":") for pair in _LETTERS.split()) | {"ъ": "", "ь": ""}
#: What romanisations write differently, brought to one spelling, in this order.
SPELLINGS = (
    ("shch", "sh"), ("sch", "sh"), ("kh", "h"), ("tz", "ts"), ("x", "ks"), ("ph", "f"), ("w", "v"),
    ("ch", "4"), ("c", "k"), ("4", "ch"), ("y", "i"), ("j", "i"), ("io", "e"), ("ie", "e"), ("ander", "andr"), ("'", ""),
)  # fmt: skip

# -- evidence ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Weight:
    """How much a likeness of two names says, 0…1; several likenesses at once are multiplied.

    Attributes:
        score: of this likeness alone. reason: words for a person. one, other: names that are alike in this way only.
    """

    score: float
    reason: str
    one: str
    other: str


WEIGHTS = {
    "same": Weight(1.0, "same spelling", "ANNA  Petrova", "Anna Petrova"),
    "variant": Weight(0.95, "another spelling of the name", "Наталия Белова", "Наталья Белова"),
    "case": Weight(0.95, "another case of the name", "Виктору Орлову", "Виктор Орлов"),
    "short": Weight(0.85, "short name", "Лера Белова", "Валерия Белова"),
    "letters": Weight(0.9, "other letters", "DGIA", "ДГИА"),
    "english": Weight(0.65, "English short name", "Mike Brown", "Michael Brown"),
    "latin": Weight(0.55, "Russian short name in Latin letters", "Dima Orlov", "Dmitry Orlov"),
    "spelling": Weight(0.7, "spelled alike", "Victor Brak", "Viktor Brak"),
    "initial": Weight(0.7, "initial", "V. Orlov", "Viktor Orlov"),
    "order": Weight(0.9, "surname first", "Orlov Viktor", "Viktor Orlov"),
    "first": Weight(0.75, "first name only", "Viktor", "Viktor Orlov"),
    "last": Weight(0.65, "surname only", "Orlov", "Viktor Orlov"),
    "inner": Weight(0.9, "a middle name left out", "Виктор Орлов", "Виктор Петрович Орлов"),
    "patronymic": Weight(0.85, "surname left out", "Виктор Петрович", "Виктор Петрович Орлов"),
    "several": Weight(0.85, "the form fits several names", "Саше", "Александр"),
    "doubtful": Weight(0.4, "alike only if it is a case form", "Александра Орлова", "Александр Орлов"),
    "guess": Weight(0.7, "perhaps a case form", "Браку", "Брак"),
    "spacing": Weight(0.9, "written apart", "Open AI", "OpenAI"),
    "generic": Weight(0.9, "with a word for what it is", "ООО «Ромашка»", "Ромашка"),
    "initials": Weight(0.4, "initials of the words", "NYC", "New York City"),
}

#: Word after a name that tells father from son, or one king from another → which of them. Two persons who differ in it are
#: two; who goes by none need not be either of them.
GENERATIONS = {
    word: which
    for which, words in {
        "junior": "jr junior мл младший младшая младшего младшей младшему младшую младшим младшем",
        "senior": "sr senior ст старший старшая старшего старшей старшему старшую старшим старшем",
        "2": "ii", "3": "iii", "4": "iv", "6": "vi", "7": "vii", "8": "viii", "9": "ix",
    }.items()
    for word in words.split()
}  # fmt: skip

#: Words that say what a thing is, before or after its name ("Project Falcon", "Acme Inc.", «город Казань»).
_GENERIC = """
the inc ltd llc gmbh corp corporation company plc project city ооо оао зао ао пао компания компании компанию компанией
фирма фирмы фирме фирму фирмой проект проекта проекту проектом проекте город города городу городом городе г
"""
GENERIC = frozenset(_GENERIC.split())
#: Endings of one noun or adjective in the singular, for names of things («в Риге», «из Липецка»); the first is the
#: nominative.
NOUN_ENDINGS: tuple[tuple[str, ...], ...] = (
    ("", "а", "у", "ом", "ем", "е"),  # Липецк
    ("о", "а", "у", "ом", "е"),  # Иваново
    ("а", "ы", "и", "е", "у", "ой", "ою", "ей"),  # Рига
    ("я", "и", "е", "ю", "ей", "ею"),  # Тюменя
    ("ия", "ии", "ию", "ией"),  # Италия
    ("ие", "ия", "ию", "ием", "ии"),  # Приморие
    ("ье", "ья", "ью", "ьем"),  # Приморье
    ("ь", "я", "ю", "ем", "е"),  # Кремль
    ("ь", "и", "ью"),  # Казань
    ("й", "я", "ю", "ем", "е"),  # Китай
    ("ов", "ова", "ову", "овом", "ове", "овым"),  # Ростов
    ("ый", "ого", "ому", "ым", "ом"),
    ("ий", "его", "ему", "им", "ем"),
    ("ий", "ого", "ому", "им", "ом"),
    ("ой", "ого", "ому", "ым", "им", "ом"),
    ("ая", "ой", "ую", "ою"),
    ("яя", "ей", "юю", "ею"),
    ("ое", "ого", "ому", "ым", "им", "ом"),
)
