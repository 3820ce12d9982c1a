"""How people say that something has changed, or is as it was again, English. See :class:`~.row.Row`."""

from __future__ import annotations

from .row import ANYONE, PERSON, Example, Row

_E = Example
_NO_POINTER = r"(?!(?:it|this|that|them|these|those|him|her|you|the idea|the way|how|what|when)\b)"
_HAVE = r"(?:(?:have|has|just|finally|recently|already) )*"
_LOVE = r"(?:love|like|enjoy|adore)"
_HATE = r"(?:hate|hates|dislike|dislikes|detest|detests|loathe|loathes|despise|despises|cannot stand|cannot bear|can't stand|can't bear)"
_NOW = r"(?:[, ]+(?:but|and|yet|now|these days|today|nowadays))*[, ]+(?:(?:i|we|he|she|they) )?(?:now |really |just |absolutely )*"
_DRINK = r"(?:(?:black|green|herbal|decaf|iced|oat|white|mint|sparkling) )*(?:coffee|tea|matcha|water|beer|wine|cola|soda|juice|mate|decaf|cocoa|milk)"
_PROJECT = r"(?:(?:project|team|squad) [A-Z][\w-]*|[A-Z][\w-]* (?:project|team|squad))"

ROWS: tuple[Row, ...] = (
    # tastes
    Row("started begun began come grown learned learnt", rf"{_HAVE}(?:started|begun|began|come|grown|learned|learnt) (?:to {_LOVE}|liking|loving|enjoying) (?P<o>{_NO_POINTER}.+)", "likes", "{S} likes {o}", (_E("I've started to like cilantro.", "cilantro"), _E("Vera has come to love opera.", "opera", "Vera")), PERSON),
    Row("used", rf"used to {_LOVE} (?P<o>{_NO_POINTER}[\w' -]+?){_NOW}{_HATE} (?:it|them|that)\b.*", "dislikes", "{S} dislikes {o}", (_E("I used to love horror films, now I hate them.", "horror films"),), PERSON, "short", whole=True),
    Row("used", rf"used to {_HATE} (?P<o>{_NO_POINTER}[\w' -]+?){_NOW}{_LOVE}s? (?:it|them|that)\b.*", "likes", "{S} likes {o}", (_E("I used to hate running but now I love it.", "running"),), PERSON, "short", whole=True),
    Row("used", rf"used to {_HATE} (?P<o>{_NO_POINTER}.+)", "dislikes", "{S} no longer dislikes {o}", (_E("I used to hate olives.", "olives"),), PERSON, "short", act="end"),
    # work
    Row("fired sacked laid let dismissed redundant", r"(?:(?:has|have|had|was|were|got|is|am|been|just|recently|made) )+(?:fired|sacked|laid off|let go|dismissed|redundant) (?:from|by|at) (?P<o>[A-Z].+)", "works_at", "{S} no longer works at {o}", (_E("Priya has been fired from Initech.", "Initech", "Priya"), _E("I was let go by Globex.", "Globex")), PERSON, "name", act="end", object_type="organization"),
    Row("quit lost left resigned fired sacked laid let redundant retired unemployed", r"(?:(?:has|have|had|was|were|got|is|am|been|just|made) )*(?:(?:quit|lost|left|resigned from) (?:my|his|her|their|the) (?:day )?job|resigned|fired|sacked|laid off|let go|made redundant|retired)$", "works_at", "{S} no longer has that job", (_E("Priya quit her job.", "", "Priya"), _E("I got laid off.", "")), PERSON, "whatever", act="end", object_type="organization"),
    Row("back returned rejoined", r"(?:(?:am|is|are|have|has|just|now) )*(?:(?:back|gone back|went back|returned)(?: to work(?:ing)?)? at|back with|(?:went|gone|came|come) back to work(?:ing)? (?:at|for)|rejoined|returned to work (?:at|for)|(?:am |is )?working again (?:at|for)) (?P<o>[A-Z].+)", "works_at", "{S} works at {o}", (_E("I'm back at Initech.", "Initech"), _E("Vera rejoined Acme.", "Acme", "Vera")), PERSON, "name", object_type="organization", look=r"[A-Z]"),
    Row("changed switched jobs employers companies", rf"{_HAVE}(?:changed|switched) (?:jobs|employers|companies|firms)(?: from (?P<old>[A-Z]\w+))?(?:,| and| to)* (?:now )?(?:(?:i )?(?:work|works|am|is) (?:at|for) )?(?P<o>[A-Z].+)", "works_at", "{S} works at {o}", (_E("I changed jobs from Acme to Globex.", "Globex"),), PERSON, "name", object_type="organization", look=r"(?:jobs|employers|companies|firms)"),
    # projects
    Row("reassigned allocated transferred switched shifted moved rolled hopped went", rf"{_HAVE}(?:(?:am|is|are|was|were|got|been|being) )*(?:reassigned|allocated|transferred|switched|shifted|moved|rolled|hopped|went)(?: over)?(?: (?:from|off) (?:the )?(?P<old>(?:project |team )?[A-Z][\w-]*)(?: project| team)?)? (?:to|onto) (?:the )?(?P<o>{_PROJECT})\b.*", "assigned_to", "{S} is assigned to {o}", (_E("Ravi was reassigned to project Gemini.", "Gemini", "Ravi"), _E("Ravi switched to project Gemini.", "Gemini", "Ravi")), PERSON, "thing", object_type="project", look=r"(?:[Pp]roject|[Tt]eam|[Ss]quad)"),
    Row("reassigned allocated", rf"{_HAVE}(?:(?:am|is|are|was|were|got|been|being|now) )*(?:reassigned|allocated)(?: from (?P<old>[\w ]+?))? to (?P<o>[A-Z][\w-]*)\b.*", "assigned_to", "{S} is assigned to {o}", (_E("Ravi has been reassigned to Gemini.", "Gemini", "Ravi"),), PERSON, "thing", object_type="project"),
    Row("longer left dropped removed off", rf"(?:(?:am|is|are) no longer (?:on|assigned to|part of|working on)|no longer works? on|{_HAVE}(?:left|quit|dropped out of|stepped down from|was removed from|were removed from)|{_HAVE}(?:been |was |got )?removed from|(?:am|is) off) (?:the )?(?P<o>{_PROJECT})\b.*", "assigned_to", "{S} is no longer assigned to {o}", (_E("Ravi is no longer on project Apollo.", "Apollo", "Ravi"), _E("Ravi left the Apollo team.", "Apollo team", "Ravi")), PERSON, "thing", act="end", object_type="project", look=r"(?:[Pp]roject|[Tt]eam|[Ss]quad)"),
    # food and drink
    Row("again", r"(?:eats?|(?:am|is|are) eating|(?:started|began) eating|went back to eating) (?P<o>meat|fish|dairy|eggs|gluten|bread|sugar|cheese|everything)(?: again)(?: now)?$", "diet", "{S} eats {o} again", (_E("I eat meat again.", "meat"),), PERSON, "short"),
    Row("back", rf"{_HAVE}(?:(?:am|is|are) )?(?:went |gone |switched |moved )?back (?:to|on|to drinking) (?P<o>{_DRINK})\b(?! (?:shop|maker|machine|break)).*", "habit", "{S} drinks {o}", (_E("I went back to coffee.", "coffee", scope="drinks"),), PERSON, "short", scope="drinks", look=r"back (?:to|on)"),
    # tools
    Row("back", rf"{_HAVE}(?:(?:am|is|are) )?(?:switched|went|gone|moved|came|reverted|returned|migrated|rolled|fell)(?: over)? back to (?:using )?(?P<o>(?!project\b|team\b|school\b|work\b|bed\b|sleep\b|normal\b|basics\b|eating\b|drinking\b)[\w.+#-]+)\b.*", "uses", "{S} uses {o}", (_E("I switched back to vim.", "vim", scope="editor"), _E("We moved back to postgres.", "postgres", "project")), ANYONE, "tool_by_name", scope="{tool}"),
    Row("upgraded updated migrated downgraded bumped", rf"{_HAVE}(?:(?:was|were|is|are|been) )*(?:upgraded|updated|migrated|downgraded|bumped) (?:(?:everything|it|us|the \w+) )?(?:from [\w.+#-]+(?: v?\d[\w.]*)? )?to (?P<k>[A-Z][\w+#-]*) (?P<o>v?\d+(?:\.\d+)*)\b.*", "version", "{k} is at version {o}", (_E("We upgraded to Python 3.12.", "3.12", "project", "python"),), ("i", "we", "name", "thing"), "version", scope="{k}", keep_time=True, look=r"to [A-Z][\w+#-]* v?\d"),
    # studies
    Row("transferred switched moved changed", rf"{_HAVE}(?:transferred|switched|changed (?:universities|schools|colleges))(?: from (?P<old>[A-Z][\w.]*(?: [A-Z]\w+)*))? to (?P<o>(?:the )?(?:[A-Z][\w.]+ )*(?:University|College|School|Institute|Academy|Polytechnic|MIT|Stanford|Harvard|Yale|Princeton|Oxford|Cambridge|Caltech|ETH)\b.*)", "studies_at", "{S} studies at {o}", (_E("I transferred to Stanford.", "Stanford"),), PERSON, "name", object_type="organization", look=r"to (?:the )?[A-Z]"),
)  # fmt: skip
