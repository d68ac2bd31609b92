"""The rules by which follow-ups begin."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from masthead import Invalid, instance_of
from masthead_crm.models import Rule
from masthead_crm.services.stages import use_stages


def flush_rules(session: Session, rules: Sequence[Rule]) -> None:
    """Write rules, new or changed.

    :raises Invalid: where a stage or a template isn't there.
    """
    with session.no_autoflush:
        stages = {rule.trigger_stage_id for rule in rules}
        if stages - {stage.id for stage in use_stages(session, stages)}:
            raise Invalid("triggerStageId: There is no such stage")
        templates = {rule.email_template_id for rule in rules} - {None}
        if templates - _existing_templates(session, sorted(filter(None, templates))):
            raise Invalid("emailTemplateId: There is no such template")
    session.add_all(rules)
    session.flush()


def _existing_templates(session: Session, ids: list[int]) -> set[int]:
    """Those of the templates that a plugin which sends mail has."""
    answers = instance_of(session).hooks.masthead_mail_templates(session=session, ids=ids)
    return {number for numbers in answers for number in numbers}
