"""The stages that contacts go through."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from masthead import Refused, fold, unique
from masthead_crm.models import Contact, Entry, Rule, Stage

TAKEN = "A stage with this name already exists"


def flush_stages(session: Session, stages: Sequence[Stage]) -> None:
    """Write stages, new or changed; the steps that led to them bear their new names.

    :raises Invalid: where another one has the name.
    """
    for stage in stages:
        stage.name_key = fold(stage.name)
    with unique(session, TAKEN, Stage.name_key):
        session.add_all(stages)
    for stage in stages:
        session.execute(
            update(Entry)
            .where(Entry.stage_id == stage.id, Entry.stage != stage.name)
            .values(stage=stage.name)
            .execution_options(synchronize_session=False)
        )


def refuse_used_stage(session: Session, stage: Stage) -> None:
    """Keep a stage that contacts stand on or rules wait for.

    :param stage: locked, for which who is about to use it waits.
    :raises Refused: says how many.
    """
    contacts = select(func.count()).select_from(Contact).where(Contact.stage_id == stage.id)
    rules = select(func.count()).select_from(Rule).where(Rule.trigger_stage_id == stage.id)
    standing, waiting = session.scalar(contacts) or 0, session.scalar(rules) or 0
    if standing or waiting:
        raise Refused(f"{standing} contacts stand on this stage, and {waiting} rules use it")


def use_stages(session: Session, ids: Collection[int]) -> Sequence[Stage]:
    """The stages with these ids that exist, which nobody can delete until the transaction ends."""
    stages = select(Stage).where(Stage.id.in_(ids)).order_by(Stage.id)
    return session.scalars(stages.with_for_update(read=True, key_share=True)).all()
