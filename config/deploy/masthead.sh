#!/bin/sh
# The commands of masthead as the unit runs the server: by its user, with its environment, without
# which they would work on a database of their own. Install it as /usr/local/bin/masthead.
exec sudo -u masthead sh -c '
    set -ae
    umask 077
    MASTHEAD_DATA=/var/lib/masthead
    [ ! -e /etc/masthead/environment ] || . /etc/masthead/environment
    exec /opt/masthead/bin/masthead "$@"' masthead "$@"
