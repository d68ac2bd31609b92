"""The rules by which follow-ups begin."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import inspect
from sqlalchemy.orm import Session

from masthead import Invalid, instance_of
from masthead_crm.models import Rule
from masthead_crm.services.follow_ups import leave_to_staff
from masthead_crm.services.stages import use_stages


def flush_rules(session: Session, rules: Sequence[Rule]) -> None:
    """Write rules, new or changed.

    :raises Invalid: where a stage or a template that was chosen isn't there. One that was chosen
        before may have gone: whoever switches such a rule off needn't choose another.
    """
    with session.no_autoflush:
        stages = _chosen(rules, "trigger_stage_id")
        if stages - {stage.id for stage in use_stages(session, stages)}:
            raise Invalid("triggerStageId: There is no such stage")
        templates = _chosen(rules, "email_template_id")
        if templates - _existing_templates(session, sorted(templates)):
            raise Invalid("emailTemplateId: There is no such template")
    beginning = [rule.id for rule in rules if _begins_to_send(rule)]
    session.add_all(rules)
    session.flush()
    if beginning:
        leave_to_staff(session, beginning)


def _begins_to_send(rule: Rule) -> bool:
    """Whether a rule that was there before gets its first template, or is switched on again."""
    active, template = (
        inspect(rule).attrs[name].history for name in ("active", "email_template_id")
    )
    first_template = template.has_changes() and not any(template.deleted or ())
    switched_on = active.has_changes() and rule.active
    return inspect(rule).persistent and (switched_on or first_template)


def _chosen(rules: Sequence[Rule], attribute: str) -> set[int]:
    """The ids that rules have got in an attribute since they were read."""
    got = (inspect(rule).attrs[attribute].history.added or () for rule in rules)
    return {number for numbers in got for number in numbers if number is not None}


def _existing_templates(session: Session, ids: list[int]) -> set[int]:
    """Those of the templates that a plugin which sends mail has."""
    answers = instance_of(session).hooks.masthead_mail_templates(session=session, ids=ids)
    return {number for numbers in answers for number in numbers}
