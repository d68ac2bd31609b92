#!/bin/sh
# Make the replica on this machine the primary. Run it as postgres, and only if PostgreSQL and PgBouncer of
# the former primary have ended for good: if both accept writes, the databases diverge.
set -eu
psql --no-psqlrc --quiet --output /dev/null --command "SELECT pg_promote()" postgres
# PgBouncer tells its clients whether the server is a replica, as it was at the first connection.
psql --no-psqlrc --quiet --port 6432 --username pgbouncer --command RECONNECT pgbouncer
