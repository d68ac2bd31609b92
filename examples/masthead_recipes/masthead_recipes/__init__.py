"""Recipes for Masthead: listed by difficulty, with the minutes that they take in all."""
