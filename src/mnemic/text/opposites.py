"""Words that exclude each other of the same thing at the same time, English and Russian: data only.

A pair is two forms of words, ``left/right``; :func:`table` brings them to the stems that texts are compared by. Pairs
of plain contraries ("red/blue") are left out: they are values, not opposites.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from .analyse import terms

ENGLISH = """
like/dislike like/hate love/hate love/dislike love/loathe enjoy/hate enjoy/dislike adore/detest prefer/avoid want/refuse
always/never often/rarely often/seldom frequently/rarely usually/rarely sometimes/never everyone/nobody everything/nothing
everywhere/nowhere somebody/nobody all/none good/bad great/terrible best/worst better/worse excellent/awful nice/nasty
true/false right/wrong correct/incorrect valid/invalid accurate/inaccurate legal/illegal possible/impossible
likely/unlikely certain/uncertain sure/unsure known/unknown clear/unclear visible/invisible public/private open/closed
open/shut opened/closed on/off up/down start/stop started/stopped start/finish begin/end began/ended continue/stop
enable/disable enabled/disabled activate/deactivate allow/forbid allow/deny allowed/forbidden permit/prohibit
permitted/prohibited accept/reject accept/refuse accepted/rejected approve/reject approved/rejected approve/decline
agree/disagree confirm/deny confirmed/denied support/oppose include/exclude included/excluded add/remove added/removed
install/uninstall installed/uninstalled connect/disconnect connected/disconnected attach/detach attached/detached
lock/unlock locked/unlocked encrypt/decrypt encrypted/unencrypted mount/unmount subscribe/unsubscribe
subscribed/unsubscribed pass/fail passed/failed passes/fails succeed/fail succeeded/failed success/failure win/lose
won/lost gain/lose increase/decrease increased/decreased rise/fall rose/fell raise/lower raised/lowered grow/shrink
grew/shrank expand/shrink improve/worsen improved/worsened strengthen/weaken accelerate/slow fast/slow faster/slower
quick/slow quickly/slowly early/late earlier/later before/after first/last new/old newest/oldest young/old modern/outdated
fresh/stale big/small bigger/smaller large/small larger/smaller huge/tiny high/low higher/lower tall/short long/short
longer/shorter deep/shallow wide/narrow thick/thin heavy/light heavier/lighter fat/thin full/empty rich/poor
expensive/cheap pricey/cheap costly/cheap paid/free paid/unpaid hot/cold warm/cool warmer/cooler wet/dry bright/dark
light/dark loud/quiet noisy/quiet noisy/silent hard/soft hard/easy difficult/easy simple/complex simple/complicated
strong/weak stronger/weaker safe/dangerous safe/unsafe secure/insecure stable/unstable reliable/unreliable
healthy/sick healthy/ill well/ill alive/dead born/died married/single married/divorced married/unmarried
employed/unemployed hired/fired employ/dismiss present/absent available/unavailable online/offline busy/free
active/inactive running/stopped working/broken works/broken fixed/broken fixed/unfixed broken/repaired done/undone
done/pending finished/unfinished complete/incomplete completed/pending resolved/unresolved solved/unsolved
blocked/unblocked ready/unready merged/unmerged merged/reverted deployed/undeployed tested/untested
documented/undocumented supported/unsupported required/optional mandatory/optional necessary/unnecessary
needed/unneeded used/unused useful/useless helpful/unhelpful important/unimportant interesting/boring
happy/sad happy/unhappy glad/sorry pleased/annoyed calm/nervous brave/cowardly polite/rude kind/cruel friend/enemy
friendly/hostile honest/dishonest clean/dirty tidy/messy sweet/bitter tasty/disgusting vegetarian/carnivore
buy/sell bought/sold lend/borrow give/take gave/took send/receive sent/received push/pull import/export upload/download
arrive/leave arrived/left arrive/depart enter/exit come/go stay/leave join/leave joined/left remember/forget
remembered/forgot keep/discard kept/discarded save/delete saved/deleted create/delete created/deleted create/destroy
build/destroy show/hide shown/hidden hide/reveal trust/distrust believe/doubt love/despise inside/outside indoor/outdoor
indoors/outdoors above/below left/right north/south east/west near/far local/remote internal/external
manual/automatic manually/automatically synchronous/asynchronous static/dynamic temporary/permanent
temporarily/permanently partial/full majority/minority maximum/minimum most/least more/less more/fewer many/few
positive/negative optimistic/pessimistic guilty/innocent odd/even same/different similar/different equal/unequal
together/apart together/separately alone/together asleep/awake
profit/loss profitable/unprofitable credit/debit upgrade/downgrade upgraded/downgraded promote/demote
promoted/demoted advantage/disadvantage pro/con compatible/incompatible consistent/inconsistent
backward/forward cheapest/priciest smoker/nonsmoker drunk/sober pregnant/childless single/engaged lighter/darker
"""

RUSSIAN = """
люблю/ненавижу любит/ненавидит обожаю/ненавижу нравится/бесит нравится/раздражает обожает/терпеть хочет/отказывается
всегда/никогда часто/редко обычно/редко иногда/никогда постоянно/изредка все/никто всё/ничего везде/нигде
хороший/плохой хорошо/плохо лучший/худший лучше/хуже отличный/ужасный отлично/ужасно прекрасный/отвратительный
правда/ложь истина/ложь правильный/неправильный верный/неверный верно/неверно правильно/неправильно точный/неточный
законный/незаконный возможный/невозможный возможно/невозможно вероятный/маловероятный известный/неизвестный
понятный/непонятный ясный/неясный видимый/невидимый публичный/приватный открытый/закрытый открыт/закрыт
открыл/закрыл открывается/закрывается включен/выключен включил/выключил включить/выключить включен/отключен
включить/отключить начал/закончил начать/закончить начал/прекратил начинается/заканчивается начало/конец
старт/финиш запустил/остановил запущен/остановлен запустить/остановить продолжает/прекратил продолжить/прекратить
разрешить/запретить разрешил/запретил разрешен/запрещен разрешено/запрещено принял/отклонил принять/отклонить
принят/отклонен одобрил/отклонил одобрен/отклонен согласился/отказался согласен/против подтвердил/опроверг
подтвержден/опровергнут поддерживает/отвергает добавил/удалил добавить/удалить добавлен/удален добавил/убрал
установил/удалил установлен/удален подключил/отключил подключен/отключен подписался/отписался подписан/отписан
заблокирован/разблокирован заблокировать/разблокировать зашифрован/расшифрован прошел/провалился прошли/упали
проходят/падают сдал/провалил успех/провал успешно/безуспешно удача/неудача выиграл/проиграл победа/поражение
победил/проиграл нашел/потерял получил/потерял вырос/упал выросла/упала растет/падает увеличил/уменьшил
увеличилось/уменьшилось увеличить/уменьшить повысил/понизил повысить/понизить повышен/понижен рост/падение
поднял/опустил улучшился/ухудшился улучшилось/ухудшилось улучшить/ухудшить усилил/ослабил ускорил/замедлил
быстрый/медленный быстро/медленно быстрее/медленнее рано/поздно раньше/позже ранний/поздний до/после первый/последний
новый/старый молодой/старый современный/устаревший свежий/черствый большой/маленький больше/меньше крупный/мелкий
огромный/крошечный высокий/низкий выше/ниже высоко/низко длинный/короткий длиннее/короче глубокий/мелкий
широкий/узкий толстый/тонкий тяжелый/легкий тяжелее/легче полный/пустой полный/худой богатый/бедный дорогой/дешевый
дорого/дешево дороже/дешевле платный/бесплатный платно/бесплатно горячий/холодный жарко/холодно теплый/прохладный
тепло/холодно мокрый/сухой влажный/сухой светлый/темный светло/темно яркий/тусклый громкий/тихий громко/тихо
шумный/тихий твердый/мягкий жесткий/мягкий трудный/легкий сложный/простой сложно/просто трудно/легко
сильный/слабый безопасный/опасный безопасно/опасно стабильный/нестабильный надежный/ненадежный здоровый/больной
здоров/болен жив/мертв живой/мертвый родился/умер женат/холост женат/разведен замужем/разведена замужем/незамужем
женился/развелся нанял/уволил нанят/уволен устроился/уволился трудоустроен/безработный присутствует/отсутствует
доступен/недоступен онлайн/офлайн занят/свободен активный/неактивный активен/неактивен работает/сломан
исправен/неисправен исправен/сломан починил/сломал починен/сломан готов/неготов готово/неготово закончен/незакончен
завершен/незавершен решен/нерешен выполнен/невыполнен обязательный/необязательный обязательно/необязательно
обязателен/опционален нужный/ненужный нужен/ненужен полезный/бесполезный полезный/вредный важный/неважный
интересный/скучный интересно/скучно веселый/грустный весело/грустно счастливый/несчастный рад/огорчен
спокойный/нервный смелый/трусливый вежливый/грубый добрый/злой добрый/жестокий друг/враг дружелюбный/враждебный
честный/нечестный чистый/грязный чисто/грязно сладкий/горький сладкий/соленый вкусный/невкусный вкусно/невкусно
купил/продал купить/продать покупает/продает взял/отдал дал/забрал отправил/получил отправить/получить
толкать/тянуть импорт/экспорт загрузил/выгрузил приехал/уехал приезжает/уезжает прибыл/отбыл пришел/ушел
вошел/вышел остался/уехал остался/ушел помнит/забыл помню/забыл запомнил/забыл сохранил/удалил сохранить/удалить
создал/удалил создать/удалить построил/разрушил показал/скрыл показан/скрыт показать/скрыть доверяет/сомневается
верит/сомневается внутри/снаружи внутренний/внешний вверх/вниз вверху/внизу сверху/снизу левый/правый слева/справа
север/юг северный/южный восток/запад восточный/западный близко/далеко близкий/далекий рядом/далеко
местный/удаленный ручной/автоматический вручную/автоматически временный/постоянный временно/постоянно
частичный/полный частично/полностью большинство/меньшинство максимум/минимум максимальный/минимальный много/мало
положительный/отрицательный положительно/отрицательно оптимист/пессимист виновен/невиновен четный/нечетный
одинаковый/разный вместе/отдельно вместе/порознь спит/бодрствует прибыль/убыток прибыльный/убыточный повысили/уволили плюс/минус совместимый/несовместимый
совместим/несовместим вперед/назад курит/бросил пьяный/трезвый можно/нельзя разрешено/нельзя вегетарианец/мясоед соглашается/отказывается
безопасен/опасен надежен/ненадежен стабилен/нестабилен жив/умер полезен/вреден возможен/невозможен легален/нелегален
"""


def pairs(listed: str) -> list[tuple[str, str]]:
    """The pairs of a table, as written."""
    return [(left, right) for left, _, right in (pair.partition("/") for pair in listed.split())]


@cache
def table() -> Mapping[str, frozenset[str]]:
    """Stem → stems of its opposites, both languages, both ways.

    A pair whose two words have one stem («готов/неготов» never, but some verbs with a reflexive) tells nothing and is
    left out.
    """
    found: dict[str, set[str]] = {}
    for left, right in pairs(ENGLISH) + pairs(RUSSIAN):
        a, b = terms(left)[-1], terms(right)[-1]
        if a != b:
            found.setdefault(a, set()).add(b)
            found.setdefault(b, set()).add(a)
    return {stem: frozenset(others) for stem, others in found.items()}
