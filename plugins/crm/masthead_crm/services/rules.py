"""The rules that create follow-ups."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import inspect
from sqlalchemy.orm import Session

from masthead import ProblemCode, wrong_field
from masthead_crm.models import Rule
from masthead_crm.services.follow_ups import leave_to_staff
from masthead_crm.services.stages import lock_stages
from masthead_crm.services.templates import existing_templates


def flush_rules(session: Session, rules: Sequence[Rule]) -> None:
    """Save new or changed rules.

    :raises Invalid: where a stage or a template is chosen that doesn't exist. One that was chosen
        earlier may be missing, so that such a rule can still be switched off.
    """
    with session.no_autoflush:
        stages = _chosen(rules, "trigger_stage_id")
        if stages - {stage.id for stage in lock_stages(session, stages)}:
            raise wrong_field("triggerStageId", ProblemCode.UNKNOWN_ID, "There is no such stage")
        templates = _chosen(rules, "email_template_id")
        if templates - existing_templates(session, sorted(templates)):
            raise wrong_field(
                "emailTemplateId", ProblemCode.UNKNOWN_ID, "There is no such template"
            )
    starting = [rule.id for rule in rules if _starts_sending(rule)]
    session.add_all(rules)
    session.flush()
    if starting:
        leave_to_staff(session, starting)


def _starts_sending(rule: Rule) -> bool:
    """Whether an existing rule gets its first template or is switched on again."""
    active, template = (
        inspect(rule).attrs[name].history for name in ("active", "email_template_id")
    )
    first_template = template.has_changes() and not any(template.deleted or ())
    switched_on = active.has_changes() and rule.active
    return inspect(rule).persistent and (switched_on or first_template)


def _chosen(rules: Sequence[Rule], attribute: str) -> set[int]:
    """Return the ids that an attribute of the rules was set to since they were read."""
    added = (inspect(rule).attrs[attribute].history.added or () for rule in rules)
    return {number for numbers in added for number in numbers if number is not None}
