"""Lakes: the tables of many archives, one participant's chain of exports a unit of work."""
