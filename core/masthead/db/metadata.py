"""The metadata that holds a plugin's tables: whose they are, what constraints are called."""

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
    """Return new metadata for the tables of the plugin ``name``; they are called ``<name>_…``.

    ``by_hand`` names tables that no model declares and only hand-written migrations make, a search
    index for example; tables called ``<by hand>_…`` (SQLite's FTS5 makes some) belong to them.
    """
    return MetaData(naming_convention=_NAMING_CONVENTION, info={"plugin": name, "by_hand": by_hand})


def owns(metadata: MetaData, table: str) -> bool:
    """Whether ``table`` is one that the models of this plugin have to declare."""
    if table in metadata.tables:
        return True
    by_hand = any(
        table == name or table.startswith(f"{name}_") for name in metadata.info["by_hand"]
    )
    return table.startswith(f"{metadata.info['plugin']}_") and not by_hand
