"""Words that say one thing: "begins" and "starts", «лежит» and «хранится». English and Russian: data and its reader.

Not a thesaurus. A row holds ways of saying that may stand for each other in nearly any statement of fact; what differs
in size, degree, direction or time («купил» / «арендует», "born" / "grew up") is left out, because two wordings that
fall together here count as the same said again. ``word*`` stands for all words that begin so, ``two_words`` for words
in a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from .analyse import stop_terms, terms
from .wording import content_stems

__all__ = ["LIGHT", "ROWS", "senses"]

ENGLISH = """
begin begins began start starts started kicks_off kick_off commences
end ends ended finish finishes finished concludes concluded done completed complete
buy buys bought purchase purchases purchased
keep keeps kept store stores stored hold holds held save saves saved lies lie sits
lead leads led leading head heads headed manage manages managed runs_the in_charge_of responsible_for is_responsible looks_after
merge merged merges
fix fixed fixes repair repaired repairs resolved solved patched
write writes written wrote
build builds built
create creates created make makes made
delete deletes deleted remove removes removed erase erased
choose chooses chose chosen pick picks picked opted_for settled_on decided_on went_with selected
ask asks asked request requests requested
need needs needed require requires required
permit permits permitted allow allows allowed
help helps helped assist assists assisted
receive receives received got get gets
send sends sent mail mailed
arrive arrives arrived got_here came_in turned_up
happen happens happened occur occurs occurred took_place takes_place
live lives living reside resides residing
work works working employed job
wake wakes wakes_up wake_up get_up gets_up
cycle cycles cycling by_bike by_bicycle ride_a_bike rides_a_bike bike bicycle
drive drives driving by_car
walk walks walking on_foot
train_for trains_for prepare_for prepares_for
teach teaches taught
listen listens listening
like likes fond_of enjoy enjoys
love loves adore adores
hate hates hated loathe loathes detest detests can't_stand
prefer prefers better_than more_than rather_than
marry marries married
pass_away passed_away died dead
call called name named names calls
locate located situated found
fail fails failed failing crash crashes crashed
broken broke_down out_of_order doesn't_work not_working stopped_working
closed shut
deploy deploys deployed ship ships shipped roll_out rolled_out release releases released
install installs installed set_up
schedule scheduled planned
cost costs priced price
weigh weighs weight
expire expires expired run_out runs_out ran_out
boss bosses manager managers supervisor supervisors
colleague colleagues coworker coworkers co-worker co-workers
kid kids child children
mother mom mum mommy
father dad daddy
grandmother grandma granny nana
grandfather grandpa granddad
flat flats apartment apartments
car cars automobile vehicle
phone phones telephone cellphone smartphone mobile
parcel parcels package
film films movie movies
photo photos picture pictures
holiday holidays vacation vacations
trip trips journey journeys
doctor doctors physician physicians
lawyer lawyers attorney attorneys
teacher teachers schoolteacher
programmer programmers developer developers coder coders
firm firms company companies employer
pr prs pull_request pull_requests merge_request пул-реквест пул_реквест пулл_реквест пулреквест пул-реквеста
bug bugs defect defects
ticket tickets issue issues
database databases db dbs
repository repositories repo repos
directory directories folder folders
configuration configurations config configs settings
documentation docs
production prod
environment environments env
postgresql postgres постгрес постгре
kubernetes k8s
javascript js
typescript ts
big large
quick quickly fast rapid
remote remotely from_home telework
daily every_day each_day
weekly every_week once_a_week
monthly every_month once_a_month
yearly annually every_year once_a_year annual
twice two_times
half fifty_percent 50_percent
near close_to next_to beside by_the
under below less_than fewer_than
above over more_than_a
whole entire
everyone everybody all
nobody none no_one
ill sick unwell
glad happy
"""

RUSSIAN = """
начинается начинаем начинаю начался началась началось стартует стартуем стартовал стартовала
заканчивается закончился закончилась завершается завершился завершилась кончается
купил купила купили куплен куплена куплено куплены приобрел приобрела приобрели
храним хранится хранятся храню хранит лежит лежат держим держу держит содержится
ведет веду руководит руковожу возглавляет возглавляю управляет отвечает_за отвечаю_за отвечаем_за занимается занимаюсь
влит влита влили смержен смержена смержили замержен смерджен вмержен замержили
готов готова готово закончен закончена закончено завершен завершена завершено сделан сделана сделано доделан доделана
починил починила починили починен починена исправил исправила исправили исправлен исправлена пофиксил пофиксили устранил устранен
пишу пишем пишет написан написана написано написал написала написали
собираем собирается собирает
создал создала создан создана создали сделал сделала сделали
удалил удалила удалили удален удалена удалено убрали стерли стер
выбрал выбрала выбрали выбран выбрана остановились_на решили_взять предпочли
попросил попросила попросили просил просила
нужен нужна нужно нужны надо требуется требуются необходимо необходим
получил получила получили
отправил отправила отправили отправлен отправлена послал послала послали выслал выслали
пришел пришла пришло пришли прибыл прибыла доставили доставлен доставлена
случилось случился произошло произошел произошла
живет живу живем живут проживает проживаю проживаем
работает_на работаю_на
встаю встает встаем просыпаюсь просыпается просыпаемся
велосипед* велик*
езжу ездит ездим добираюсь добирается добираемся
проходит проходят прошел прошла прогоняет запускается запускаются гоняется
на_машине за_рулем автомоб* машин*
пешком ногами
учит учу преподает преподаю
слушает слушаю
нравится нравятся люблю любит по_душе
обожает обожаю в_восторге_от
ненавидит ненавижу терпеть_не_могу терпеть_не_может не_выношу
предпочитает предпочитаю больше_чем нравится_больше больше_нравится
женат женился замужем замуж
умер умерла скончался скончалась не_стало
зовут назвали называется называют имя кличка
находится находятся расположен расположена расположено стоит стоят
падает падают упал упала валится валятся
сломался сломалась сломано сломан сломана вышел_из_строя вышла_из_строя не_работает
выкатили выкатываем выкатил задеплоили деплоим выпустили выпускаем зарелизили релизим деплой релиз
поставил поставила поставили установил установила установили установлен установлена
назначен назначена назначено запланирован запланирована намечен намечена состоится
заложен заложено заложена заложили отведено выделено выделили бюджет
весит вешу вес
истекает истек кончился
составил составила составлен составлена составили
выплатил выплатила выплатили закрыл_кредит закрыли_кредит погасил погасили выплачен* погашен*
заблокирован заблокирована в_блоке висит_в_блоке
начальник* начальниц* руководител* шеф* босс* подчиняюсь подчиняется
коллег* сослуживец сослуживица
ребенок дети детей ребенка
мать мама мамы маме маму
отец папа папы папе папу
бабушк* бабушкин* бабуля бабуле
дедушк* дедушкин* дед деда
телефон* смартфон* мобильник*
посылк* бандерол*
фильм* кино
фото фотограф* снимок снимки
поездк* путешеств*
собрани* совещани* встреч* митинг* созвон*
врач* доктор*
юрист* адвокат*
учител* педагог* преподавател*
программист* разработчик*
фирм* компани*
баг* ошибк* дефект*
задач* тикет*
база_данных базы_данных бд
репозитор* репа репе репу репы
папк* каталог* директори*
конфиг* конфигураци* настройк*
документаци* доки доках
прод проде продакшн* продакшен*
большой большая большое крупный крупная крупное
быстро быстрый быстрая
удаленно удаленке удаленка из_дома дистанционно
ежедневно каждый_день
еженедельно каждую_неделю раз_в_неделю
ежемесячно каждый_месяц раз_в_месяц
ежегодно каждый_год раз_в_год
дважды два_раза
возле около рядом_с у_самой на_берегу
весь вся все целиком
все_сотрудники вся_команда
болен больна болеет заболел заболела
"""

#: What says next to nothing beside other words: a name is somebody's, a thing is somewhere or in use.
LIGHT = """
name named names called call located situated found use uses used using run runs running have has got own based thing
kind type value set equal equals amount amounts currently
зовут имя называется находится находятся расположен расположена стоит использует используем использую пользуюсь пользуемся
крутится есть имеется равен равна равно составляет является текущий текущая нами нас нам мной собой
"""


def _rows(listed: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line.split()) for line in listed.strip().splitlines())


#: Rows of ways to say one thing.
ROWS = _rows(ENGLISH) + _rows(RUSSIAN)


@cache
def _index() -> tuple[Mapping[str, tuple[tuple[tuple[str, ...], str], ...]], Mapping[str, tuple[tuple[str, str], ...]]]:
    """Ways of saying by first word, the longest first; beginnings of words by their first three letters."""
    whole: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    begun: dict[str, list[tuple[str, str]]] = {}
    for number, row in enumerate(ROWS):
        for way in row:
            words = tuple(way.split("_"))
            if len(words) == 1 and way.endswith("*"):
                begun.setdefault(way[:3], []).append((way[:-1], f"~{number}"))
            else:
                whole.setdefault(words[0].rstrip("*"), []).append((words, f"~{number}"))
    ordered = {k: tuple(sorted(v, key=lambda pair: -len(pair[0]))) for k, v in whole.items()}
    return ordered, {k: tuple(v) for k, v in begun.items()}


@cache
def _light() -> frozenset[str]:
    whole, _ = _index()
    rows = {sense for way in LIGHT.split() for phrase, sense in whole.get(way, ()) if len(phrase) == 1}
    return frozenset(rows | {t for way in LIGHT.split() for t in terms(way)})


def senses(words: Sequence[str]) -> frozenset[str]:
    """What folded words say: one sign for all ways of saying one thing, the stem for any other word of content.

    Words that say next to nothing are left out, unless little else is there.
    """
    whole, begun = _index()
    out: set[str] = set()
    at = 0
    while at < len(words):
        step = 1
        for phrase, sense in whole.get(words[at], ()):
            if tuple(words[at : at + len(phrase)]) == phrase:
                out.add(sense)
                step = len(phrase)
                break
        else:
            sense = next((s for start, s in begun.get(words[at][:3], ()) if words[at].startswith(start)), "")
            out.update([sense] if sense else content_stems([words[at]]))
        at += step
    telling = out - _light() - stop_terms()
    return frozenset(telling if len(telling) > 1 else out)
