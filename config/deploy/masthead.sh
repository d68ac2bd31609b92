#!/bin/sh
# Run a command of masthead as the unit runs the server: as its user and with its environment. Without
# the environment, the command would use another database. Install it as /usr/local/bin/masthead.
exec sudo -u masthead sh -c '
    set -ae
    umask 077
    MASTHEAD_DATA=/var/lib/masthead
    [ ! -e /etc/masthead/environment ] || . /etc/masthead/environment
    exec /opt/masthead/bin/masthead "$@"' masthead "$@"
