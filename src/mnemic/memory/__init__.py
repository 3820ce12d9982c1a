"""The synchronous face of the package: :class:`Memory` and the namespaces of its rarer verbs."""

from .memory import Memory

__all__ = ["Memory"]
