#!/usr/bin/env python3
"""Checks a structured export of HealthProbe with nothing but Python: python3 verify_export.py FOLDER"""
import csv, hashlib, json, os, re, sys

def check(holds, message):
    if not holds: raise ValueError(message)
sys.excepthook = lambda kind, error, trace: os._exit(print("not valid:", error, flush=True) or 4)

def canonical(v):  # RFC 8785; exports hold no numbers but integers
    if isinstance(v, dict):
        members = sorted(v.items(), key=lambda member: member[0].encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value) for name, value in members) + "}"
    return "[" + ",".join(map(canonical, v)) + "]" if isinstance(v, list) else json.dumps(v, ensure_ascii=False)
def sha(v):
    return hashlib.sha256(canonical(v).encode()).hexdigest()

def listed(manifest):  # a BagIt manifest: every file in it is there and has its SHA-256
    for digest, path in (line.rstrip("\n").split("  ", 1) for line in open(f"{bag}/{manifest}", encoding="utf-8")):
        check(path[0] != "/" and ".." not in path.split("/"), f"{manifest}: {path} leads out of the bag")
        found = hashlib.sha256()
        with open(f"{bag}/{path}", "rb") as f:
            while part := f.read(1 << 20):
                found.update(part)
        check(found.hexdigest() == digest, f"{path}: its SHA-256 is not the one in {manifest}")
        yield path, digest
def cell(text, kind):  # docs/exports.md, "CSV": how a cell is read back
    text = text[1:] if guarded and re.match("'+[=+\\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20]", text) else text
    return None if text == "" else text if kind == "text" and not text.startswith('"') else json.loads(text)
def items(f):
    if not f.name.endswith("csv"):
        return (json.loads(line.rstrip(",\n")) for line in f if line.strip() not in "[]")
    csv.field_size_limit(1 << 30)
    rows = csv.DictReader(f)
    check(rows.fieldnames == [name for name, _ in columns], "the titles of the columns are not those of the manifest")
    return ({n: v for n, k in columns if (v := cell(row[n], k)) is not None or k != "optional"} for row in rows)

bag, hashes, order, count = sys.argv[1], hashlib.sha256(), (), 0
tags, payload = dict(listed("tagmanifest-sha256.txt")), dict(listed("manifest-sha256.txt"))
known = {*tags, *payload, "tagmanifest-sha256.txt", "tagmanifest-sha256.txt.sig"}
for path in (os.path.relpath(os.path.join(folder, name), bag) for folder, _, names in os.walk(bag) for name in names):
    check(path in known, f"{path} is in no manifest")
envelope = json.load(open(f"{bag}/data/envelope.json", encoding="utf-8"))
manifest, file = envelope["manifest"], "data/" + envelope["items"]["file"]
manifest_hash = manifest.pop("manifest_hash")
check(sha(envelope) == manifest_hash, "the manifest hash is not that of the envelope")
columns = [(column["name"], column["kind"]) for column in manifest.get("csv_columns", [])]
guarded, unnamed = manifest.get("csv_profile") == "guarded", payload.keys() - {"data/envelope.json", file}
keys = ("type_identifier", "start_date", "end_date", "sample_identity_hash")
for count, item in enumerate(items(open(f"{bag}/{file}", encoding="utf-8", newline="")), 1):
    said, last, order = item.pop("item_hash"), order, tuple((item.get(key) or "").encode() for key in keys)
    check(sha(item) == said, f"item {count}: its hash is not that of its content")
    hashes.update(said.encode() + b"\n")
    signed = any(text[:1] in (b"+", b"-") for text in order + last)  # years of five digits do not sort as text
    check(signed or order >= last, f"item {count}: comes before an item that it belongs behind")
    files = {"data/" + entry["file"]: entry["sha256"] for entry in item.get("files", [])}
    check(files.items() <= payload.items(), f"item {count}: one of its files is not in the bag")
    unnamed -= files.keys()
check(not unnamed, f"{sorted(unnamed)} belong to no item")
check((count, hashes.hexdigest()) == (manifest["record_count"], manifest["items_hash"]), "not the manifest's items")
print(f"valid: {envelope['export_kind']}, {count} items, manifest hash {manifest_hash}")
