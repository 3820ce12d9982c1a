"""The awaited face of the package: :class:`AsyncMemory`."""

from .memory import AsyncMemory

__all__ = ["AsyncMemory"]
