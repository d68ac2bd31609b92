"""The client with which tests call an app."""

from __future__ import annotations

import copy
from typing import Any
from wsgiref.types import WSGIApplication

import webtest

from masthead.auth.models import User
from masthead.testing.accounts import Accounts
from masthead.testing.answers import AnswerChecker


class Client(webtest.TestApp):  # type: ignore[misc]  # WebTest has no types
    """WebTest's ``TestApp``, which also checks each response against its endpoint's declaration.

    ``get(path)``, ``post_json(path, body)``, ``put_json(path, body)`` and ``delete(path)`` expect
    success unless ``status=…`` names another status; ``answer.json`` is the parsed body.
    """

    def __init__(self, app: WSGIApplication, accounts: Accounts, checker: AnswerChecker) -> None:
        super().__init__(app, extra_environ={"REMOTE_ADDR": "127.0.0.1"})
        self._accounts = accounts
        self._checker = checker

    def as_user(self, user: User) -> Client:
        """Return a client of the same app, authenticated as a user."""
        client = copy.copy(self)
        client.extra_environ = dict(self.extra_environ)
        client.authorization = ("Bearer", self._accounts.token(user))
        return client

    def as_role(self, name: str) -> Client:
        """Return a client of the same app, authenticated as a user with this role only."""
        return self.as_user(self._accounts.holder(name))

    def do_request(self, req: Any, status: Any = None, expect_errors: Any = None) -> Any:
        """Send a request; all other methods of WebTest call this one.

        :raises AssertionError: if the response doesn't match the endpoint's declaration.
        """
        answer = super().do_request(req, status, expect_errors)
        self._checker.check(req, answer, status)
        return answer
