#!/bin/sh
# Run a command of masthead as the unit runs the server: as its user, with its environment and its
# configuration file. Without them, the command would use another database. Install it as
# /usr/local/bin/masthead. Variables MASTHEAD_… of the caller apply instead of those of the unit.
set -e
if [ "$(id -un)" != masthead ]; then
    names=$(env | sed -n 's/^\(MASTHEAD_[A-Z0-9_]*\)=.*/\1/p' | paste -sd , -)
    exec sudo ${names:+"--preserve-env=$names"} -u masthead "$0" "$@"
fi
given=$(export -p | grep '^export MASTHEAD_' || true)
set -a
umask 077
MASTHEAD_DATA=/var/lib/masthead
MASTHEAD_CONFIG=/etc/masthead/production.ini
[ ! -e /etc/masthead/environment ] || . /etc/masthead/environment
eval "$given"
exec /opt/masthead/bin/masthead "$@"
