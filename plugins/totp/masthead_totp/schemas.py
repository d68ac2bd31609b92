"""The bodies and answers of the endpoints."""

from __future__ import annotations

from masthead import (
    Bool,
    Int,
    Line,
    ListOf,
    Password,
    Secret,
    Timestamp,
    required,
    schema,
)

_CODE = {
    "code": required(Line(200), help="A code of the app, or a recovery code.", example="492039")
}
_PASSWORD = {"currentPassword": required(Password(), help="The present password.")}
_CODES = {
    "recoveryCodes": required(
        ListOf(Secret()),
        help="Codes that replace the app, each once; only this answer shows them.",
    )
}

STATE = schema(
    {
        "enabled": required(Bool(), help="Whether logins need a code of an authenticator app."),
        "required": required(Bool(), help="Whether the caller's roles need an app."),
        "confirmedAt": required(
            Timestamp(), nullable=True, help="The time of the confirmation; null without an app."
        ),
        "recoveryCodes": required(Int(0), help="The number of recovery codes that are left."),
    },
    name="SecondStepState",
    help="The second step of the caller's logins.",
)
PASSWORD = schema(_PASSWORD, name="SecondStepPassword", help="The caller's password.")
CODE = schema(_CODE, name="SecondStepCode", help="A code.")
PROOF = schema(
    {**_PASSWORD, **_CODE}, name="SecondStepProof", help="The caller's password and a code."
)
SETUP_TOKEN = schema(
    {"token": required(Line(200), help="The `stepToken` of the answer to the login.")},
    name="SecondStepToken",
    help="The token with which a user sets up an app before the first login with it.",
)
SETUP = schema(
    {
        "secret": required(Secret(), help="The secret of the app in Base32, to type it in."),
        "uri": required(
            Secret(),
            help="The address with the secret to show as a QR code.",
            example="otpauth://…",
        ),
        **_CODES,
    },
    name="SecondStepSetup",
    help="A new secret; it counts once a first code has confirmed it.",
)
CODES = schema(_CODES, name="RecoveryCodes", help="New recovery codes.")
