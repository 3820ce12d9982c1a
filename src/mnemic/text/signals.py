"""Words for people whom one speaks of as one's own. Goes with ``updates``; comparing reads ``lang/*/compare.toml``."""

from __future__ import annotations

from .analyse import terms

#: Whose somebody is: "my sister lives in Tver" is not about me.
KIN = frozenset(
    terms(
        "sister brother mother father mom dad wife husband son daughter uncle aunt cousin grandmother grandfather boss colleague"
        " friend neighbour neighbor boyfriend girlfriend partner roommate team company"
        " сестра сестры сестре брат брату мать мама маме отец папа папе жена жены жене муж мужу сын сыну дочь дочери дядя тетя"
        " бабушка дедушка начальник начальница коллега друг друга подруга сосед соседка парень девушка партнер команда компания"
    )
)
