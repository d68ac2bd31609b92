"""Checks of the DNS records by which receivers authenticate the sender: SPF, DKIM and DMARC."""

from __future__ import annotations

from collections.abc import Iterator

import dns.exception
import dns.resolver

from masthead import Instance, StartError
from masthead_email.addresses import domain_of
from masthead_email.checks import CheckResult
from masthead_email.rendering.signers import configured_signer
from masthead_email.settings import BOUNCES, DKIM_DOMAIN, DKIM_SELECTOR, FROM, NAMESERVER

_SECONDS = 3.0
"""The time for each question."""


class _NoDnsError(Exception):
    """No DNS server answers."""


def check_dns(instance: Instance) -> Iterator[CheckResult]:
    """Yield the results of the checks of the sender's domain."""
    settings = instance.settings
    author = domain_of(settings[FROM].address)
    resolver = _resolver(instance)
    try:
        yield _check_spf(resolver, domain_of(settings[BOUNCES] or settings[FROM].address))
        yield _check_dkim(resolver, instance, author)
        yield _check_dmarc(resolver, author)
    except _NoDnsError as error:
        yield CheckResult(True, f"SPF, DKIM and DMARC aren't checked: no DNS answer: {error}")


def _resolver(instance: Instance) -> dns.resolver.Resolver | None:
    server = instance.settings[NAMESERVER]
    try:
        resolver = dns.resolver.Resolver(configure=server is None)
    except dns.exception.DNSException:
        return None
    if server is not None:
        resolver.nameservers, resolver.port = [server[0]], server[1]
    resolver.lifetime = _SECONDS
    return resolver


def _check_spf(resolver: dns.resolver.Resolver | None, domain: str) -> CheckResult:
    found = [text for text in _texts(resolver, domain) if text.lower().split(" ")[0] == "v=spf1"]
    if len(found) == 1:
        return CheckResult(True, f"SPF of {domain}: {found[0]}")
    problem = "more than one SPF record" if found else "no SPF record (TXT v=spf1 …)"
    return CheckResult(False, f"{domain} has {problem}")


def _check_dkim(
    resolver: dns.resolver.Resolver | None, instance: Instance, author: str
) -> CheckResult:
    selector = instance.settings[DKIM_SELECTOR]
    if not selector:
        return CheckResult(True, f"DKIM isn't checked: {DKIM_SELECTOR.name} is blank")
    domain = instance.settings[DKIM_DOMAIN] or author
    name = f"{selector}._domainkey.{domain}"
    # A record without a version is valid; an empty key is a revoked one.
    found = [tags for text in _texts(resolver, name) if (tags := _tags(text)).get("p")]
    if len(found) != 1:
        return CheckResult(False, f"{name} has no DKIM key (TXT v=DKIM1; p=…)")
    try:
        signer = configured_signer(instance)
    except StartError as error:
        return CheckResult(False, str(error))
    if signer is not None and _tags(signer.record)["p"] != found[0]["p"]:
        return CheckResult(False, f"{name} has another key than the one that signs")
    if not (author == domain or author.endswith(f".{domain}")):
        return CheckResult(False, f"the DKIM domain {domain} isn't that of the sender, {author}")
    return CheckResult(True, f"DKIM key {name} is published")


def _check_dmarc(resolver: dns.resolver.Resolver | None, domain: str) -> CheckResult:
    labels = domain.split(".")
    # The policy of a parent domain also applies.
    for number in range(max(1, len(labels) - 1)):
        name = "_dmarc." + ".".join(labels[number:])
        for text in _texts(resolver, name):
            if _tags(text).get("v") == "DMARC1":
                return CheckResult(True, f"DMARC policy {name}: {text}")
    return CheckResult(
        False, f"{domain} has no DMARC policy (TXT v=DMARC1; p=… of _dmarc.{domain})"
    )


def _texts(resolver: dns.resolver.Resolver | None, name: str) -> list[str]:
    """Return the TXT records of a name.

    :raises _NoDnsError: if no DNS server answers.
    """
    if resolver is None:
        raise _NoDnsError("the system names no DNS server")
    try:
        answer = resolver.resolve(f"{name}.", "TXT")
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except (dns.exception.DNSException, OSError) as error:
        raise _NoDnsError(str(error) or type(error).__name__) from error
    return [b"".join(each.strings).decode("utf-8", "replace") for each in answer]


def _tags(text: str) -> dict[str, str]:
    """Return the tags of a record such as ``v=DMARC1; p=none``, without blanks in their values."""
    pairs = (part.partition("=") for part in text.split(";") if "=" in part)
    return {name.strip(): "".join(value.split()) for name, _, value in pairs}
