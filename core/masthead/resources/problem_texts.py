"""The texts of problems for visitors, by code, in the languages that have translations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from masthead.errors import ProblemCode
from masthead.i18n.messages import translatable
from masthead.i18n.texts import Texts

_OTHER = translatable("This is not accepted.")
_TEXTS: Mapping[str, str] = {
    ProblemCode.REQUIRED: translatable("This is required."),
    ProblemCode.NOT_AN_OPTION: translatable("This can't be chosen here."),
    ProblemCode.NOT_A_NUMBER: translatable("This is not a number."),
    ProblemCode.NOT_A_DATE: translatable("This is not a date."),
    ProblemCode.NOT_A_DATE_TIME: translatable("This is not a date and time."),
    ProblemCode.NOT_AN_EMAIL: translatable("This is not an e-mail address."),
    ProblemCode.NOT_AN_ADDRESS: translatable("This is not a web address."),
    ProblemCode.NOT_AN_IMAGE: translatable("This is not an image of an accepted kind."),
    ProblemCode.TOO_LONG: translatable("This has more than %(limit)s characters."),
    ProblemCode.TOO_MANY: translatable("There are more than %(limit)s of them."),
    ProblemCode.OUT_OF_RANGE: translatable("This is too small, too large, or not in the future."),
    ProblemCode.FORBIDDEN_CHARACTERS: translatable("This has characters that are not accepted."),
    ProblemCode.ALREADY_EXISTS: translatable("This exists already."),
    ProblemCode.REPEATED: translatable("This was sent more than once."),
}


def problem_text(texts: Texts, language: str, problem: Mapping[str, Any]) -> str:
    """Return the text of a problem in a language.

    :param problem: the object in ``fields`` of the answer.
    """
    message = _TEXTS.get(problem["code"], _OTHER)
    if "%(limit)s" in message and "limit" not in problem:
        message = _OTHER
    return texts.translate(language, message, limit=problem.get("limit"))
