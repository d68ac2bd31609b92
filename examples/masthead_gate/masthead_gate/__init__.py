"""Rules for what goes public: a plugin for Masthead."""
