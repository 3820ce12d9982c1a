"""Words too common to say what a question is about, English and Russian. Dropped from queries, never from the index.

Russian adverbs and numerals that carry the sense of short sentences («потом», «всегда», «два») are not among them.
"""

from __future__ import annotations

ENGLISH = """
a about above after again against all also am an and any are aren aren't as at be because been before being below
between both but by can can't cannot could couldn couldn't d did didn didn't do does doesn doesn't doing don don't
down during each ever few for from further get got had hadn hadn't has hasn hasn't have haven haven't having he he'd
he'll he's her here hers herself him himself his how how's i i'd i'll i'm i've if in into is isn isn't it it'll it's
its itself just let let's like ll m many may me might more most much mustn mustn't my myself no nor not now of off ok
okay on once only or other our ours ourselves out over own re really s same shall shan shan't she she'd she'll she's
should shouldn shouldn't so some such t than that that's the their theirs them themselves then there there's these
they they'd they'll they're they've this those through to too under until up us ve very was wasn wasn't we we'd we'll
we're we've were weren weren't what what's when when's where where's which while who who's whom whose why why's will
with won won't would wouldn wouldn't yes you you'd you'll you're you've your yours yourself yourselves
"""

RUSSIAN = """
а без более будет будто бы был была были было быть в вам вас ведь во вот впрочем все всего всех всю вы где да даже для
до его ее ей ему если есть еще ж же за и из или им их к как как-то какая какие каких какое какой каком какую кем когда
кого ком кому кто куда ли между меня мне много мое может мои мой моя мы на над нас не него нее ней нет ни нибудь ним
них ничего но ну о об он она они от перед по под после потому почему при про раз разве с сам свою себе себя сколько со
так такой твое твои твой твоя тебя тем то того тоже только том тот ты у уж уже хоть чего чей чем чему через что чтоб
чтобы чье чьего чьей чьи чья эти это этого этой этом этот эту я
"""

STOP_WORDS = frozenset((ENGLISH + RUSSIAN).split())
