"""The hooks about a person's data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from masthead.hookspecs.markers import hookspec

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from masthead.auth.caller import Caller
    from masthead.resources.person_data import PersonData

# pluggy calls only implementations, so the bodies are empty in spite of the return types.
# mypy: disable-error-code="empty-body"


@hookspec
def masthead_person_data(session: Session, address: str, caller: Caller | None) -> list[PersonData]:
    """Called when a person requests access to or erasure of their personal data.

    :param session: a session for reading.
    :param address: the person's address, as ``Email`` stores it.
    :param caller: the user who reads the data; None for the command line.
    :return: the personal data that the plugin stores, one ``PersonData`` for each kind, also
        without items. Kinds that the caller may not read are left out of the answer.

    Raising fails the request.
    """


@hookspec
def masthead_forget_person(session: Session, address: str) -> None:
    """Called when a person has requested erasure of their personal data.

    :param session: the session of the transaction.
    :param address: the person's address, as ``Email`` stores it.

    Delete or anonymise the data of ``masthead_person_data``. Raising rolls the transaction back.
    """
