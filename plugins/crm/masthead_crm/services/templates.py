"""The templates of follow-up mails, which belong to the plugin that sends mail."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from masthead import ItemUse, Notice, holders, instance_of, notify
from masthead_crm.models import FollowUp, Rule

KIND = "email-templates"
"""The name of the resource of templates."""
_NOTICE_INTERVAL = timedelta(days=1)
"""The time after a due mail of a rule in which the rule isn't reported again."""


def existing_templates(session: Session, ids: Sequence[int]) -> set[int]:
    """Return the ids of templates that exist in a plugin that sends mail."""
    answers = instance_of(session).hooks.masthead_mail_templates(session=session, ids=ids)
    return {number for numbers in answers for number in numbers}


def uses_of_templates(session: Session, ids: Sequence[int | str]) -> list[ItemUse]:
    """Return the rules that send one of some templates."""
    rules = select(Rule).where(Rule.email_template_id.in_(ids)).order_by(Rule.id)
    return [
        ItemUse(rule.email_template_id, "follow-up-rules", rule.id, rule.name, "contacts.read")
        for rule in session.scalars(rules)
        if rule.email_template_id is not None
    ]


def report_missing_templates(session: Session, rule_ids: Collection[int], now: datetime) -> None:
    """Notify staff of rules whose mails are due and whose template is missing.

    A rule isn't reported again within a day after another of its mails was due.

    :param rule_ids: the rules of due mails that aren't marked as tried yet.
    """
    known = (
        select(FollowUp.id)
        .where(FollowUp.rule_id == Rule.id, FollowUp.mail_tried_at > now - _NOTICE_INTERVAL)
        .exists()
    )
    rules = session.scalars(select(Rule).where(Rule.id.in_(rule_ids), ~known).order_by(Rule.id))
    found = rules.all()
    ids = sorted({rule.email_template_id for rule in found if rule.email_template_id is not None})
    existing = existing_templates(session, ids) if ids else set()
    missing = [rule.name for rule in found if rule.email_template_id not in existing]
    if missing:
        names = ", ".join(missing)
        text = f"Staff have to follow up, because the templates of these rules are missing: {names}"
        notice = Notice(
            "Follow-ups not mailed",
            text,
            mail="crm/mails/not-mailed.txt",
            mail_values={"rules": missing},
        )
        notify(session, holders("contacts.write"), notice)
