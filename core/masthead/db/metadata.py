"""The metadata that holds a plugin's tables, with one rule for the names of constraints."""

from __future__ import annotations

from sqlalchemy import MetaData

__all__ = ["NAMING_CONVENTION", "plugin_metadata"]

# Without names a constraint can't be dropped or altered by a later migration.
NAMING_CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


def plugin_metadata(name: str) -> MetaData:
    """Return new metadata for the tables of the plugin ``name``; they are called ``<name>_…``.

    ``metadata.info["plugin"]`` says whose it is.
    """
    return MetaData(naming_convention=NAMING_CONVENTION, info={"plugin": name})
