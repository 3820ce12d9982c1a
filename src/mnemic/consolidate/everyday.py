"""How people speak of what they like in passing: everyday words that mean one thing, and words that take a liking back.

Data only, English and Russian; :mod:`.preferences` reads it. A row of :data:`CONCEPTS` is one thing under several
names; ``word*`` stands for all words that begin so, a phrase is joined by ``_``. :data:`OPPOSED` names rows that
exclude each other.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..text.wording import Phrase, listed

#: Name of a thing → the ways it is said.
CONCEPTS: Mapping[str, str] = {
    # money
    "cheap": "cheap* budget* affordable inexpensive low-cost low_cost economical cost-effective save_money saving_money thrifty wallet"
    " lower_price* low_price* lowest_price* cheapest дешев* недорог* бюджетн* эконом* подешевле",
    "expensive": "expensive upscale high-end high_end higher-end pricey luxur* premium fancy lavish splurge дорог* премиальн* роскошн*",
    "moderate": "normal moderate* mid-range mid_range midrange average reasonabl* средн* умеренн*",
    "price": "price* pricing cost* fare fee fees цен* стоимост*",
    "free": "free_of_charge free_parking бесплатн*",
    "cash": "cash наличн*",
    "card": "card credit_card debit_card картой карт*",
    # food and drink
    "restaurant": "restaurant* eatery eateries diner* bistro cafe* dining eat meal* lunch dinner food cuisine dish* hungry ресторан* кафе еда еду поесть обед* ужин* кухн*",
    "vegetarian": "vegetarian* meatless meat-free meat_free veggie вегетариан*",
    "vegan": "vegan* plant-based plant_based веган*",
    "meat": "meat* steak* мяс* стейк*",
    "gluten": "gluten* celiac глютен*",
    "dairy": "dairy* lactose milk молок* молочн* лактоз*",
    "nut": "nut nuts peanut* арахис* орех*",
    "seafood": "seafood shellfish fish морепродукт* рыб*",
    "halal": "halal халял*", "kosher": "kosher кошер*",
    "fastfood": "fast_food fast-food fastfood burger* quick_bite quick_meal фастфуд* бургер*",
    "finedining": "fine_dining fine-dining haute_cuisine gourmet elegant",
    "casual": "casual laid-back laid_back relaxed",
    "buffet": "buffet* all-you-can-eat шведск*",
    "italian": "italian pasta pizza итальянск* паст* пицц*",
    "chinese": "chinese dumpling* китайск*", "japanese": "japanese sushi ramen японск* суши рамен*",
    "mexican": "mexican taco* burrito* мексиканск*", "indian": "indian curry индийск*",
    "french": "french croissant* французск*", "thai": "thai тайск*", "american": "american американск*",
    "mediterranean": "mediterranean greek средиземноморск* греческ*",
    # on the way
    "parking": "park parking parked garage парков* парковк*",
    "covered": "covered roof* indoor* sheltered underground крыт* крыш* подземн*",
    "uncovered": "uncovered open-air open_air outdoor* unsheltered открыт*",
    "security": "secur* guarded surveillance cctv safe* охран* безопасн*",
    "handicapped": "handicap* accessib* disabled disability wheelchair* инвалид* доступн*",
    "onstreet": "on-street on_street street_parking curbside roadside",
    "offstreet": "off-street off_street parking_lot",
    "parkinghouse": "parking-house parking-houses parking_house parking_garage multi-story паркинг*",
    "walk": "walk* on_foot пешк* идти",
    "route": "route* routing road* path journey trip* navigat* маршрут* дорог* путь поездк*",
    "traffic": "traffic congest* jam jams busy_road* пробк* трафик*",
    "tolls": "toll tolls toll_road* платн*",
    "highway": "highway* motorway* freeway* expressway* трасс* шоссе автомагистрал*",
    "unpaved": "unpaved dirt gravel bumpy грунтов*",
    "fastest": "fastest quickest quick faster quicker shortest_time short_time least_time driving_time travel_time time-efficient time_efficient fast_route быстр*",
    "shortest": "shortest shorter shortest_distance mileage коротк* кратчайш*",
    "scenic": "scenic picturesque живописн*",
    "charging": "charging charge charger* recharge заряд*",
    "ac": "ac alternating", "dc": "dc direct_current",
    "hpc": "hpc high-power* high_power* high-speed ultra-fast rapid_charg*",
    "fuel": "fuel gas petrol gasoline diesel бензин* топлив* заправк*",
    "green": "green eco-friendly eco_friendly eco sustainab* environment* renewable bio экологич* зелен*",
    "wifi": "wi-fi wifi wi_fi internet вай-фай интернет*",
    "restroom": "restroom* toilet* bathroom* washroom* lavator* facilities_to_freshen туалет*",
    "seating": "seating seat_area sit bench* lounge сиден*",
    "supermarket": "supermarket* супермаркет*",
    "groceries": "grocer* shopping продукт* магазин*",
    "localmarket": "local_market* local_farm* farm farms farmer* farmers' farmstand* organic_market market markets рын* фермер*",
    # comfort
    "temperature": "temperature degree* celsius celcius warmth температур* градус*",
    "fan": "fan fans airflow ventilation blower вентилятор* обдув*",
    "airflow": "airflow air_flow air vents vent обдув*",
    "face": "face лиц*", "feet": "feet foot legs ног*",
    "centric": "centric center* central centre directly_on solely",
    "combined": "combined combination mix mixed both",
    "seat": "seat seats сиден*", "heating": "heat* heater* warmer warmers подогрев*",
    "light": "light* lamp* illuminat* ambien* glow свет* освещен* подсветк*",
    "high": "high higher highest max* full strong* powerful turned_up crank* высок* максимум* сильн*",
    "medium": "medium moderate* mid middle average средн*",
    "low": "low lower lowest minimal minimum min gentle soft softer mild quiet* slight* низк* слаб* минимум*",
    "off": "off выключ*",
    "warm": "warm warmer cozy cosy тепл*", "cool": "cool cooler icy прохладн* холодн*",
    "bright": "bright brighter brightest brightly well-lit vivid ярк*", "dim": "dim dimm* dimmed subdued low-light тускл* приглуш*",
    # media
    "music": "music song* tune* track* playlist* melod* album* музык* песн* трек*",
    "podcast": "podcast* episode* подкаст* выпуск*",
    "radio": "radio station* fm радио",
    "news": "news headline* bulletin* newscast* новост*",
    "streaming": "streaming stream service platform стриминг* сервис*",
    "rap": "rap hip-hop hip_hop рэп хип-хоп", "classical": "classical symphon* классик* классическ*",
    "health": "health* wellness fitness здоров*", "science": "science scientific наук* научн*",
    "technology": "tech technolog* gadget* технолог*", "sports": "sport* спорт*", "comedy": "comed* humor* funny юмор* комеди*",
    "entertainment": "entertain* развлек*", "business": "business бизнес*", "history": "histor* истори*",
}  # fmt: skip

#: Names of :data:`CONCEPTS` that exclude each other where they are said of one thing.
OPPOSED: tuple[tuple[str, ...], ...] = (
    ("cheap", "expensive", "moderate"), ("vegetarian", "meat"), ("vegan", "meat"), ("covered", "uncovered"),
    ("onstreet", "offstreet", "parkinghouse"), ("fastest", "shortest", "scenic"), ("ac", "dc", "hpc"), ("high", "medium", "low", "off"),
    ("warm", "cool"), ("bright", "dim"), ("cash", "card"), ("supermarket", "localmarket"),
)  # fmt: skip

#: Words that take a liking back; what they speak of follows them (``after``) or went before (``before``).
DISMISS: tuple[Phrase, ...] = (
    Phrase("not", "Do not play jazz"), Phrase("no", "No jazz today"), Phrase("never", "Never play jazz"), Phrase("don't", "I don't want jazz"),
    Phrase("doesn't", "It doesn't need jazz"), Phrase("didn't", "I didn't like jazz"), Phrase("isn't", "Jazz isn't for me"),
    Phrase("aren't", "They aren't for me"), Phrase("won't", "I won't need jazz"), Phrase("can't", "I can't take jazz"), Phrase("cannot", "I cannot take jazz"),
    Phrase("wouldn't", "I wouldn't play jazz"), Phrase("shouldn't", "You shouldn't play jazz"), Phrase("haven't", "I haven't liked jazz lately"),
    Phrase("without", "Find a place without jazz"), Phrase("avoid", "Avoid jazz"), Phrase("avoiding", "I am avoiding jazz"), Phrase("avoids", "It avoids jazz"),
    Phrase("skip", "Skip the jazz"), Phrase("exclude", "Exclude jazz"), Phrase("excluding", "Everything excluding jazz"), Phrase("excludes", "A list that excludes jazz"),
    Phrase("stop", "Stop playing jazz"), Phrase("stopped", "I stopped liking jazz"), Phrase("quit", "Quit playing jazz"), Phrase("disable", "Disable jazz"),
    Phrase("deactivate", "Deactivate the jazz filter"), Phrase("remove", "Remove jazz"), Phrase("delete", "Delete jazz from my list"), Phrase("drop", "Drop the jazz"), Phrase("cancel", "Cancel jazz"),
    Phrase("i'm over", "I'm over jazz"), Phrase("kind of over", "I'm kind of over jazz"), Phrase("so over", "I'm so over jazz"), Phrase("got over", "I got over jazz"),
    Phrase("pretty over", "I'm pretty over jazz"), Phrase("am over", "I am over jazz"), Phrase("a bit over", "I'm a bit over jazz"), Phrase("tired of", "I'm tired of jazz"), Phrase("sick of", "I'm sick of jazz"),
    Phrase("bored with", "I'm bored with jazz"), Phrase("bored of", "I'm bored of jazz"), Phrase("enough of", "I've had enough of jazz"), Phrase("fed up", "I'm fed up with jazz"), Phrase("done with", "I'm done with jazz"),
    Phrase("other than", "Anything other than jazz"), Phrase("anything but", "Anything but jazz"), Phrase("except", "Everything except jazz"), Phrase("apart from", "Anything apart from jazz"),
    Phrase("besides", "Something besides jazz"), Phrase("aside from", "Something aside from jazz"), Phrase("rather than", "Rock rather than jazz"), Phrase("instead of", "Rock instead of jazz"),
    Phrase("over the", "Prioritize the fastest over the shortest"), Phrase("more than", "I like rock more than jazz"), Phrase("no longer", "I no longer like jazz"),
    Phrase("turn off", "Turn off the jazz"), Phrase("switch off", "Switch off the jazz"), Phrase("shut off", "Shut off the jazz"), Phrase("steer clear", "Steer clear of jazz"), Phrase("stay away", "Stay away from jazz"), Phrase("keep away", "Keep away from jazz"),
    Phrase("refrain from", "Refrain from jazz"), Phrase("get rid of", "Get rid of jazz"), Phrase("ditch", "Let's ditch jazz"), Phrase("hate", "I hate jazz"), Phrase("dislike", "I dislike jazz"),
    Phrase("never mind", "Never mind jazz"), Phrase("forget about", "Forget about jazz"), Phrase("forget", "Forget jazz"), Phrase("break from", "I need a break from jazz"), Phrase("moving away from", "I'm moving away from jazz"), Phrase("move away from", "Let's move away from jazz"),
    Phrase("something different from", "Something different from jazz"), Phrase("different than", "Something different than jazz"), Phrase("lost interest in", "I lost interest in jazz"),
    Phrase("too", "The jazz is too loud"), Phrase("away from", "Keep us away from jazz"), Phrase("alternative to", "An alternative to jazz"), Phrase("alternatives to", "Alternatives to jazz"), Phrase("switch from", "Switch from jazz to rock"), Phrase("change from", "Change from jazz to rock"),
    Phrase("non", "A non jazz station"), Phrase("less", "Play less jazz"), Phrase("least", "The route with the least jazz"), Phrase("fewer", "Fewer jazz songs"), Phrase("block", "Block jazz"), Phrase("unsubscribe", "Unsubscribe me from jazz"), Phrase("lose", "Let's lose the jazz"), Phrase("reduce", "Reduce the jazz"),
    Phrase("не", "Не включай джаз"), Phrase("нет", "Нет, только не джаз"), Phrase("без", "Найди место без джаза"), Phrase("никогда", "Никогда не включай джаз"), Phrase("кроме", "Всё, кроме джаза"), Phrase("вместо", "Рок вместо джаза"),
    Phrase("хватит", "Хватит джаза"), Phrase("надоел*", "Надоел джаз"), Phrase("разлюбил*", "Я разлюбил джаз"), Phrase("исключ*", "Исключи джаз"), Phrase("убери", "Убери джаз"), Phrase("убрать", "Можно убрать джаз"), Phrase("отключи", "Отключи джаз"), Phrase("выключи", "Выключи джаз"), Phrase("избега*", "Избегай джаза"),
    Phrase("перестань", "Перестань включать джаз"), Phrase("устал* от", "Я устал от джаза"), Phrase("разонрави*", "Джаз мне разонравился"), Phrase("отмени", "Отмени джаз"), Phrase("ненавижу", "Ненавижу джаз"),
)  # fmt: skip

#: Words with a negation in form that praise or ask.
PRAISE: tuple[Phrase, ...] = (
    Phrase("can't get enough", "I can't get enough of jazz"), Phrase("don't want to miss", "I don't want to miss my jazz"), Phrase("don't miss", "Make sure we don't miss the jazz"),
    Phrase("never miss", "I never miss the jazz hour"), Phrase("don't forget", "Don't forget my jazz"), Phrase("can't wait", "I can't wait for the jazz"), Phrase("why don't", "Why don't we play jazz"),
    Phrase("wouldn't mind", "I wouldn't mind some jazz"), Phrase("if you don't mind", "Jazz, if you don't mind"), Phrase("nothing but", "Nothing but jazz"), Phrase("nothing beats", "Nothing beats jazz"), Phrase("can't stop", "I can't stop listening to jazz"),
    Phrase("no matter", "Jazz, no matter what"), Phrase("can't live without", "I can't live without jazz"), Phrase("can't do without", "I can't do without jazz"), Phrase("not only", "Not only rock"), Phrase("no problem", "No problem"), Phrase("couldn't be happier", "I couldn't be happier with jazz"),
    Phrase("too much", "I love jazz too much"), Phrase("can't resist", "I can't resist jazz"), Phrase("not far from", "A club not far from here"), Phrase("far from", "A club far from here"), Phrase("from now on", "From now on play jazz"), 
    Phrase("stop by", "Let's stop by the jazz club"), Phrase("stop at", "Let's stop at the jazz club"), Phrase("stop for", "Stop for some jazz"), Phrase("not too", "Not too loud"), Phrase("never gets too", "It never gets too loud"),
    Phrase("не могу без", "Не могу без джаза"), Phrase("не забудь", "Не забудь джаз"), Phrase("не против", "Я не против джаза"), Phrase("почему бы не", "Почему бы не включить джаз"), Phrase("не только", "Не только рок"), Phrase("не пропусти", "Не пропусти джаз"),
)  # fmt: skip

#: Words of indifference: the matter does not count any more.
INDIFFERENT: tuple[Phrase, ...] = (
    Phrase("doesn't matter", "Jazz or rock, it doesn't matter"), Phrase("not matter", "It does not matter"), Phrase("don't care", "I don't care about jazz"), Phrase("don't mind", "I don't mind jazz"), Phrase("don't really care", "I don't really care about jazz"), Phrase("without concern", "Play music without concern for jazz"), Phrase("can handle", "I can handle jazz"), Phrase("not picky", "I'm not picky"), Phrase("indifferent", "I'm indifferent to jazz"),
    Phrase("regardless", "Play anything regardless of the genre"), Phrase("whether", "I don't care whether it is jazz"), Phrase("not worry", "Let's not worry about jazz"), Phrase("don't worry", "Don't worry about jazz"), Phrase("not concerned", "I'm not concerned with jazz"), Phrase("no preference", "I have no preference"),
    Phrase("not a priority", "Jazz is not a priority"), Phrase("isn't a priority", "Jazz isn't a priority"), Phrase("not necessary", "Jazz is not necessary"), Phrase("isn't necessary", "Jazz isn't necessary"), Phrase("not required", "Jazz is not required"), Phrase("isn't required", "Jazz isn't required"), Phrase("not a requirement", "Jazz is not a requirement"),
    Phrase("without considering", "Play music without considering jazz"), Phrase("without giving", "Play music without giving jazz priority"), Phrase("ignore", "Ignore jazz"), Phrase("disregard", "Disregard jazz"), Phrase("isn't a big deal", "Jazz isn't a big deal"), Phrase("not a big deal", "Jazz is not a big deal"), Phrase("no big deal", "Jazz is no big deal"),
    Phrase("not an issue", "Jazz is not an issue"), Phrase("isn't an issue", "Jazz isn't an issue"), Phrase("will do", "Any music will do"), Phrase("is fine", "Any music is fine"), Phrase("not a concern", "Jazz is not a concern"), Phrase("isn't a concern", "Jazz isn't a concern"), Phrase("not needed", "Jazz is not needed"), Phrase("isn't needed", "Jazz isn't needed"), Phrase("not considering", "I am not considering jazz"), Phrase("without worrying", "Play music without worrying about jazz"), Phrase("either way", "Either way is fine"), Phrase("no need", "No need for jazz"), Phrase("don't need", "I don't need jazz"), Phrase("don't require", "I don't require jazz"), Phrase("not important", "Jazz is not important"), Phrase("isn't important", "Jazz isn't important"),
    Phrase("okay with", "I'm okay with rock"), Phrase("fine with", "I'm fine with rock"), Phrase("ok with", "I'm ok with rock"),
    Phrase("неважно", "Неважно, джаз или рок"), Phrase("не важно", "Не важно, какой джаз"), Phrase("все равно", "Мне всё равно, что играет"), Phrase("безразлич*", "Мне безразличен джаз"), Phrase("без разницы", "Мне без разницы"), Phrase("не обязательно", "Джаз не обязательно"),
)  # fmt: skip

#: A verdict on what stands before it in the same breath.
AFTERTHOUGHT: tuple[Phrase, ...] = (
    Phrase("isn't for me", "Jazz isn't for me"), Phrase("not for me", "Jazz is not for me"), Phrase("aren't for me", "They aren't for me"), Phrase("doesn't suit", "Jazz doesn't suit me"), Phrase("don't suit", "They don't suit me"), Phrase("doesn't cut it", "Jazz doesn't cut it"),
    Phrase("not comfortable", "Jazz is not comfortable"), Phrase("isn't comfortable", "It isn't comfortable"), Phrase("isn't working", "Jazz isn't working for me"), Phrase("not working for", "It is not working for me"), Phrase("doesn't work for", "Jazz doesn't work for me"), Phrase("no longer suits", "Jazz no longer suits me"),
    Phrase("isn't my thing", "Jazz isn't my thing"), Phrase("not my thing", "Jazz is not my thing"), Phrase("no longer my", "Jazz is no longer my thing"), Phrase("isn't my favorite", "Jazz isn't my favorite"), Phrase("надоел*", "Джаз надоел"), Phrase("не для меня", "Джаз не для меня"), Phrase("не мое", "Джаз — не моё"), Phrase("разонрави*", "Джаз разонравился"),
)  # fmt: skip
#: Words that turn round whatever was known of what they name.
TURNED: tuple[Phrase, ...] = (
    Phrase("changed my mind", "I changed my mind about jazz"), Phrase("change my mind", "I had to change my mind about jazz"), Phrase("передумал*", "Насчёт джаза я передумал"),
)  # fmt: skip

#: Words that make a wish a lasting one. Whoever did not mind either way has not changed by asking for one once.
LASTING: tuple[Phrase, ...] = (
    Phrase("always", "Always play jazz"), Phrase("never", "Never play jazz"), Phrase("from now on", "From now on play jazz"), Phrase("only", "Only jazz"), Phrase("going forward", "Going forward, jazz"), Phrase("in the future", "Play jazz in the future"),
    Phrase("future", "Jazz in my future drives"), Phrase("permanently", "Jazz, permanently"), Phrase("anymore", "I don't like jazz anymore"), Phrase("any more", "I don't like jazz any more"), Phrase("no longer", "I no longer like jazz"), Phrase("now", "I prefer jazz now"), Phrase("prefer", "I prefer jazz"), Phrase("decided", "I have decided on jazz"),
    Phrase("every time", "Jazz every time"), Phrase("instead", "Jazz instead"), Phrase("changed my mind", "I changed my mind about jazz"), Phrase("make sure", "Make sure it is jazz"), Phrase("prioritize", "Prioritize jazz"), Phrase("ensure", "Ensure that it is jazz"), Phrase("start", "Let's start with jazz"), Phrase("need", "I need jazz"), Phrase("matters", "Jazz matters to me"),
    Phrase("всегда", "Всегда включай джаз"), Phrase("никогда", "Никогда не включай джаз"), Phrase("теперь", "Теперь джаз"), Phrase("отныне", "Отныне джаз"), Phrase("впредь", "Впредь джаз"), Phrase("только", "Только джаз"), Phrase("больше не", "Больше не включай джаз"), Phrase("предпочита*", "Предпочитаю джаз"), Phrase("каждый раз", "Каждый раз джаз"),
)  # fmt: skip
#: Words after which comes what is put up with.
CONCESSION: tuple[Phrase, ...] = (
    Phrase("even if", "Play rock, even if there is jazz in it"), Phrase("even with", "Play it even with jazz in it"), Phrase("despite", "Play rock despite the jazz"),
    Phrase("even though", "Play it even though it is jazz"), Phrase("даже если", "Включи рок, даже если там джаз"), Phrase("несмотря на", "Включи рок, несмотря на джаз"),
)  # fmt: skip
#: What a concept says of another: who asks for the cheapest minds the price.
IMPLIED: Mapping[str, str] = {"cheap": "price", "bright": "high", "dim": "low"}

#: What a value says of the thing that its slot names: for it, against it, neither.
STANCES: Mapping[str, int] = {
    **dict.fromkeys(listed("yes true always required on да всегда нужен нужна нужно"), 1),
    **dict.fromkeys(listed("no false never off нет никогда"), -1),
    **dict.fromkeys(listed("indifferent irrelevant безразлично неважно"), 0),
}
#: Words of a slot by which liking its value means keeping away from it.
SHUNNED = listed("avoid avoidance avoided avoiding exclude избегать избегает")
#: Words of a slot whose value says how much of its thing is borne: little is against it, much makes no matter of it.
BORNE = listed("tolerance терпимость")
#: Words that say of what kind a thing is, not which: who hates Chinese food may love Italian food.
HEADS = listed(
    "food foods cuisine dish dishes restaurant restaurants music songs movie movies film films book books game games sport sports"
    " weather tea coffee wine beer cheese art dance dancing еда еду кухня кухню блюда музыка музыку песни фильм фильмы кино"
    " книги игры спорт погода чай кофе вино пиво сыр танцы"
)
#: Words of a slot that say only that it is a preference.
FORMAL = listed(
    "prefer prefers preferred preference preferences favorite favorites favourite favourites desired general type types kind need"
    " willingness willing tolerance sensitivity priority specific settings setting points interest user likes wants choice option"
    " pay extra paid consider considers always never rather first take possible accepting accept based information source car"
    " vehicle system area interior availability facilities options access stores retail updates less more min minute minutes"
    " любимый любимая предпочтение предпочитает нравится тип вид"
)
