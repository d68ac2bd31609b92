"""Sending of mails, and mails whose text is a template."""

from __future__ import annotations

from sqlalchemy.orm import Session

from masthead.i18n.texts import texts_of
from masthead.instance import Instance, instance_of
from masthead.ports.mail import Mail


def templated_mail(
    source: Session | Instance,
    template: str,
    *,
    to: str,
    kind: str,
    language: str | None = None,
    name: str | None = None,
    **values: object,
) -> Mail:
    """Return a mail with the subject and the text of a template.

    :param source: see ``texts_of``.
    :param template: such as ``<plugin>/mails/<name>.txt``, with blocks ``subject`` and ``text``.
    :param kind: see ``Mail.kind``.
    :param language: the tag of the reader's language; None if it isn't known.
    :param name: the reader's name.
    :param values: the values that the template uses.
    """
    texts = texts_of(source)
    mail = texts.render_mail(template, texts.language(language), name=name, **values)
    # Passed as values, so that braces in them are no placeholders.
    variables = {"subject": mail.subject, "text": mail.text}
    if name:
        variables["name"] = name
    return Mail(to=to, kind=kind, subject="{{subject}}", text="{{text}}", variables=variables)


def send_mail(session: Session, mail: Mail) -> bool:
    """Send a mail after the commit of a transaction.

    :returns: whether it will be sent: False if the address gets no mail, such as a suppressed one,
        or if no plugin sends mail.
    """
    return bool(instance_of(session).hooks.masthead_deliver_mail(session=session, mail=mail))
