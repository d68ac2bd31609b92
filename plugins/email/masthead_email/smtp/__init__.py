"""An SMTP client for one relay: RFC 5321 with pipelining (RFC 2920)."""
