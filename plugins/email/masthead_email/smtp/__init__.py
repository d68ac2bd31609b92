"""A client of SMTP that keeps its connections full: RFC 5321 with pipelining (RFC 2920)."""
