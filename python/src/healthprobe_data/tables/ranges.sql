-- The visibility ranges of all copies of one sample type in one chain; records.py has the range's columns and the joins.
-- k: the row with the key; c: the copy; p: the row with the copy's payload, where that is another one.
-- opened: an observation's id, NULL for the chain's first; closed: an id, -1 while visible.
SELECT k.kind, k.start_seconds AS start, k.start_seconds + k.duration AS "end",
    CASE WHEN typeof(k.value) IN ('integer', 'real') THEN CAST(k.value AS REAL) END AS value,
    CASE typeof(k.value) WHEN 'text' THEN k.value END AS category,
    c.descriptor_id, k.start_seconds + iif(c.payload_id IS NULL, c.creation_delay, p.creation_delay) AS created,
    {range},
    k.id AS sample, c.id AS copy, c.ordinal,
    {metadata} AS metadata,
    CASE k.kind WHEN 2 THEN json_extract(k.strict_key, '$[0]') END AS activity
{from}
