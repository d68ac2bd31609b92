"""Recipes: the plugin that the mutants of the contract break."""
