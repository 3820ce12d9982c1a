"""Words of things that come once a year by nature, and words that name a time or nothing: data, English and Russian."""

from __future__ import annotations

from functools import cache

from .analyse import stop_terms, terms

#: A topic of one such word needs two years only; any other single word needs three.
YEARLY = """
christmas xmas birthday anniversary easter halloween thanksgiving valentine valentines hanukkah diwali ramadan eid passover
holiday holidays vacation tax taxes audit budget renewal insurance passport inspection harvest garden gardening planting
seedlings skiing ski snow tires tyres heating mosquito allergy pollen flu marathon festival exam exams graduation school
semester camp advent fireworks carnival oktoberfest blackfriday gift gifts present presents costume turkey wreath
рождество рождественский рождения рождению юбилей годовщина пасха новогодний елка масленица крещение рамадан
отпуск каникулы налог налоги налоговый декларация техосмотр страховка осаго паспорт урожай дача рассада посадка огород
грядка лыжи каток снег шины резина отопление комары аллергия пыльца грипп марафон фестиваль экзамен экзамены егэ огэ выпускной
школа сессия лагерь подарок подарки салют фейерверк корпоратив шашлык
"""
#: Words of dates and degrees, and verbs of asking: they are in every request and are no topic.
NO_TOPIC = """
january february march april may june july august september october november december jan feb mar apr jun jul aug sep
sept oct nov dec monday tuesday wednesday thursday friday saturday sunday spring summer autumn fall winter
today tomorrow yesterday tonight morning afternoon evening night week weeks weekend month months yearly time times date season hour hours minute minutes soon later early late
want need needs help please know tell think make made get give take go going come look find show use used try let say said
see ask asked explain write suggest recommend advise remind remember idea ideas thing things way lot good best better great
next last first one two three hello hi hey thanks thank sorry ok yes like just also still even really much many
any some something anything somebody someone people every each another long kind sort sure maybe probably already again
январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь понедельник вторник среда четверг пятница
суббота воскресенье весна весной лето летом осень осенью зима зимой сегодня завтра вчера утро утром вечер вечером ночь ночью
неделя недели месяц месяца ежегодный ежегодно время раз час часа минута дата сезон скоро поздно рано
хочу нужно надо можно помоги помочь помогите пожалуйста знать знаю скажи думать думаю сделать делать дать дай взять идти
посмотри найди найти покажи использовать напиши написать посоветуй подскажи объясни напомни спросить сказать идея вещь
способ хороший хорошо лучше лучший следующий прошлый первый один два три привет здравствуйте спасибо извини ладно
нравится быть просто опять снова еще очень много какой-нибудь что-нибудь кто-нибудь люди человек каждый другой конечно
наверное например пора
"""


@cache
def yearly_stems() -> frozenset[str]:
    """Stems of :data:`YEARLY`."""
    return frozenset(terms(YEARLY))


@cache
def no_topic_stems() -> frozenset[str]:
    """Stems of :data:`NO_TOPIC` and of the stop words."""
    return frozenset(terms(NO_TOPIC)) | stop_terms()
