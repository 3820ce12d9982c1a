"""Two statements and what they are to each other: one parse, one relation, one lexicon of closed classes per
language."""
