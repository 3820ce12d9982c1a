"""Places that are called otherwise in another language: names that no rule for letters brings together. Data only.

A row holds the names of one place, English first; what letters alone show (Berlin, Берлин) needs no row.
"""

from __future__ import annotations

CITIES = """
algiers/алжир; alexandria/александрия; antwerp/antwerpen/антверпен; athens/афины; barcelona/барселона; basel/базель
beijing/peking/пекин; beirut/бейрут; belgrade/beograd/белград; bergen/берген; bethlehem/вифлеем; bologna/болонья
bordeaux/бордо; brno/брно; bruges/brugge/брюгге; brussels/bruxelles/brussel/брюссель; bucharest/bucurești/бухарест
budapest/будапешт; buenos aires/буэнос-айрес; cairo/каир; cape town/кейптаун; cologne/köln/koeln/кёльн
copenhagen/københavn/копенгаген; damascus/дамаск; dnipro/днепр; dusseldorf/düsseldorf/дюссельдорф; edinburgh/эдинбург
florence/firenze/флоренция; geneva/genève/genf/женева; genoa/genova/генуя; gdansk/gdańsk/гданьск; gothenburg/göteborg/гётеборг
hamburg/гамбург; hanoi/ханой; hanover/hannover/ганновер; havana/la habana/гавана; heidelberg/гейдельберг; helsinki/хельсинки
ho chi minh city/saigon/хошимин/сайгон; hong kong/гонконг; innsbruck/инсбрук; jerusalem/иерусалим; kharkiv/kharkov/харьков
kyiv/kiev/киев; leipzig/лейпциг; lisbon/lisboa/лиссабон; lucerne/luzern/люцерн; lviv/lvov/львов; lyon/lyons/лион
marseille/marseilles/марсель; mexico city/мехико; milan/milano/милан; moscow/москва/мск; mumbai/bombay/мумбаи/бомбей
munich/münchen/muenchen/мюнхен; naples/napoli/неаполь; new delhi/нью-дели; nice/ницца; nicosia/никосия
nuremberg/nürnberg/нюрнберг; odesa/odessa/одесса; padua/padova/падуя; paris/париж; pisa/пиза; porto/oporto/порту
prague/praha/прага; quebec/québec/квебек; reykjavik/рейкьявик; rome/roma/рим; salzburg/зальцбург; seoul/сеул
seville/sevilla/севилья; shanghai/шанхай; singapore/сингапур; sofia/софия; stockholm/стокгольм; strasbourg/страсбург
stuttgart/штутгарт; tashkent/ташкент; tbilisi/tiflis/тбилиси; tel aviv/тель-авив; tehran/тегеран; the hague/den haag/гаага
turin/torino/турин; valencia/валенсия; venice/venezia/венеция; vienna/wien/вена; warsaw/warszawa/варшава
washington/вашингтон; wroclaw/wrocław/вроцлав; yerevan/ереван; zagreb/загреб; zurich/zürich/цюрих; istanbul/стамбул
saint petersburg/st petersburg/санкт-петербург/петербург/питер/спб; yekaterinburg/екатеринбург/екб
nizhny novgorod/нижний новгород; rostov-on-don/ростов-на-дону; new york city/new york/nyc/нью-йорк
los angeles/la/лос-анджелес; san francisco/sf/сан-франциско; chicago/чикаго; philadelphia/филадельфия; montreal/монреаль
"""
COUNTRIES = """
albania/албания; argentina/аргентина; australia/австралия; austria/österreich/австрия; azerbaijan/азербайджан
belgium/бельгия; belarus/беларусь/белоруссия; bosnia/босния; brazil/бразилия; bulgaria/болгария; canada/канада; chile/чили
china/китай; croatia/хорватия; cuba/куба; cyprus/кипр; czechia/czech republic/чехия; denmark/дания; egypt/египет
england/англия; estonia/эстония; ethiopia/эфиопия; finland/финляндия; france/франция; germany/deutschland/германия
georgia/грузия; greece/греция; hungary/венгрия; iceland/исландия; india/индия; indonesia/индонезия; ireland/ирландия
israel/израиль; italy/italia/италия; japan/япония; jordan/иордания; kazakhstan/казахстан; kyrgyzstan/киргизия/кыргызстан
latvia/латвия; lebanon/ливан; lithuania/литва; luxembourg/люксембург; malaysia/малайзия; mexico/мексика; moldova/молдавия/молдова
mongolia/монголия; montenegro/черногория; morocco/марокко; netherlands/the netherlands/holland/нидерланды/голландия
new zealand/новая зеландия; north macedonia/северная македония; norway/норвегия; philippines/филиппины; poland/польша
portugal/португалия; romania/румыния; russia/россия; scotland/шотландия; serbia/сербия; slovakia/словакия; slovenia/словения
south africa/юар; south korea/южная корея; spain/españa/испания; sri lanka/шри-ланка; sweden/швеция; switzerland/швейцария
taiwan/тайвань; tajikistan/таджикистан; thailand/таиланд/тайланд; tunisia/тунис; turkey/türkiye/турция; ukraine/украина
united arab emirates/uae/оаэ; united kingdom/uk/britain/great britain/великобритания/британия
united states/united states of america/usa/us/сша; uzbekistan/узбекистан; vietnam/вьетнам; wales/уэльс
"""
PLACES: tuple[str, ...] = tuple(
    row.strip() for table in (CITIES, COUNTRIES) for row in table.replace("\n", ";").split(";") if row.strip()
)
