"""Recognising bounces without a report in fields, and what else returns: auto-replies, notices."""

from __future__ import annotations

import re
from collections.abc import Iterable
from email.message import Message
from email.utils import parseaddr

from masthead_email.bounces.parts import field, text_of
from masthead_email.failures import Failure, classify

_DAEMONS = re.compile(
    r"mailer-?daemon|post[-_]?master|mail[-._ ]?daemon|m-?daemon|microsoftexchange|mail ?delivery"
    r"|delivery (?:sub)?system|mail ?(?:sub)?system|system administrator|mail administrator"
    r"|bounce[sd]?$|mail ?deliver\b|mail ?router|gwia|internet mail delivery|mail ?er$"
)
_BOUNCE_SUBJECT = re.compile(
    r"undeliver|not deliver|returned|return(?:ing)? (?:mail|message)|delivery (?:status|fail|error"
    r"|problem|notification|report)|failure (?:notice|delivery|notification)|fail(?:ed|ure).{0,20}"
    r"(?:mail|deliver|message|send)|mail (?:failure|error|system error|delivery)|user unknown"
    r"|could not be (?:sent|delivered)|nondeliver|non-deliver|unzustell|nicht zugestellt"
    r"|unzustellbar|zustellung|non remis|non distribu|échec|no se (?:ha podido|pudo)|no entregad"
    r"|mancata consegna|non recapita|não entregue|falha na entrega|niedostarcz|nie dostarcz"
    r"|niet (?:bezorgd|afgeleverd)|не доставлен|недоставлен|退信|投递|エラー|delivery has failed"
    r"|can ?n[o']t be delivered|dsn|mailbox (?:full|unavailable)|bounced",
)
_FAILED = re.compile(
    r"(?:not|n't|never) (?:be |been |deliver|possible to deliver)|undeliver|fail|unable to (?:send"
    r"|deliver)|permanent|fatal|reject|returned|unzustell|nicht|impossible|n'a pas|"
    r"no se |non [eè] stat|n[aã]o |nie |niet |\bне |无法|退|できません"
    r"|[45]\d\d[ -]|[45]\.\d\.\d"
)
_AUTO_REPLY = re.compile(
    r"out of (?:the )?(?:office|town)|auto(?:matic|mated|matische)?[- ]?(?:repl|respon|antwort)"
    r"|automatic reply|vacation|on (?:holiday|leave)|away (?:from|until)|abwesen|nicht im (?:büro"
    r"|haus)|urlaub|réponse automatique|absen[ct]e|respuesta autom|fuera de (?:la )?oficina"
    r"|risposta automatica|fuori ufficio|resposta autom|automatisch antwoord|afwezig|автоответ"
    r"|自动回复|自動返信|thank you for (?:your|contacting)"
)
_DELAYED = re.compile(
    r"delayed|\(delay\)|warning: (?:message|could not send)|still being retried|not yet been"
    r" delivered|will (?:continue|keep|be retried|try again|retry)|attempts? will continue"
    r"|no action is required|need not (?:do|resend)|do not need to resend|verzögert|verspätet"
    r"|retard|zustellversuche werden|wird weiter versucht|temporarily unable to deliver"
)
_GIVEN_UP = re.compile(r"not (?:going to )?(?:try|be retried)|giving up|gave up|permanent|final")
_ORIGINAL = re.compile(
    r"^[ \t>]*(?:-{2,} ?(?:below this line|this is a copy|original message|the (?:header|full|"
    r"beginning)|unsent message|returned message|begin (?:original|returned)|message header"
    r"|forwarded|start of|ursprüngliche|kopie|copy of|transcript of message|content of)"
    r"|return-path:|received: from|received headers|original message (?:headers|follows)"
    r"|the original message"
    r"|message header follows|your (?:original )?message (?:header|follows|text))",
    re.IGNORECASE | re.MULTILINE,
)
_REPLY = re.compile(
    r"(?<![\w.:/-])(?:([45]\d\d)[ -]#?(?=\S)(?!\w* (?:byte|hour|minute|second))|#?[45]\.[0-7]\.\d)"
)
_AROUND = 700
_MAX_TEXT = 4000


def explanation_of(parts: Iterable[Message]) -> str:
    """Return the text for humans, without the copy of the original message."""
    # A multipart message without readable parts is read as text.
    texts = [part for part in parts if part.get_content_maintype() in ("text", "multipart")]
    plain = [part for part in texts if part.get_content_type() != "text/html"]
    text = "\n".join(text_of(part) for part in (plain or texts)[:2])
    original = _ORIGINAL.search(text)
    return (text[: original.start()] if original else text).strip()


def is_bounce(message: Message, explanation: str) -> bool:
    """Whether a message without a report is a bounce: by its sender, or subject and text."""
    if message.get("X-Failed-Recipients") is not None:
        return True
    if message.get_content_type() == "multipart/report":
        return True
    subject = field(message, "Subject").lower()
    words = explanation[:_MAX_TEXT].lower()
    if _AUTO_REPLY.search(subject) and not _BOUNCE_SUBJECT.search(subject):
        return False
    if _is_from_daemon(message):
        return bool(_BOUNCE_SUBJECT.search(subject) or _FAILED.search(words))
    return bool(_BOUNCE_SUBJECT.search(subject) and _FAILED.search(words))


def is_delayed(message: Message, explanation: str) -> bool:
    """Whether it says that delivery takes longer, and goes on."""
    subject = field(message, "Subject").lower()
    if _DELAYED.search(subject):
        return True
    words = " ".join(explanation[:_MAX_TEXT].lower().split())
    return bool(_DELAYED.search(words)) and not _GIVEN_UP.search(words)


def read_failure(explanation: str) -> tuple[Failure, str]:
    """Return the class of the failure that a text explains, and its words.

    The reply of a server counts more than the sentences around it, which may list possible causes.
    """
    reply = _REPLY.search(explanation)
    if reply is not None:
        start = explanation.rfind("\n", 0, reply.start()) + 1
        before = explanation.rfind("\n", 0, max(start - 1, 0)) + 1
        code = int(reply[1]) if reply[1] else None
        failure = classify(code, None, explanation[before : reply.start() + _AROUND])
        if failure is not Failure.UNKNOWN:
            return failure, explanation[reply.start() : reply.start() + _AROUND]
    failure = classify(None, None, explanation[:_MAX_TEXT])
    return failure, explanation[reply.start() if reply else 0 :][:_AROUND]


def _is_from_daemon(message: Message) -> bool:
    for name in ("From", "Sender", "Return-Path"):
        phrase, address = parseaddr(field(message, name))
        local = address.rpartition("@")[0] or address
        if _DAEMONS.search(local.lower()) or _DAEMONS.search(phrase.lower()):
            return True
    return False
