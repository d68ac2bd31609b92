"""Mails whose text is a template."""

from __future__ import annotations

from sqlalchemy.orm import Session

from masthead.i18n.texts import texts_of
from masthead.instance import Instance
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
    :param template: such as ``core/mails/password.txt``, with the blocks ``subject`` and ``text``.
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
