"""Rooms beside the hall: what a memory does well without. Each folder may be taken away (:func:`mnemic.plugins.extra`).

A room brings phases of the night, a namespace of verbs and a group of commands; where its folder is missing there are
none of them, and asking for the namespace says so.
"""
