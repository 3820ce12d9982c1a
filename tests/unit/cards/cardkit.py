"""A document in English and Russian, and what the fixture ``sections`` is."""

from __future__ import annotations

from collections.abc import Callable

RUNBOOK = """# Billing runbook

How we send bills, and what to do when one is wrong.

## Refunds

**Grace period**: three days after the bill. Refunds go through the ledger service and take five days.

## Rotating API keys

Rotate the Stripe key every month with `rotate-key`. Nobody else may hold it.

```sh
# not a heading
rotate-key --now
```

## Перенос счёта

Отсрочка — это три дня после счёта. Перенос согласует бухгалтер Марина.
"""

#: Gives id → text of the sections that are offered.
Sections = Callable[[], dict[str, str]]
