"""Surveys of a whole lake."""
