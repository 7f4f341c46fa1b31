#!/usr/bin/env python3
"""Checks a structured export of HealthProbe with nothing but Python: python3 verify_export.py FOLDER"""
import csv, hashlib, json, os, re, sys

def fail(message):
    sys.exit("not valid: " + message)

def sha(data):
    return hashlib.sha256(data).hexdigest()

def canonical(v):  # RFC 8785; exports hold no numbers but integers
    if isinstance(v, dict):
        keys = sorted(v, key=lambda k: k.encode("utf-16-be"))
        return "{" + ",".join(canonical(k) + ":" + canonical(v[k]) for k in keys) + "}"
    if isinstance(v, list):
        return "[" + ",".join(map(canonical, v)) + "]"
    return json.dumps(v, ensure_ascii=False)

def listed(name):  # a BagIt manifest: every file it lists is there and has its SHA-256
    for line in open(os.path.join(bag, name), encoding="utf-8"):
        digest, path = line.rstrip("\n").split("  ", 1)
        if path.startswith("/") or ".." in path.split("/"):
            fail(f"{name}: {path} does not stay inside of the bag")
        h = hashlib.sha256()
        with open(os.path.join(bag, path), "rb") as f:
            for part in iter(lambda: f.read(1 << 20), b""):
                h.update(part)
        if h.hexdigest() != digest:
            fail(f"{path}: its SHA-256 is not the one in {name}")
        yield path

def cell(text, kind):  # docs/exports.md, "CSV": how a cell is read back
    if guarded and re.match("'+[=+\\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20]", text):
        text = text[1:]
    if text == "":
        return None
    return text if kind == "text" and not text.startswith('"') else json.loads(text)

def items(path):
    with open(path, encoding="utf-8", newline="" if path.endswith("csv") else "\n") as f:
        if path.endswith("csv"):
            csv.field_size_limit(1 << 30)
            rows = csv.reader(f)
            if next(rows, None) != [name for name, _ in columns]:
                fail("the titles of the columns are not those of the manifest")
            for row in rows:
                cells = [(name, kind, cell(text, kind)) for (name, kind), text in zip(columns, row)]
                yield {name: value for name, kind, value in cells if kind != "optional" or value is not None}
        else:
            for line in f:
                if line.strip() not in "[]":
                    yield json.loads(line.rstrip("\n").rstrip(","))

bag = sys.argv[1]
tags, payload = set(listed("tagmanifest-sha256.txt")), set(listed("manifest-sha256.txt"))
known = tags | payload | {"tagmanifest-sha256.txt", "tagmanifest-sha256.txt.sig"}
for folder, _, names in os.walk(bag):
    for name in names:
        path = os.path.relpath(os.path.join(folder, name), bag)
        if path not in known:
            fail(f"{path} is in no manifest")
envelope = json.load(open(os.path.join(bag, "data/envelope.json"), encoding="utf-8"))
manifest = envelope["manifest"]
if sha(canonical({**envelope, "manifest": {k: v for k, v in manifest.items() if k != "manifest_hash"}}).encode()) != manifest["manifest_hash"]:
    fail("the manifest hash is not that of the envelope")
columns = [(c["name"], c["kind"]) for c in manifest.get("csv_columns", [])]
guarded, count, hashes, last = manifest.get("csv_profile") == "guarded", 0, hashlib.sha256(), None
for item in items(os.path.join(bag, "data", envelope["items"]["file"])):
    count += 1
    said = item.pop("item_hash")
    if sha(canonical(item).encode()) != said:
        fail(f"item {count}: its hash is not that of its content")
    hashes.update(said.encode() + b"\n")
    order = tuple((item.get(n) or "").encode() for n in ("type_identifier", "start_date", "end_date", "sample_identity_hash"))
    if last and order < last and not any(t[:1] in (b"+", b"-") for t in order + last):
        fail(f"item {count}: comes before an item that it belongs behind")
    last = order
if count != manifest["record_count"] or hashes.hexdigest() != manifest["items_hash"]:
    fail("the items are not those of the manifest")
print(f"valid: {envelope['export_kind']}, {count} items, manifest hash {manifest['manifest_hash']}")
