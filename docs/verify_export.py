"""Checks an export of HealthProbe, but no signature, with nothing but Python: python3 verify_export.py FOLDER_OR_FILE"""
import collections, decimal, hashlib, io, itertools, json, os, re, sys, zipfile
def check(holds, message): return None if holds else sys.exit(print("not valid:", message) or 4)
def foreign(reason): sys.exit(print("not an export of HealthProbe:", reason) or 4)
sys.excepthook = lambda kind, error, trace: os._exit(print("not valid:", error, flush=True) or 4)
def canonical(v):  # RFC 8785; exports hold no numbers but integers
    if not isinstance(v, dict): return "[%s]" % ",".join(map(canonical, v)) if isinstance(v, list) else json.dumps(v, ensure_ascii=False)
    return "{%s}" % ",".join(f"{canonical(n)}:{canonical(v[n])}" for n in sorted(v, key=lambda n: n.encode("utf-16-be")))
def sha(v): return hashlib.sha256(canonical(v).encode()).hexdigest()
def printed(v):  # the other form of JSON: members in their order, and what a terminal may obey or nobody sees is escaped
    unsafe = "[\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
    escape = lambda m: m[0] if m[1] else re.sub("(....)", r"\\u\1", json.loads(f'"{m[0]}"').encode("utf-16-be").hex())
    return re.sub(rf'(\\["\\u])|\\[bfnrt]|{unsafe}', escape, json.dumps(v, ensure_ascii=False, separators=(",", ":")))
def parsed(line, form=canonical, integer=int):  # what is the same when written again has no name twice, no space and no fraction in it
    v = json.loads(line, parse_float=str, parse_constant=str, parse_int=integer)
    return check(form(v) == line, f"not as exports write it: {line[:60]}") or v
def stated(file, form):  # the one line of a file of JSON, whose integers have 64 bits
    line, end, rest = file.partition("\n")
    integer = lambda digits: check(-2**63 <= int(digits) < 2**63, f"too long a number: {digits}") or int(digits)
    return check(end and not rest, "a file of JSON is not one line with its end") or parsed(line, form, integer)
def raw(name): return zipped.open(prefix + name) if zipped else open(f"{bag}/{name}", "rb")
def opened(name): return io.TextIOWrapper(raw(name), encoding="utf-8", newline="")
def text(name): return opened(name).read()
def measured(f):  # length and SHA-256
    found, size = hashlib.sha256(), 0
    with f:
        for part in iter(lambda: f.read(1 << 20), b""): size += found.update(part) or len(part)
    return [size, found.hexdigest()]
def is_file(path):  # in the export, through no link
    return path in names if zipped else os.path.join(bag, path) == os.path.realpath(os.path.join(bag, path)) and os.path.isfile(f"{bag}/{path}")
def listed(manifest):  # a BagIt manifest: every file in it is there and has its SHA-256
    *lines, rest = text(manifest).split("\n")
    whole = not rest and is_file(manifest) and len({line[66:] for line in lines}) == len(lines)
    for digest, path in check(whole, f"{manifest} is cut off, a link, or says a name twice") or (line.split("  ", 1) for line in lines):
        size, found = check(is_file(path), f"{path} is no file in the bag") or measured(raw(path))
        yield check(found == digest, f"{path}: its SHA-256 differs from the one in {manifest}") or (path, (digest, size))
def items(f):
    check(more := form == "ndjson" or next(f) == "[\n", "no right begin")
    for line in f:
        if form == "json" and line == "]\n": return check(next(f, None) is None and more == (not count), "no right end")
        end = ",\n" if form == "json" and line.endswith(",\n") else "\n"
        check(more and line.endswith(end), f"no line of an item: {line[:60]}")
        more = form == "ndjson" or end == ",\n"
        yield parsed(line[:-len(end)])
    check(form != "json", "ends without ]")

# Identities, as docs/identity.md defines them: what an item says of itself must have the hash that it is known by.
def instant(text):  # Unix seconds of a date as exports print it
    if not (m := re.fullmatch(r"([+-]?\d{4,6})-(0[1-9]|1[0-2])-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)\.000Z", text or "", re.A)): return None
    year, month, day, hour, minute, second = map(int, m.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not 1 <= day <= (31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]: return None
    if m[1] != (f"{year:04}" if 0 <= year <= 9999 else f"{year:+05}"): return None
    year, month = (year - 1, month + 9) if month < 3 else (year, month - 3)
    days = year * 365 + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day - 719469
    return ((days * 24 + hour) * 60 + minute) * 60 + second
def number(text):  # the shortest decimal of a double, laid out as ECMAScript does
    value = float(check(re.fullmatch(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", text, re.A), f"no number: {text}") or text)
    if value == 0: return "0"
    if 1e-6 <= abs(value) < 1e21: return format(decimal.Decimal(repr(value)), "f").removesuffix(".0")
    digits, exponent = f"{decimal.Decimal(repr(value)):e}".split("e")
    return (digits.rstrip("0").rstrip(".") if "." in digits else digits) + f"e{int(exponent):+d}"
def is_date(text):  # an instant or a day, alone or with a time: what is printed unchanged where a date should be
    text = re.sub(r"\A(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)([+-]\d{4})\Z", r"\1-\2-\3 \4:\5:\6 \7", text, flags=re.A)
    time = r"T\d\d:\d\d(:\d\d(\.\d{3})?)?Z|T\d\d:\d\d:\d\d[+-]\d\d:\d\d| \d\d:\d\d:\d\d"
    zoned = r" (([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)|24:00:00) [+-]([01]\d|2[0-3])[0-5]\d"
    return re.fullmatch(rf"\d{{4}}-\d\d-\d\d({time}|{zoned})?", text, re.A) and instant(text[:10] + "T00:00:00.000Z") is not None
KINDS = """record correlation workout workoutRoute activitySummary clinicalRecord audiogram visionPrescription electrocardiogram
    characteristic unknown""".split()
def strict_key(item, kind, full):  # the fields; None where the item does not have them as the phone's export printed them
    type, attributes = item["type_identifier"], item.get("attributes", {})
    if not full and type.startswith("Element/"): return None
    members = ((item["start_date"], str), (item["end_date"], str), (item["metadata"], dict))
    check(isinstance(attributes, dict) and all(v is None or isinstance(v, sort) for v, sort in members), f"item {count}: a member is of another sort")
    def date(member, name):
        if item[member] is not None: return instant(item[member])
        return attributes.get(name) if full else ...
    start, end = date("start_date", "startDate"), date("end_date", "endDate")
    if kind == "correlation":
        food = (item["metadata"] or {}).get("HKFoodType")
        return [type, start, end, food[0] if isinstance(food, list) else food]
    if kind == "workout":
        activity = attributes.get("workoutActivityType")
        return [activity, start, end] if full or (activity or "").startswith("HK") else None
    if kind == "workoutRoute":
        check(isinstance(workout := item.get("workout", {}), dict), f"item {count}: a member is of another sort")
        activity = workout.get("workoutActivityType")
        if not full and (activity or "HK")[:2] != "HK": return None
        return [activity, workout.get("startDate"), workout.get("endDate"), start, end]
    if kind == "activitySummary":
        day = attributes.get("dateComponents")
        return [day] if full or day is not None and is_date(day) else None
    if kind == "audiogram": return [type, start, end]
    if kind == "electrocardiogram": return [date("start_date", "recordedDate")]
    if kind == "characteristic": return [type]
    if not full: return None
    if kind == "clinicalRecord": return [attributes.get("type"), attributes.get("identifier")]
    if kind == "visionPrescription": return [attributes.get("type"), date("start_date", "dateIssued")]
    return [type.removeprefix("Element/"), attributes]
def readings(v):  # an attribute that looks like a printed instant may have been one, or text
    if isinstance(v, str): return [v] if instant(v) is None else [instant(v), v]
    if isinstance(v, list): return map(list, itertools.product(*map(readings, v)))
    return (dict(zip(v, values)) for values in itertools.product(*map(readings, v.values()))) if isinstance(v, dict) else [v]
def identity_holds(item, full):  # None where it cannot be recomputed
    kind, type = item["kind"], item["type_identifier"]
    known = kind in KINDS and isinstance(type, str) and (kind != "unknown" or type.startswith("Element/"))
    check(known, f"item {count}: no known kind, or no type of that kind")
    digest = lambda key: hashlib.sha256(f"hp:v2:strict:{key}".encode()).hexdigest() == item["sample_identity_hash"]
    if kind == "record":
        if not full and type.startswith("Element/"): return None
        value = number(item["value"]) if item["value_kind"] == "number" else canonical(item["value"])
        fields = [type, instant(item["start_date"]), instant(item["end_date"]), item["value_kind"]]
        return digest(f"{canonical(fields)[:-1]},{value},{canonical(item['unit'])}]")
    key = strict_key(item, kind, full)
    if key is None or ... in key: return None
    trials = list(itertools.islice(readings(key), 257))
    return any(digest(canonical(trial)) for trial in trials) if len(trials) <= 256 else None

PROFILES = ("full", "hashed", "none")
def health_manifest(data):  # of a Health export written again
    said = stated(data.decode(), printed)
    whole = said.pop("manifestHash")
    check(sha(said) == whole, "the manifest hash is not that of its content")
    content = {name: value for name, value in said.items() if name not in ("contentHash", "file")}
    check(sha(content) == said["contentHash"], "the content hash is not that of its content")
    right = [type(said[name]) for name in ("kind", "exportId", "itemCount")] == [str, str, int] and said["question"]["provenance"] in PROFILES
    check(right, "the manifest lacks a member of this format")
    return said, f"valid: {said['kind']}, {said['itemCount']} items, manifest hash {whole}"
def require(said, f, path): check(canonical(measured(f)) == canonical([said["byteCount"], said["sha256"]]), f"{path}: its length or SHA-256 is not the one in its manifest")
def verify_health_export(path):  # against the manifest beside it
    file = path.removesuffix(".manifest.json")
    if not os.path.exists(file + ".manifest.json"): foreign(f"there is no {os.path.basename(file)}.manifest.json beside it")
    for name in (file, file + ".manifest.json"): check(os.path.isfile(name) and not os.path.islink(name), f"{name} is no ordinary file")
    said, verdict = health_manifest(open(file + ".manifest.json", "rb").read())
    require(said["file"], open(file, "rb"), file)
    sys.exit(print(verdict))
def verify_zipped_health_export():  # against the manifest in it
    said, verdict = health_manifest(zipped.read("manifest.json"))
    members = [("apple_health_export/" + member["path"], member) for member in said["members"]]
    other = (names - {"manifest.json", "manifest.json.sig"}) ^ {path for path, _ in members}
    for path, member in check(members and not other, f"in the zip or in the manifest, but not in both: {other}") or members: require(member, zipped.open(path), path)
    sys.exit(print(verdict))
def is_zip(path): return open(path, "rb").read(3) in (b"PK\3", b"PK\5")
def bag_folder():  # what is before the paths of a bag in a zip; None where there is no bag
    found = [re.fullmatch("([^/]*/)?(bagit.txt|manifest-sha256.txt)", name) for name in names]
    return min((match[1] or "" for match in found if match), default=None)

if len(sys.argv) != 2: sys.exit(print("usage: python3 verify_export.py FOLDER_OR_FILE") or 64)
path = sys.argv[1]
if os.path.isfile(path) and (os.path.exists(path + ".manifest.json") or not is_zip(path)): verify_health_export(path)
bag, zipped = os.path.realpath(path), zipfile.ZipFile(path) if os.path.isfile(path) else None
if zipped:
    infos = [info for info in zipped.infolist() if not info.is_dir() or info.file_size]
    names, size = {info.filename for info in infos}, sum(info.file_size for info in infos)
    (end := open(path, "rb")).seek(-22, os.SEEK_END)
    whole = re.fullmatch(b"PK\5\6.{16}\0\0", end.read(), re.S)
    lengths = lambda place: sum(int.from_bytes((end.seek(place + at), end.read(2))[1], "little") for at in (26, 28))  # of name and extra field
    spans = sorted((i.header_offset, i.header_offset + 30 + lengths(i.header_offset) + i.compress_size, i.flag_bits & 8) for i in zipped.infolist())
    whole = whole and not (spans and spans[0][0])
    check(whole, "the zip has something before its first file or behind its end record")
    gaps = [(b[0] - a[1], a[2]) for a, b in zip(spans, spans[1:] + [(zipped.start_dir, 0, 0)])]  # a descriptor may follow a file
    check(all(gap == 0 or described and gap in (12, 16, 20, 24) for gap, described in gaps), "files of the zip overlap, or something is between them")
    check(len(names) == len(infos) and size <= 200 * max(os.path.getsize(path), 65536), "the zip has a name twice, or unpacks to too much")
    odd = [i.filename for i in infos if re.search(r"(\A|/)\.{0,2}(/|\Z)", i.filename) or i.compress_type not in (0, 8)]
    check(not odd, f"the zip has paths that leave it, folders with content, or another compression than deflate: {odd}")
    if (prefix := bag_folder()) is None and "manifest.json" not in names: foreign("the zip has neither bagit.txt nor manifest.json")
    check(all(measured(zipped.open(i))[0] == i.file_size for i in infos), "a file is shorter than the zip states")
    if prefix is None: verify_zipped_health_export()
    outside = [name for name in names if not name.startswith(prefix)]
    names = check(not outside, f"outside of the bag: {outside}") or {name[len(prefix):] for name in names}
else:
    if not any(os.path.lexists(f"{path}/{name}") for name in ("bagit.txt", "manifest-sha256.txt")): foreign("the folder has no bagit.txt")
    walk = os.walk(bag, onerror=lambda error: check(False, error))
    names = {f"{folder}/{name}"[len(bag) + 1:] for folder, inner, files in walk for name in files + [n for n in inner if os.path.islink(f"{folder}/{n}")]}
hashes, order, count = hashlib.sha256(), [], 0
tags, payload = dict(listed("tagmanifest-sha256.txt")), dict(listed("manifest-sha256.txt"))
size, payload = sum(size for _, size in payload.values()), {path: digest for path, (digest, _) in payload.items()}
extra = names - {path for path in tags if not path.startswith("data/")} - {*payload}
declared = "bagit.txt" in tags and text("bagit.txt") == "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
check(declared and extra <= {"tagmanifest-sha256.txt", "tagmanifest-sha256.txt.sig"} and all(map(is_file, extra)), f"in no manifest, or no bag: {extra}")
envelope = stated(text("data/envelope.json"), canonical)
manifest, form = envelope["manifest"], envelope["items"]["format"]
check(form in ("json", "ndjson", "csv") and envelope["items"]["file"] == f"items.{form}", "the envelope names another file of items")
info = ["Bag-Software-Agent: " + envelope["app"]["name"] + " " + envelope["app"]["version"], "Bagging-Date: " + envelope["created_at"].split("T")[0],
        "External-Identifier: " + envelope["export_id"], f"Payload-Oxum: {size}.{len(payload)}\n"]  # and the archive's UUID, which is nowhere else
said = re.subn("(?<=\nExternal-Identifier: )[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/", "", text("bag-info.txt"))
check(said == ("\n".join(info), 1), f"bag-info.txt says {said}")
kind = re.fullmatch(f"(observation_records|(observation_diff|selection)|type_summary|archive_manifest)_{form}", envelope["export_kind"])
said = [envelope["export_format_version"], manifest["item_hash_algorithm"], manifest["manifest_hash_algorithm"]]
check(canonical(said) == '[1,"sha256","sha256"]', f"a version or algorithms that this script does not know: {said}")
manifest_hash = manifest.pop("manifest_hash")
check(kind and sha(envelope) == manifest_hash, "the manifest hash is not that of the envelope, or the kind not of the items")
check((profile := envelope["provenance"]["profile"]) in PROFILES, "the envelope names no provenance profile")
records, full, skipped = not re.match("type|archive", kind[0]), profile == "full", 0
counts, unnamed = {n: collections.Counter() for n in ("type_counts", "role_counts")}, {*payload} - {"data/envelope.json", f"data/items.{form}"}
check(all(path.startswith(f"data/files/{payload[path]}.") for path in unnamed), f"not files of this format, or not those that their names state: {unnamed}")
if form == "csv":  # for spreadsheets: the file has a hash, its items are not read back
    sys.exit(print(f"valid: {envelope['export_kind']}, {manifest['record_count']} items, 0 identities recomputed, manifest hash {manifest_hash}"))
for count, item in enumerate(items(opened(f"data/items.{form}")), 1):
    said, last, files = item.pop("item_hash"), order, {"data/" + e["file"]: e["sha256"] for e in [] + item.get("files", [])}
    right = sha(item) == said and files.items() <= payload.items() and (isinstance(item.get("role"), str) if kind[2] else "role" not in item)
    texts = {name: value for name, value in item.items() if isinstance(value, str)}
    order = [texts.get(n, "") for n in ("type_identifier", "start_date", "end_date", "sample_identity_hash")]
    check(right, f"item {count}: its hash is not that of its content, or it is no item of this export")
    holds = identity_holds(item, full) if records else True
    check(holds is not False, f"item {count}: sample_identity_hash does not follow from its fields")
    skipped += holds is None
    old, new = next((pair for pair in zip(last, order) if pair[0] != pair[1]), ("", ""))
    check(old <= new or {old[:1], new[:1]} & {"+", "-"}, f"item {count}: not in order")  # years of other lengths have a sign
    unnamed, _ = unnamed - files.keys(), hashes.update(said.encode() + b"\n")
    copy, copies = [item.get(n, "") for n in ("payload_version_hash", "ordinal", "role", "group_id", "observation_id")], copies if order == last else set()
    check(copy[0] is None or len(copies) < (copies.add(str(copy)) or len(copies)), f"item {count}: appears a second time")
    for name, of in zip(counts, ("type_identifier", "role")): counts[name].update([texts[of]] if of in texts else [])
said = [manifest[name] for name in ("record_count", "items_hash", *counts)]
check(canonical(said) == canonical([count, hashes.hexdigest(), *counts.values()]) and not unnamed, "other items, or other counts of them")
print(f"valid: {envelope['export_kind']}, {count} items, {count - skipped if records else 0} identities recomputed, manifest hash {manifest_hash}")
