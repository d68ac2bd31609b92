#!/bin/sh
# Run a command of masthead as the unit runs the server: as its user, with its environment and its
# configuration file. Without them, the command would use another database. Install it as
# /usr/local/bin/masthead.
exec sudo -u masthead sh -c '
    set -ae
    umask 077
    MASTHEAD_DATA=/var/lib/masthead
    MASTHEAD_CONFIG=/etc/masthead/production.ini
    [ ! -e /etc/masthead/environment ] || . /etc/masthead/environment
    exec /opt/masthead/bin/masthead "$@"' masthead "$@"
