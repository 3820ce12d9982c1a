"""Language models: only consolidation asks one, and never has to. ``resolve("ollama:llama3.2")`` makes one of a
name."""

from .asking import Asker, Budget, BudgetSpent, Prompt
from .base import LLM, PROVIDERS, Answer, Message, Schema, known, resolve

__all__ = [
    "LLM",
    "PROVIDERS",
    "Answer",
    "Asker",
    "Budget",
    "BudgetSpent",
    "Message",
    "Prompt",
    "Schema",
    "known",
    "resolve",
]
