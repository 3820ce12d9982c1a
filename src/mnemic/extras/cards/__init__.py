"""Reference documents: read into sections, kept as cards, refreshed at night, pointed to by MEMORY.md."""
