"""Who holds a lease, and whether that process still runs: the lease of one that was killed need not run out."""

from __future__ import annotations

import os
import platform
import uuid


def new_holder() -> str:
    """A name for a holder of leases."""
    return f"{platform.node()}/{os.getpid()}/{uuid.uuid4()}"


def ended(holder: str) -> bool:
    """Whether the process of a holder is known to be gone; false when that cannot be told."""
    host, pid, *_ = [*holder.split("/"), "", ""]
    if os.name != "posix" or host != platform.node() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
