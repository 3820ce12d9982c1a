"""``python -m mnemic`` is the command line."""

from __future__ import annotations

from .interfaces.cli.app import main

if __name__ == "__main__":
    main()
