"""Hashing and verifying passwords."""

from __future__ import annotations

import time
from hashlib import sha256

import argon2
import pytest

from masthead.auth import passwords

pytestmark = pytest.mark.usefixtures("real_hashing")

DIGEST = sha256(b"open sesame").hexdigest()
DUMMY = f"$argon2id$v=19$m=19456,t=2,p=1${'A' * 22}${'A' * 43}"


def test_a_hashed_password_is_verified() -> None:
    hashed = passwords.hash_password("open sesame")

    assert passwords.verify(hashed, "open sesame")
    assert not passwords.verify(hashed, "open Sesame")


def test_a_hash_is_argon2id_over_the_hex_sha256_digest() -> None:
    hashed = passwords.hash_password("open sesame")

    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert argon2.PasswordHasher().verify(hashed, DIGEST)


def test_the_same_password_has_another_hash_each_time() -> None:
    assert passwords.hash_password("open sesame") != passwords.hash_password("open sesame")


@pytest.mark.parametrize("digest", [DIGEST, DIGEST.upper()])
def test_a_bare_digest_is_verified_and_needs_a_rehash(digest: str) -> None:
    assert passwords.verify(digest, "open sesame")
    assert not passwords.verify(digest, "sesame")
    assert passwords.needs_rehash(digest)


@pytest.mark.parametrize("digest", [DIGEST, DIGEST.upper()])
def test_hashing_a_digest_is_hashing_its_password(digest: str) -> None:
    hashed = passwords.hash_digest(digest)

    assert passwords.verify(hashed, "open sesame")
    assert not passwords.needs_rehash(hashed)


def test_a_digest_is_not_its_own_password() -> None:
    assert not passwords.verify(DIGEST, DIGEST)
    assert not passwords.verify(passwords.hash_digest(DIGEST), DIGEST)


def test_a_weaker_hash_needs_a_rehash() -> None:
    weaker = argon2.PasswordHasher(time_cost=1, memory_cost=8192, parallelism=1).hash(DIGEST)

    assert passwords.verify(weaker, "open sesame")
    assert passwords.needs_rehash(weaker)


INVALID_HASHES = ["", "!", "open sesame", "$argon2id$broken", "$argon2id$v=19$m=19456,t=2,p=1$AAAA"]


def test_the_hash_that_no_password_matches_has_the_parameters_of_real_ones() -> None:
    assert passwords.DUMMY_HASH == DUMMY


@pytest.mark.parametrize("stored", [*INVALID_HASHES, DUMMY])
def test_no_password_matches_an_invalid_hash(stored: str) -> None:
    assert not passwords.verify(stored, "open sesame")


@pytest.mark.parametrize("stored", [*INVALID_HASHES, DIGEST, DUMMY])
def test_verifying_an_invalid_hash_takes_as_long_as_a_valid_one(stored: str) -> None:
    hashed = passwords.hash_password("another one")

    # Processor time, independent of other load; a hundredth of it would reveal the difference.
    assert spent(stored) > spent(hashed) / 4


def spent(stored: str) -> float:
    before = time.thread_time()
    passwords.verify(stored, "open sesame")
    return time.thread_time() - before
