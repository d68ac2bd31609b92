"""Users, roles and tokens for tests, created in the database without requests."""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256

from sqlalchemy import select

from masthead.auth.models import Role, RolePermission, User
from masthead.auth.tokens import Tokens
from masthead.db import fold
from masthead.instance import Instance

PASSWORD = "correct horse battery staple"
"""The default password of users in tests."""


class Accounts:
    """Creates the users, roles and tokens of an instance."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._holders: dict[str, User] = {}
        self._made = 0

    @cached_property
    def _tokens(self) -> Tokens:
        return Tokens(self._instance)

    def make_user(  # noqa: PLR0913 - one parameter per field
        self,
        username: str = "",
        *,
        role: str | None = "editor",
        roles: tuple[str, ...] = (),
        email: str | None = None,
        display_name: str | None = None,
        language: str | None = None,
        password: str = PASSWORD,
        disabled: bool = False,
    ) -> User:
        """Create a user with ``role``, unless it is None, and with ``roles``, which must exist.

        The password is stored as a SHA-256 digest, like an imported one, because hashing is slow.
        """
        self._made += 1
        username = username or f"user{self._made}"
        email = email or f"user{self._made}@example.org"
        names = [fold(name) for name in (role, *roles) if name]
        with self._instance.database.transaction() as session:
            held = list(session.scalars(select(Role).where(Role.name_key.in_(names))))
            assert len(held) == len(names), f"not all of these roles exist: {names}"
            user = User(
                username=username,
                username_key=fold(username),
                email=email,
                email_key=fold(email),
                display_name=display_name,
                language=language,
                password=sha256(password.encode()).hexdigest(),
                disabled=disabled,
                roles=held,
            )
            session.add(user)
        return user

    def make_role(self, name: str, *permissions: str) -> Role:
        """Create a role with these permissions."""
        grants = [RolePermission(permission=permission) for permission in permissions]
        with self._instance.database.transaction() as session:
            role = Role(name=name, name_key=fold(name), grants=grants)
            session.add(role)
        return role

    def holder(self, role: str) -> User:
        """Return a user with this role only; always the same user."""
        if role not in self._holders:
            self._holders[role] = self.make_user(f"some-{role}", role=role)
        return self._holders[role]

    def token(self, user: User) -> str:
        """Return a token as a login of the user would."""
        return self._tokens.issue(user.id, user.username, user.generation)
