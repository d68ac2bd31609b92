# Varnish in front of Masthead, with masthead-cdn purging it by keys: docs/cdn.md describes it.
#
# It needs vmod_xkey (on Debian: apt install varnish-modules), and in Masthead
#   masthead.cache.s_maxage = 300
#   masthead.cache.key_headers = Surrogate-Key
#   masthead.cdn.varnish_urls = http://127.0.0.1:6081

vcl 4.1;

import std;
import xkey;

backend masthead {
    .host = "127.0.0.1";
    .port = "6543";
}

# The machines of Masthead, which purge.
acl purgers {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.method == "PURGE") {
        if (client.ip !~ purgers) {
            return (synth(403, "Forbidden"));
        }
        if (!req.http.Masthead-Keys) {
            return (synth(400, "No keys"));
        }
        if (req.http.Masthead-Keys == "*") {
            ban("obj.status != 0");
            return (synth(200, "All purged"));
        }
        set req.http.Masthead-Purged = xkey.purge(req.http.Masthead-Keys);
        return (synth(200, req.http.Masthead-Purged + " purged"));
    }
    if (req.url ~ "^/api/(staff|auth)/") {
        return (pass);
    }
    # No public answer depends on a cookie, and those of the website would prevent caching.
    unset req.http.Cookie;
    # The order of parameters changes no answer.
    set req.url = std.querysort(req.url);
}

sub vcl_backend_response {
    # vmod_xkey reads this header.
    set beresp.http.xkey = beresp.http.Surrogate-Key;
    # An expired answer is asked for with its entity tag, and 304 renews it.
    set beresp.keep = 1h;
}

sub vcl_deliver {
    unset resp.http.Surrogate-Key;
    unset resp.http.xkey;
    unset resp.http.Via;
    unset resp.http.X-Varnish;
}
