"""How passwords are stored and verified."""

from __future__ import annotations

import time
from hashlib import sha256

import argon2
import pytest

from masthead.auth import passwords

DIGEST = sha256(b"open sesame").hexdigest()


def test_a_sealed_password_is_verified() -> None:
    hashed = passwords.hash_password("open sesame")

    assert passwords.verify(hashed, "open sesame")
    assert not passwords.verify(hashed, "open Sesame")


def test_a_seal_is_argon2id_over_the_hex_sha256_digest() -> None:
    hashed = passwords.hash_password("open sesame")

    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert argon2.PasswordHasher().verify(hashed, DIGEST)


def test_the_same_password_is_sealed_differently_each_time() -> None:
    assert passwords.hash_password("open sesame") != passwords.hash_password("open sesame")


@pytest.mark.parametrize("digest", [DIGEST, DIGEST.upper()])
def test_a_bare_digest_is_verified_and_wants_a_seal(digest: str) -> None:
    assert passwords.verify(digest, "open sesame")
    assert not passwords.verify(digest, "sesame")
    assert passwords.needs_sealing(digest)


@pytest.mark.parametrize("digest", [DIGEST, DIGEST.upper()])
def test_sealing_a_digest_is_sealing_its_password(digest: str) -> None:
    hashed = passwords.hash_digest(digest)

    assert passwords.verify(hashed, "open sesame")
    assert not passwords.needs_sealing(hashed)


def test_a_digest_is_no_password_for_itself() -> None:
    assert not passwords.verify(DIGEST, DIGEST)
    assert not passwords.verify(passwords.hash_digest(DIGEST), DIGEST)


def test_a_weaker_seal_wants_another_one() -> None:
    weaker = argon2.PasswordHasher(time_cost=1, memory_cost=8192, parallelism=1).hash(DIGEST)

    assert passwords.verify(weaker, "open sesame")
    assert passwords.needs_sealing(weaker)


NO_SEALS = ["", "!", "open sesame", "$argon2id$broken", "$argon2id$v=19$m=19456,t=2,p=1$AAAA"]


@pytest.mark.parametrize("stored", [*NO_SEALS, passwords.UNKNOWN])
def test_what_is_no_seal_opens_for_nobody(stored: str) -> None:
    assert not passwords.verify(stored, "open sesame")


@pytest.mark.parametrize("stored", [*NO_SEALS, DIGEST, passwords.UNKNOWN])
def test_what_is_no_seal_takes_as_long_as_what_is_one(stored: str) -> None:
    hashed = passwords.hash_password("another one")

    # The time of a core, whatever else the machine does; a hundredth of it would be a tell.
    assert spent(stored) > spent(hashed) / 4


def spent(stored: str) -> float:
    before = time.thread_time()
    passwords.verify(stored, "open sesame")
    return time.thread_time() - before
