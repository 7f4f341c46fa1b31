"""Ingest on Apache Spark."""
