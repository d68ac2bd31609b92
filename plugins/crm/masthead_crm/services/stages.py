"""The stages of the progression."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from masthead import ProblemCode, Refused, fold, unique, wrong_field
from masthead_crm.models import Contact, Entry, Rule, Stage

TAKEN = "A stage with this name already exists"


def flush_stages(session: Session, stages: Sequence[Stage]) -> None:
    """Save new or changed stages, and rename them in the progression entries.

    :raises Invalid: where another stage has the name.
    """
    for stage in stages:
        stage.name_key = fold(stage.name)
    with unique(
        session, wrong_field("name", ProblemCode.ALREADY_EXISTS, TAKEN, named=False), Stage.name_key
    ):
        session.add_all(stages)
    for stage in stages:
        session.execute(
            update(Entry)
            .where(Entry.stage_id == stage.id, Entry.stage != stage.name)
            .values(stage=stage.name)
            .execution_options(synchronize_session=False)
        )


def refuse_used_stages(session: Session, stages: Sequence[Stage]) -> None:
    """Refuse to delete stages of contacts or rules.

    :param stages: locked, so that no other transaction can begin to use them.
    :raises Refused: with the numbers of contacts and rules.
    """
    ids = [stage.id for stage in stages]
    contacts = select(func.count()).select_from(Contact).where(Contact.stage_id.in_(ids))
    rules = select(func.count()).select_from(Rule).where(Rule.trigger_stage_id.in_(ids))
    contact_count, rule_count = session.scalar(contacts) or 0, session.scalar(rules) or 0
    if contact_count or rule_count:
        raise Refused(
            f"{contact_count} contacts stand on this stage, and {rule_count} rules use it"
        )


def lock_stages(session: Session, ids: Collection[int]) -> Sequence[Stage]:
    """Return the existing stages with these ids; they can't be deleted before the commit."""
    stages = select(Stage).where(Stage.id.in_(ids)).order_by(Stage.id)
    return session.scalars(stages.with_for_update(read=True, key_share=True)).all()
