"""The metadata of a plugin's tables: their owner and the names of their constraints."""

from __future__ import annotations

from sqlalchemy import MetaData

# Without names a constraint can't be dropped or altered by a later migration.
_NAMING_CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


def plugin_metadata(name: str, by_hand: tuple[str, ...] = ()) -> MetaData:
    """Return new metadata for the tables of the plugin ``name``, which are named ``<name>_…``.

    :param by_hand: the names of tables that only handwritten migrations create and no model
        declares, such as a search index. They include the tables ``<by hand>_…``, such as the ones
        that SQLite's FTS5 creates.
    """
    return MetaData(naming_convention=_NAMING_CONVENTION, info={"plugin": name, "by_hand": by_hand})


def owns(metadata: MetaData, table: str) -> bool:
    """Whether the models of this plugin have to declare ``table``."""
    if table in metadata.tables:
        return True
    by_hand = any(
        table == name or table.startswith(f"{name}_") for name in metadata.info["by_hand"]
    )
    return table.startswith(f"{metadata.info['plugin']}_") and not by_hand
