"""Words too common to say what a question is about, English and Russian. Dropped from queries, never from the index."""

from __future__ import annotations

ENGLISH = """
a about above after again all also am an and any are aren't as at be because been before being below between both but
by can can't cannot could couldn't did didn't do does doesn't doing don't done down during each either ever every for
from further get gets getting give go goes going gonna got had hadn't has hasn't have haven't having he he'd he'll he's
her here here's hers herself hi him himself his how how's however i i'd i'll i'm i've if in into is isn't it it's its
itself just let let's like made make may maybe me might mine more most much must my myself no nor not now of off oh ok
on once one only or other ought our ours ourselves out over own per please really s same say shall she she'd she'll
she's should shouldn't so some something such t tell than that that's the their theirs them themselves then there
there's these they they'd they'll they're they've thing this those though through to too under until up upon us use
very via was wasn't we we'd we'll we're we've were weren't what what's when when's where where's which while who who's
whom whose why why's will with within without won't would wouldn't yeah yes yet you you'd you'll you're you've your
yours yourself yourselves
"""

RUSSIAN = """
а без более больше будет будто будут бы был была были было быть в вам вами вас ваш ваша ваше ваши ведь весь во вот все
всего всей всем всех вся всё вы где да даже для до его ее ей ему если есть еще ещё её же за здесь и из или им ими иногда
их к как какая какие какой каких каком ко когда которая которого которое которой которую которые который которых кто
куда ли либо лишь между меня мне мной мною мог могла могли может можно мои мой моя моё мы на над надо нам нами нас наш
наша наше наши не него нее ней нельзя нем нет неё ни нибудь ним них ничего но ну о об обо один однако он она они оно от
очень перед по под пожалуйста после потому почему почти при про раз разве с сам сама сами само свой своя своё своих
своего своей себе себя сейчас со совсем так такая такие такое такой там тебе тебя тем теперь то тобой тобою тогда того
тоже той только том тот ту тут ты у уж уже хоть чего чей чем чему через что чтоб чтобы чуть чья чьё эта эти этим этих
это этого этой этом этот эту я
"""

STOP_WORDS = frozenset((ENGLISH + RUSSIAN).split())
