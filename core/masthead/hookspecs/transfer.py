"""The hooks of export, import, backup and the demo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from masthead.hookspecs.markers import hookspec

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from masthead.demo.demo import Demo
    from masthead.instance import Instance
    from masthead.transfer.files import KeptFiles

# pluggy calls only implementations, so the bodies are empty in spite of the return types.
# mypy: disable-error-code="empty-body"


@hookspec
def masthead_files(instance: Instance) -> list[KeptFiles]:
    """Called at an export, an import, a backup and a restore.

    :param instance: the instance of the command.
    :return: the files outside of the database that can't be generated again.

    Raising stops the command.
    """


@hookspec
def masthead_imported(session: Session) -> str | None:
    """Called in the transaction of an import, after all rows and files are imported.

    :param session: the session of the transaction. The rows were inserted without ORM objects.
    :return: a sentence for the user of the command; None for no message.

    Create data that isn't exported, such as an index; notify nobody. Pause work with effects
    elsewhere, such as mail: the exported instance may do it. Raising rolls the import back.
    """


@hookspec
def masthead_restored(session: Session) -> str | None:
    """Called after the database was restored from a backup and migrated, before it is used.

    :param session: the session of the transaction that ends the restore.
    :return: a sentence for the user of the command; None for no message.

    Pause work with effects elsewhere, such as mail: it may have been done since the backup. Make
    invalid what may have been revoked since. Raising stops the start; the next one tries again.
    """


@hookspec
def masthead_demo(session: Session, demo: Demo) -> None:
    """Called when ``masthead serve --demo`` fills an empty instance with example content.

    :param session: the session of the transaction in which the demo is created.
    :param demo: creates items; knows the author, the approver and the date.

    Create a few items of each type; send nothing. A plugin that stores images is called first if
    it is marked with ``tryfirst=True``. Raising stops the start and stores nothing.
    """
