"""Millions of contacts and subscribers, made by a few statements of PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, text

from masthead.db import Database
from tests.bench.settling import settle

TABLES = ("crm_contact", "crm_contact_tag", "email_subscriber", "core_search")
STAGES = ("Met", "Joined", "Active", "Board")
FIRST_NAMES, LAST_NAMES = 1_000, 10_000
"""The numbers of distinct names; each pair of a first and a last name occurs once in 10 million."""
SECONDS = 10
"""The time between two contacts: 10 million are made in three years."""

_SYLLABLES = [f"{c}{v}" for c in "bdfgklmnprstvw" for v in "aeiou"]
_NAMES = """
    CREATE TEMP TABLE named AS
    SELECT n, first.word AS first, last.word AS last,
           CASE WHEN n % 33 > 0 THEN 'c' || n || '@example.org' END AS email,
           CASE WHEN n % 2 = 0 THEN '+49 30 ' || lpad(n::text, 8, '0') END AS phone,
           now() - (:size - n) * interval '1 second' * :seconds AS made
    FROM generate_series(1, :size) AS n
    JOIN first ON first.id = n % :first_names
    JOIN last ON last.id = n / :first_names % :last_names
"""
_CONTACTS = """
    INSERT INTO crm_contact (id, name, name_key, email, email_key, mailbox_key, phone, phone_key,
                             status, tags, stage_id, notes, revision, created_at, updated_at)
    SELECT n, initcap(first || ' ' || last),
           least(first COLLATE "C", last) || ' ' || greatest(first COLLATE "C", last),
           email, email, email, phone, replace(phone, ' ', ''),
           CASE WHEN n % 20 < 12 THEN 'Contact' WHEN n % 20 < 16 THEN 'Member'
                WHEN n % 20 < 18 THEN 'Event Attendee' WHEN n % 20 < 19 THEN 'Prospect'
                ELSE 'Inactive' END,
           CASE WHEN n % 10000 = 0 THEN '["Choir", "Rare"]' WHEN n % 10 = 0 THEN '["Choir"]'
                WHEN n % 3 = 0 THEN '["Press"]' ELSE '[]' END::json,
           CASE WHEN n % 2 = 1 THEN 1 + n / 2 % 4 END,
           CASE WHEN n % 10 = 0 THEN 'Remarks of staff on this contact, in one sentence.' END,
           1, made, made + (now() - made) * (n % 100 = 0)::int * 0.9
    FROM named ORDER BY n
"""
_TAGS = """
    INSERT INTO crm_contact_tag (item_id, tag_key, created_at, status, stage_id)
    SELECT id, lower(tag), created_at, status, stage_id
    FROM crm_contact, json_array_elements_text(tags) AS tag
"""
_SUBSCRIBERS = """
    INSERT INTO email_subscriber (id, email, name, status, source, fields, topics, language,
                                  revision, created_at, updated_at)
    SELECT n, 's' || n || '@example.org', initcap(first || ' ' || last),
           CASE WHEN n % 5 = 0 THEN 'unsubscribed' ELSE 'subscribed' END,
           CASE WHEN n % 4 = 0 THEN 'import' ELSE 'website' END,
           json_build_object('city', CASE n % 50 WHEN 0 THEN 'Bristol' ELSE 'London' END),
           CASE WHEN n % 7 = 0 THEN '["Garden", "Choir"]' ELSE '["Choir"]' END::json,
           CASE n % 3 WHEN 0 THEN 'de' WHEN 1 THEN 'en' END,
           1, made, made
    FROM named ORDER BY n
"""
_SUPPRESSIONS = """
    INSERT INTO email_suppression (address, kind, reason, at)
    SELECT letter || n || '@example.org', 'manual', 'Asked by phone', now()
    FROM generate_series(1, :size, 100) AS n, unnest(ARRAY['c', 's']) AS letter
"""
_SEARCH = """
    INSERT INTO core_search (item_id, content_type, shelf, tokens, runs)
    SELECT n, :content_type, 1, array_to_tsvector(array_remove(ARRAY[{tokens}], NULL)), ''
    FROM named
"""
_INDEXES = """
    SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
    WHERE indrelid = ANY (CAST(:tables AS regclass[]))
      AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
"""


def fill(database: Database, size: int) -> None:
    """Store contacts, subscribers, tags, suppressions and their search index.

    :param database: a migrated database on PostgreSQL without contacts.
    """
    with database.engine.begin() as connection:
        # Foreign keys would be checked row by row.
        connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
        connection.exec_driver_sql("SET LOCAL maintenance_work_mem = '1GB'")
        with _without_indexes(connection):
            _fill(connection, size)
    settle(database)


@contextmanager
def _without_indexes(connection: Connection) -> Iterator[None]:
    """Drop the indexes of the tables, and build them anew afterwards."""
    found = connection.execute(text(_INDEXES), {"tables": list(TABLES)}).all()
    for name, _ in found:
        connection.exec_driver_sql(f"DROP INDEX {name}")
    yield
    for _, create in found:
        connection.exec_driver_sql(create)


def _fill(connection: Connection, size: int) -> None:
    _store_words(connection)
    names = {"first_names": FIRST_NAMES, "last_names": LAST_NAMES}
    connection.execute(text(_NAMES), {"size": size, "seconds": SECONDS, **names})
    stages = 'INSERT INTO crm_stage (name, name_key, description, "order", revision, created_at,'
    stages += " updated_at) VALUES (:name, lower(:name), '', 0, 1, now(), now())"
    connection.execute(text(stages), [{"name": name} for name in STAGES])
    for statement in (_CONTACTS, _TAGS, _SUBSCRIBERS):
        connection.execute(text(statement))
    connection.execute(text(_SUPPRESSIONS), {"size": size})
    domain = ("'example'", "'org'")
    searched = {
        "contacts": ("'c' || n", *domain, "first", "last", "lpad(n::text, 8, '0')", "'49'", "'30'"),
        "newsletter-subscribers": ("'s' || n", *domain, "first", "last"),
    }
    for content_type, words in searched.items():
        statement = _SEARCH.format(tokens=", ".join(_tokens(words)))
        connection.execute(text(statement), {"content_type": content_type})
    for table in ("crm_contact", "email_subscriber"):
        sequence = f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), :size)"
        connection.execute(text(sequence), {"size": size})


def _store_words(connection: Connection) -> None:
    """Store the first names of two or three syllables, and the last names of up to four."""
    for table, count in (("first", FIRST_NAMES), ("last", LAST_NAMES)):
        connection.exec_driver_sql(f"CREATE TEMP TABLE {table} (id int, word text)")
        rows = [{"id": n, "word": name_of(n, ending=table[0])} for n in range(count)]
        connection.execute(text(f"INSERT INTO {table} VALUES (:id, :word)"), rows)


def name_of(number: int, ending: str) -> str:
    """Return the name with a number, in lower case."""
    count, syllables = len(_SYLLABLES), []
    for _ in range(3):
        number, at = divmod(number, count)
        syllables.append(_SYLLABLES[at])
    return "".join(syllables) + ending


def _tokens(words: tuple[str, ...]) -> Iterator[str]:
    """Yield the expressions of the tokens of a text: each word, and its beginnings."""
    for word in words:
        yield from (f"left({word}, 1)", f"left({word}, 2)", word)
