"""Single sign-on: staff log in at a provider of OpenID Connect."""
