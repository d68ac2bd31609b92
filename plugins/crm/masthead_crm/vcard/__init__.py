"""Contacts as vCards: read from files of address books, and written for them.

The libraries for vCards read version 3.0 only, without the quoted-printable texts of version 2.1.
"""
