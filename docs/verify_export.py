#!/usr/bin/env python3
"""Checks a structured export of HealthProbe with nothing but Python: python3 verify_export.py FOLDER"""
import csv, hashlib, json, os, re, sys
def check(holds, message):
    if not holds: raise ValueError(message)
sys.excepthook = lambda kind, error, trace: os._exit(print("not valid:", error, flush=True) or 4)
def canonical(v):  # RFC 8785; exports hold no numbers but integers
    if isinstance(v, list): return "[" + ",".join(map(canonical, v)) + "]"
    if not isinstance(v, dict): return json.dumps(v, ensure_ascii=False)
    return "{%s}" % ",".join(f"{canonical(n)}:{canonical(v[n])}" for n in sorted(v, key=lambda n: n.encode("utf-16-be")))
def sha(v): return hashlib.sha256(canonical(v).encode()).hexdigest()
def parsed(line):  # what is the same when written again has no name twice, no space and no fraction in it
    check(canonical(v := json.loads(line, parse_float=str, parse_constant=str)) == line, f"not canonical: {line[:60]}")
    return v
def text(name): return open(f"{bag}/{name}", encoding="utf-8", newline="").read()
def listed(manifest):  # a BagIt manifest: every file in it is there, through no link, and has its SHA-256
    for digest, path in (line.split("  ", 1) for line in text(manifest).removesuffix("\n").split("\n")):
        place, found = os.path.join(bag, path), hashlib.sha256()
        check(place == os.path.realpath(place) and os.path.isfile(place), f"{path} is no file in the bag")
        with open(place, "rb") as f:
            while part := f.read(1 << 20): found.update(part)
        check(found.hexdigest() == digest, f"{path}: its SHA-256 is not the one in {manifest}")
        yield path, digest
def cell(text, kind):  # docs/exports.md, "CSV": how a cell is read back
    text = text[1:] if guarded and re.match("'+[=+\\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20]", text) else text
    return None if text == "" else text if kind == "text" and not text.startswith('"') else parsed(text)
def items(f):
    more = form == "ndjson" or next(f) == ("[\n" if form == "json" else ",".join(columns) + "\r\n")
    check(more, "does not begin as its form does")
    for row in csv.reader((end := line for line in f), strict=True) if form == "csv" else ():
        check(end.endswith("\r\n") and len(row) == len(columns), f"no row of these columns: {row}")
        yield {n: v for c, (n, k) in zip(row, columns.items()) if (v := cell(c, k)) is not None or k != "optional"}
    for line in f:
        if form == "json" and line == "]\n": return check(next(f, None) is None and more == (not count), "no right end")
        end = ",\n" if form == "json" and line.endswith(",\n") else "\n"
        check(more and line.endswith(end), f"no line of an item: {line[:60]}")
        more = form == "ndjson" or end == ",\n"
        yield parsed(line[:-len(end)])
    check(form != "json", "ends without ]")
bag, hashes, order, count = os.path.realpath(sys.argv[1]), hashlib.sha256(), (), 0
tags, payload = dict(listed("tagmanifest-sha256.txt")), dict(listed("manifest-sha256.txt"))
extra = {os.path.relpath(os.path.join(folder, name), bag) for folder, _, names in os.walk(bag) for name in names}
extra -= {*tags, *payload, "tagmanifest-sha256.txt", "tagmanifest-sha256.txt.sig"}
check("bagit.txt" in tags and not extra, f"{extra or 'bagit.txt'} is in no manifest")
oxum = f"{sum(os.path.getsize(f'{bag}/{path}') for path in payload)}.{len(payload)}"
check(f"Payload-Oxum: {oxum}" in text("bag-info.txt").split("\n"), "Payload-Oxum is not what was counted")
envelope = parsed(text("data/envelope.json").removesuffix("\n"))
manifest, form = envelope["manifest"], envelope["items"]["format"]
manifest_hash, columns = manifest.pop("manifest_hash"), {c["name"]: c["kind"] for c in manifest.get("csv_columns", [])}
check(sha(envelope) == manifest_hash, "the manifest hash is not that of the envelope")
guarded, unnamed = manifest.get("csv_profile") == "guarded", {*payload} - {"data/envelope.json", f"data/items.{form}"}
for count, item in enumerate(items(open(f"{bag}/data/items.{form}", encoding="utf-8", newline="")), 1):
    said, last, files = item.pop("item_hash"), order, {"data/" + e["file"]: e["sha256"] for e in item.get("files", [])}
    check(sha(item) == said and files.items() <= payload.items(), f"item {count}: its hash is not that of its content")
    hashes.update(said.encode() + b"\n")
    order = tuple(item.get(n) or "" for n in ("type_identifier", "start_date", "end_date", "sample_identity_hash"))
    check(order >= last or re.search("\0[+-]", "\0".join(order + last)), f"item {count}: not in order")
    unnamed -= files.keys()
check((count, hashes.hexdigest()) == (manifest["record_count"], manifest["items_hash"]) and not unnamed, "other items")
print(f"valid: {envelope['export_kind']}, {count} items, manifest hash {manifest_hash}")
