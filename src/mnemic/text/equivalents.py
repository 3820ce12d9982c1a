"""Words that say the same in nearly every sentence, words that add nothing, words that say how firmly: data, both languages.

Groups are for telling whether two *statements* say the same: one of a group may stand for another without changing what
is claimed. Near words that a person would tell apart ("like" and "prefer", "house" and "flat") are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from .analyse import terms
from .wording import Phrase, listed

#: One group a line, words separated by spaces; forms of irregular verbs stand together.
ENGLISH = """
car automobile auto
buy bought purchase purchased
begin begins began begun start starts started
end ends finish finishes finished complete completes completed
delete deletes deleted remove removes removed erase erases erased
reside resides resided live lives lived dwell dwells located situated
doctor physician
lawyer attorney
bike bicycle
phone telephone
movie film
big large
small little
quick fast rapid
quickly rapidly
begin commence
help assist
fix fixes fixed repair repairs repaired mend
build builds built
write wrote written writes
lead led leads leader head heads headed
make made makes
run ran runs
send sent sends
keep kept keeps store stores stored
hold held holds contain contains
speak spoke spoken speaks
drive drove driven drives
choose chose chosen select selected
teach taught teaches
sell sold sells
pay paid pays payment
meet met meets meeting
fly flew flown flying flight
eat ate eaten eats
drink drank drinks
sleep slept sleeps
grow grew grown
break broke broken
wear wore worn
colour color colours colors
favourite favorite
centre center
licence license
grey gray
programme program
organise organize organised organized
mum mom mother
dad father
kids children
kid child
job occupation profession work works working
firm company
employee worker
flat apartment
holiday vacation
autumn fall
lorry truck
lift elevator
garbage trash rubbish
petrol gasoline
trousers pants
sofa couch
error errors fault
bug defect
documentation docs doc
repo repository
config configuration configs
admin administrator
app application
info information
photo photograph photos picture
ad advertisement
lab laboratory
fridge refrigerator
aws amazon
db database
allergic allergy
annual yearly
like likes enjoy enjoys fond
love loves adore adores
hate hates loathe loathes detest detests
require requires required need needs needed
require demand
permit permits permitted allow allows allowed
forbid forbidden prohibit prohibited ban banned
approve approves approved approval
assign assigned
answer reply
rent lease
wage salary
ill sick
happy glad
easy simple
wrong incorrect
often frequently
seldom rarely
own owns owned
backup backups
login logon
frontend
signup registration
"""

RUSSIAN = """
машина автомобиль авто тачка
купить купил купила покупка приобрел приобрела
начинается начаться начинается стартует начало начался
заканчивается кончается завершается истекает
удаляет стирает удалить стереть удалил стер
живет живу живем живут жить проживает проживаю обитает
врач доктор
юрист адвокат
велосипед велик
телефон мобильник
фильм кино
магазин лавка
большой крупный
маленький небольшой
помогает помощь
чинит ремонтирует починить отремонтировать исправляет чинить
починил отремонтировал исправил
написал написала написали написан написано автор
руководит возглавляет руководитель глава начальник
хранит хранится хранятся храним держим лежит лежат находится расположен расположена
содержит вмещает
выбрал выбрали выбран
преподает учит
продал продали
оплатить заплатить оплата
ест кушает
мультики мультфильмы
ребенок дитя малыш
дочка дочь
сын сынок
мама мать
папа отец
муж супруг
жена супруга
работа должность профессия работает работаю
фирма компания
сотрудник работник
квартира жилье
ошибка баг
документация доки
репозиторий репа
конфиг конфигурация
админ администратор
приложение апп
фото фотография снимок
холодильник
аллергия аллергик аллергичен
ежегодно каждыйгод
нравится нравятся
любит люблю любим любят
обожаю обожает
ненавижу ненавидит терпеть
нужно нужен нужна требуется необходимо надо необходим
разрешено можно позволено
запрещено нельзя
одобряет согласует утверждает согласуется утверждается
назначена назначен
ответ отклик
аренда
зарплата оклад
болен болеет
трудный сложный
часто нередко
редко изредка
ездит добирается
стенд окружение среда
выкатываем деплоим релизим
git гит
бэкенд бекенд
"""

#: Words without a claim of their own beside the others: what a sentence is built with, politeness, emphasis.
LIGHT = listed(
    "really very actually quite simply basically please btw currently presently use uses using called named name"
    " names placed regarding concerning"
    " очень весьма действительно вообще просто кстати слушай собственно сейчас зовут кличка кличке имя имени называется"
    " использует используем использую пользуемся является течение помни запомни касательно"
    " насчет имеется имею имеет который которая которое"
)

#: What kind of claim a statement makes, by the words that say so; two statements of two kinds are never one.
MODALITY: Mapping[str, tuple[Phrase, ...]] = {
    "open": (
        Phrase("might", "I might move to Vienna"), Phrase("may be", "It may be broken"), Phrase("maybe", "Maybe we move"),
        Phrase("perhaps", "Perhaps it is off"), Phrase("probably", "It is probably off"), Phrase("possibly", "Possibly off"),
        Phrase("could", "We could use Redis"), Phrase("would", "I would move"), Phrase("likely", "It is likely off"),
        Phrase("seems", "It seems off"), Phrase("i think", "I think it is off"), Phrase("i guess", "I guess it is off"),
        Phrase("может", "Может, перееду"), Phrase("возможно", "Возможно, перееду"), Phrase("наверное", "Наверное, сломан"),
        Phrase("вероятно", "Вероятно, сломан"), Phrase("кажется", "Кажется, сломан"), Phrase("похоже", "Похоже, сломан"),
        Phrase("хотел* бы", "Хотел бы переехать"), Phrase("бы", "Я бы переехал"), Phrase("думаю", "Думаю, сломан"),
    ),
    "condition": (
        Phrase("if", "If it rains, we stay"), Phrase("unless", "Unless it rains, we go"), Phrase("when", "When it rains"),
        Phrase("если", "Если дождь, остаёмся"), Phrase("когда", "Когда дождь"), Phrase("пока не", "Пока не кончится"),
    ),
    "plan": (
        Phrase("plan to", "I plan to move"), Phrase("plans to", "She plans to move"), Phrase("planning to", "We are planning to move"),
        Phrase("going to", "I am going to move"), Phrase("thinking of", "I am thinking of moving"), Phrase("will", "I will move"),
        Phrase("thinking about", "I am thinking about moving"), Phrase("intend*", "I intend to move"),
        Phrase("планиру*", "Планирую переехать"), Phrase("собира*", "Собираюсь переехать"), Phrase("будем", "Будем переезжать"),
        Phrase("буду", "Буду переезжать"), Phrase("думаю о", "Думаю о переезде"), Phrase("намерен*", "Намерены переехать"),
    ),
    "wish": (
        Phrase("want to", "I want to move"), Phrase("wants to", "She wants to move"), Phrase("hope to", "I hope to move"),
        Phrase("would like", "I would like to move"), Phrase("wish*", "I wish I moved"), Phrase("try to", "I try to move"),
        Phrase("хочу", "Хочу переехать"), Phrase("хочет", "Она хочет переехать"), Phrase("хотят", "Хотят переехать"),
        Phrase("мечта*", "Мечтаю переехать"), Phrase("надеюсь", "Надеюсь переехать"), Phrase("пыта*", "Пытаюсь переехать"),
    ),
    "duty": (
        Phrase("must", "You must use tabs"), Phrase("should", "You should use tabs"), Phrase("have to", "You have to use tabs"),
        Phrase("has to", "It has to be signed"), Phrase("need to", "You need to sign"), Phrase("needs to", "It needs to be signed"),
        Phrase("needs", "It needs a refactor"), Phrase("ought", "You ought to sign"),
        Phrase("долж*", "Он должен подписать"), Phrase("обязан*", "Обязаны подписать"), Phrase("нужно", "Нужно подписать"),
        Phrase("надо", "Надо подписать"), Phrase("следует", "Следует подписать"), Phrase("пора", "Пора подписать"),
    ),
    "may": (
        Phrase("can", "You can use tabs"), Phrase("may", "You may use tabs"), Phrase("able to", "It is able to fly"),
        Phrase("мож*", "Можно курить"), Phrase("могу*", "Могут курить"), Phrase("разреш*", "Разрешено курить"),
    ),
    "past": (
        Phrase("used to", "I used to live in Riga"), Phrase("formerly", "Formerly I lived in Riga"),
        Phrase("previously", "Previously I lived in Riga"), Phrase("back then", "Back then I lived in Riga"),
        Phrase("as a child", "As a child I lived in Riga"), Phrase("once", "I once lived in Riga"),
        Phrase("former", "My former boss"), Phrase("ex", "My ex boss"), Phrase("before", "It was in Riga before the move"),
        Phrase("yesterday", "It was down yesterday"), Phrase("until", "I lived in Riga until May"), Phrase("ago", "A year ago"),
        Phrase("раньше", "Раньше я жил в Риге"), Phrase("прежде", "Прежде я жил в Риге"), Phrase("когда-то", "Когда-то я жил в Риге"),
        Phrase("в детстве", "В детстве я жил в Риге"), Phrase("бывш*", "Бывший начальник"), Phrase("вчера", "Вчера не работало"),
        Phrase("назад", "Год назад"), Phrase("прежн*", "Прежний начальник"),
    ),
    "only": (
        Phrase("only", "Only Tom has a key"), Phrase("just", "Just Tom has a key"), Phrase("except", "All except Tom"),
        Phrase("только", "Ключ только у Тима"), Phrase("лишь", "Ключ лишь у Тима"), Phrase("кроме", "Все, кроме Тима"),
    ),
    "all": (
        Phrase("all", "All tests pass"), Phrase("everybody", "Everybody has a key"), Phrase("everyone", "Everyone has a key"),
        Phrase("everything", "Everything is signed"), Phrase("always", "He always sleeps"), Phrase("both", "Both tests pass"),
        Phrase("все", "Все тесты прошли"), Phrase("всегда", "Всегда спит"), Phrase("оба", "Оба теста прошли"),
    ),
    "some": (
        Phrase("some", "Some tests pass"), Phrase("few", "Few tests pass"), Phrase("most", "Most tests pass"),
        Phrase("several", "Several tests pass"), Phrase("almost", "Almost done"), Phrase("sometimes", "He sometimes sleeps"),
        Phrase("некотор*", "Некоторые тесты прошли"), Phrase("почти", "Почти готово"), Phrase("иногда", "Иногда спит"),
        Phrase("большинство", "Большинство тестов прошло"), Phrase("часть", "Часть тестов прошла"),
    ),
}  # fmt: skip

#: Small words that say how what follows belongs to the sentence; words of one group are one.
PREPOSITIONS: Mapping[str, str] = {
    word: group.split()[0]
    for group in (
        "for", "with", "without", "from", "to into towards", "before", "after", "by", "than", "against", "under below", "over above",
        "about", "of", "in inside within", "on", "at", "as", "between", "through via", "during", "behind",
        "для", "с со", "без", "от", "к ко", "до", "после", "чем", "против", "под", "над", "о об про", "из", "в во", "на", "у",
        "между", "через", "за", "по", "при", "вместо", "из-за",
    )
    for word in group.split()
}  # fmt: skip


@cache
def canonical() -> Mapping[str, str]:
    """Stem → the stem that stands for its group. A word that stands in two groups brings them together."""
    parent: dict[str, str] = {}

    def root(stem: str) -> str:
        while parent.setdefault(stem, stem) != stem:
            stem = parent[stem]
        return stem

    for line in (ENGLISH + RUSSIAN).split("\n"):
        stems = list(dict.fromkeys(t for word in line.split() for t in terms(word)[-1:]))
        for stem in stems[1:]:
            one, other = sorted((root(stems[0]), root(stem)))
            parent[other] = one
    return {stem: root(stem) for stem in parent}


__all__ = ["LIGHT", "MODALITY", "PREPOSITIONS", "canonical"]
