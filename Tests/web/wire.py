#!/usr/bin/env python3
"""The server of `healthprobe serve` from outside: raw sockets, processes and files; Python's standard library alone.

usage: wire.py PROGRAM FOLDER-OF-SYNTHETIC-EXPORTS [TEST...]
"""

import hashlib
import io
import json
import os
import random
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
import zipfile

PROGRAM = ""
CASES = ""
# How often the server is killed in each way, and how many of its system calls are made to fail; torture has more.
KILLS = int(os.environ.get("HEALTHPROBE_KILLS", "3"))
#: Whether the long checks are run, too.
PROOF = os.environ.get("HEALTHPROBE_PROOF") == "1"
FAULTS = int(os.environ.get("HEALTHPROBE_FAULTS", "1"))


def environment(folder, **more):
    """A surrounding of its own: nothing of the person's is read or written."""
    base = {"PATH": os.environ["PATH"], "HOME": folder, "XDG_DATA_HOME": folder + "/data",
            "XDG_STATE_HOME": folder + "/state", "TMPDIR": folder + "/tmp", "XDG_RUNTIME_DIR": folder + "/run"}
    os.makedirs(folder + "/tmp", exist_ok=True)
    os.makedirs(folder + "/run", exist_ok=True)
    return base | more


class Server:
    """A running server with an archive, under another program where one is named."""

    def __init__(self, folder, *arguments, archive=None, under=(), **more):
        self.archive = archive or folder + "/archive/archive.sqlite"
        self.process = subprocess.Popen(
            [*under, PROGRAM, "serve", "--json", "--archive", self.archive, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(folder, **more))
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(self.process.stderr.read().decode())
        self.about = json.loads(line)
        self.port = int(self.about["url"].rstrip("/").rsplit(":", 1)[1])
        self.token = self.about["token"]
        self.name = self.about["browserURL"].rstrip("/")[len("http://"):]
        self.login_token = self.about["loginURL"].split("=")[1]
        self.file = f"{more.get('XDG_RUNTIME_DIR', folder + '/run')}/healthprobe/serve-{self.port}.json"

    def new_login(self):
        """A login link that nobody has used."""
        return json.loads(read(self.file))["loginURL"]

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=40)
        return connection

    def send(self, data):
        """The bytes that come back until the server closes or falls silent."""
        with self.connect() as connection:
            connection.sendall(data if isinstance(data, bytes) else data.encode())
            connection.settimeout(3)
            return receive(connection)

    def head(self, target, *headers, method="GET"):
        """A request with the token, without its body."""
        lines = [f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Connection: close",
                 f"Authorization: Bearer {self.token}", *headers]
        return "\r\n".join(lines).encode() + b"\r\n\r\n"

    def ask(self, target):
        """The seconds that an answer takes, and whether it is there: nobody waits for one that is being computed."""
        start = time.monotonic()
        status, headers, _ = parse(self.send(self.head(target)))
        return time.monotonic() - start, status == 200 and "retry-after" not in headers

    def begin(self, target, *headers, method="GET", body=""):
        """A connection on which an answer begins that is read slowly, with its first bytes."""
        connection = self.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        if body:
            headers += ("Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}")
        connection.sendall(self.head(target, *headers, method=method) + body.encode())
        return connection, connection.recv(512)

    def get(self, target, *headers, method="GET", body=""):
        """The status, the headers and the body of an answer to a request with the token, once it is computed."""
        lines = [f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Connection: close",
                 f"Authorization: Bearer {self.token}", *headers]
        if body:
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        end = time.monotonic() + 60
        while True:
            answer = parse(self.send("\r\n".join(lines) + "\r\n\r\n" + body))
            if answer[0] not in (200, 202) or "retry-after" not in answer[1] or time.monotonic() > end:
                return answer
            time.sleep(1)

    def stop(self, number=signal.SIGTERM):
        """Seconds until the process has ended."""
        start = time.monotonic()
        os.kill(self.about["pid"], number)
        self.process.wait(timeout=10)
        return time.monotonic() - start

    def children(self):
        """The process ids of the programs that it has started."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                fields = read(f"/proc/{pid}/stat").rsplit(b")", 1)[1].split()
                if int(fields[1]) == self.about["pid"] and fields[0] != b"Z":
                    found.append(int(pid))
            except OSError:
                pass
        return found

    def close(self):
        try:
            if self.process.poll() is None:
                os.kill(self.about["pid"], signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


def receive(connection):
    data = b""
    try:
        while True:
            piece = connection.recv(65536)
            if not piece:
                return data
            data += piece
    except (socket.timeout, ConnectionResetError):
        return data


def parse(data):
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        headers.setdefault(name.lower(), value.strip())
    if headers.get("transfer-encoding") == "chunked":
        body = unchunk(body)
    return int(lines[0].split(" ")[1]) if lines[0] else 0, headers, body


def unchunk(data):
    body = b""
    while data:
        length, _, data = data.partition(b"\r\n")
        size = int(length, 16)
        if size == 0:
            return body
        body, data = body + data[:size], data[size + 2:]
    raise AssertionError("the last chunk is missing")


def whole(data):
    """Whether an answer in chunks has its end."""
    return data.endswith(b"0\r\n\r\n")


def pieces(data):
    """The body of an answer in chunks, which may be cut."""
    _, _, data = data.partition(b"\r\n\r\n")
    body = b""
    while data:
        length, _, data = data.partition(b"\r\n")
        size = int(length, 16) if re.fullmatch(rb"[0-9a-fA-F]+", length) else 0
        if not size:
            break
        body, data = body + data[:size], data[size + 2:]
    return body


def listening(pid):
    """The local addresses on which a process listens, as /proc prints them."""
    inodes = set()
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            found = re.match(r"socket:\[(\d+)\]", os.readlink(f"/proc/{pid}/fd/{name}"))
        except OSError:
            continue
        if found:
            inodes.add(found[1])
    found = []
    for table in ("tcp", "tcp6"):
        with open(f"/proc/net/{table}") as lines:
            for line in list(lines)[1:]:
                fields = line.split()
                if fields[3] == "0A" and fields[9] in inodes:
                    found.append(fields[1].split(":")[0])
    return found


def read(path):
    with open(path, "rb") as file:
        return file.read()


def wait_until(condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class WireTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="healthprobe-wire-")
        os.makedirs(cls.folder + "/archive")
        cls.archive = cls.folder + "/archive/archive.sqlite"
        cls.run_program("import", "--quiet", "--archive", cls.archive, *exports("renamed-watch"))
        cls.server = Server(cls.folder, "--port", "0")

    @classmethod
    def tearDownClass(cls):
        cls.server.close()
        shutil.rmtree(cls.folder)

    @classmethod
    def run_program(cls, *arguments, check=True):
        done = subprocess.run([PROGRAM, *arguments], env=environment(cls.folder), capture_output=True)
        if check and done.returncode != 0:
            raise AssertionError(done.stderr.decode())
        return done

    def new_folder(self):
        """A folder that goes with the test."""
        folder = tempfile.mkdtemp(prefix="healthprobe-wire-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        return folder

    def serve(self, *arguments, **more):
        """A server that ends with the test."""
        server = Server(*arguments, **more)
        self.addCleanup(server.close)
        return server

    def status(self, data):
        answer = self.server.send(data)
        self.assertNotIn(b"observedAt", answer)
        self.assertNotIn(b"HKQuantity", answer)
        return parse(answer)[0]

    def lines(self, *lines):
        own = f"127.0.0.1:{self.server.port}"
        text = "\r\n".join(lines).replace("NAME", self.server.name).replace("OWN", own).replace("TOKEN", self.server.token)
        return text + "\r\nConnection: close\r\n\r\n"

    def test_hostile_requests(self):
        form = "Content-Type: application/x-www-form-urlencoded"
        bearer = "Authorization: Bearer TOKEN"
        table = [
            (421, ["GET /timeline HTTP/1.1", "Host: evil.com", bearer]),
            (421, ["GET /timeline HTTP/1.1", "Host: localhost.evil.com", bearer]),
            (421, ["GET /timeline HTTP/1.1", "Host: 127.0.0.1.nip.io", bearer]),
            (421, ["GET /timeline HTTP/1.1", "Host: 127.0.0.1", bearer]),
            (421, ["GET /timeline HTTP/1.1", "Host: OWN", "Host: OWN", bearer]),
            (421, ["GET /timeline HTTP/1.1", "Host: OWN", "Host: evil.com", bearer]),
            (421, ["GET /timeline HTTP/1.1", "Host: evil.com", "Host: OWN", bearer]),
            (421, ["GET http://evil.com/timeline HTTP/1.1", "Host: OWN", bearer]),
            (421, ["GET http://OWN/timeline HTTP/1.1", "Host: evil.com", bearer]),
            (421, ["GET http://OWN@evil.com/timeline HTTP/1.1", "Host: OWN", bearer]),
            (421, ["GET //evil.com/timeline HTTP/1.1", "Host: evil.com", bearer]),
            (400, ["GET /timeline HTTP/1.1", bearer]),
            (400, ["GET http://OWN/timeline HTTP/1.1", bearer]),
            (400, ["GET http://evil.com/timeline HTTP/1.1", bearer]),
            (400, ["GET /?x=1 HTTP/1.1", "Host: OWN", bearer]),
            (400, ["GET /login?x=1 HTTP/1.1", "Host: OWN"]),
            (400, ["GET /favicon.svg?x=1 HTTP/1.1", "Host: OWN"]),
            (405, ["GET /logout HTTP/1.1", "Host: OWN", bearer]),
            (400, ["GET /timeline HTTP/1.0", bearer]),
            (400, ["GET /timeline HTTP/9.9", "Host: OWN", bearer]),
            (400, ["GET /time line HTTP/1.1", "Host: OWN", bearer]),
            (400, ["GET /timeline HTTP/1.1", "Host : OWN", bearer]),
            (400, ["GET /timeline HTTP/1.1", "Host: OWN", bearer, "Content-Length: 3", "Transfer-Encoding: chunked"]),
            (400, ["NONSENSE"]),
            (405, ["OPTIONS /timeline HTTP/1.1", "Host: OWN", "Origin: http://evil.com",
                   "Access-Control-Request-Method: GET"]),
            (405, ["PUT /timeline HTTP/1.1", "Host: OWN", bearer]),
            (405, ["DELETE /timeline HTTP/1.1", "Host: OWN", bearer]),
            (403, ["POST /login HTTP/1.1", "Host: OWN", form, "Sec-Fetch-Site: same-site"]),
            (403, ["POST /login HTTP/1.1", "Host: OWN", form, "Sec-Fetch-Site: cross-site"]),
            (403, ["POST /login HTTP/1.1", "Host: OWN", form, "Origin: http://evil.com"]),
            (403, ["POST /login HTTP/1.1", "Host: OWN", form, "Origin: null"]),
            (403, ["POST /login HTTP/1.1", "Host: OWN", form]),
            (403, ["POST /login HTTP/1.1", "Host: OWN", "Content-Type: text/plain", "Sec-Fetch-Site: same-site"]),
            (421, ["POST /login HTTP/1.1", "Host: evil.com", form, "Origin: http://evil.com"]),
            (415, ["POST /login HTTP/1.1", "Host: OWN", "Content-Type: text/plain", "Sec-Fetch-Site: same-origin"]),
            (413, ["POST /login HTTP/1.1", "Host: OWN", form, "Sec-Fetch-Site: same-origin", "Content-Length: 99999"]),
            (403, ["GET /timeline.json HTTP/1.1", "Host: OWN", bearer, "Sec-Fetch-Site: same-site",
                   "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty"]),
            (403, ["GET /timeline HTTP/1.1", "Host: OWN", bearer, "Sec-Fetch-Site: cross-site",
                   "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"]),
            (401, ["GET /timeline HTTP/1.1", "Host: OWN"]),
            (401, ["GET /nothing HTTP/1.1", "Host: OWN"]),
            (401, ["GET /timeline HTTP/1.1", "Host: OWN", "Authorization: Bearer 0"]),
            (401, ["GET /?token=0 HTTP/1.1", "Host: OWN"]),
            (414, ["GET /" + 9000 * "a" + " HTTP/1.1", "Host: OWN", bearer]),
            (414, ["GET /" + 40000 * "a" + " HTTP/1.1", "Host: OWN", bearer]),
            (431, ["GET /timeline HTTP/1.1", "Host: OWN", bearer, "X: " + 9000 * "a"]),
            (431, ["GET /timeline HTTP/1.1", "Host: OWN", bearer, "X: " + 40000 * "a"]),
            (431, ["GET /timeline HTTP/1.1", "Host: OWN", bearer, *[f"X-{n}: a" for n in range(200)]]),
            (431, ["GET /timeline HTTP/1.1", "Host: OWN", bearer, *[f"X-{n}: " + 1000 * "a" for n in range(50)]]),
        ]
        for wanted, lines in table:
            with self.subTest(lines[0][:80], headers=[line[:80] for line in lines[1:3]]):
                self.assertEqual(self.status(self.lines(*lines)), wanted)

    def test_own_target_in_absolute_form(self):
        own = f"127.0.0.1:{self.server.port}"
        status, _, _ = self.server.get(f"http://{own}/timeline.json")
        self.assertEqual(status, 200)

    def test_a_body_that_is_not_http(self):
        head = self.lines("POST /login HTTP/1.1", "Host: OWN", "Content-Type: application/x-www-form-urlencoded",
                          "Sec-Fetch-Site: same-origin", "Transfer-Encoding: chunked")
        # Either the connection ends, or an answer says so under the headers of all answers.
        status, headers, _ = parse(self.server.send(head + "zz\r\n"))
        self.assertIn(status, (0, 400))
        if status:
            self.assertIn("default-src 'none'", headers["content-security-policy"])
            self.assertEqual(headers["x-content-type-options"], "nosniff")
        self.assertEqual(self.server.get("/timeline")[0], 200)

    def test_headers_of_every_answer(self):
        for target, wanted in [("/timeline", 200), ("/nothing", 404), ("/timeline.json", 200), ("/login", 200)]:
            status, headers, _ = self.server.get(target)
            self.assertEqual(status, wanted)
            self.assertIn("default-src 'none'", headers["content-security-policy"])
            self.assertNotIn("unsafe-inline", headers["content-security-policy"])
            self.assertEqual(headers["cache-control"], "no-store")
            self.assertEqual(headers["x-content-type-options"], "nosniff")
            self.assertEqual(headers["referrer-policy"], "same-origin")
            self.assertEqual(headers["cross-origin-opener-policy"], "same-origin")
            self.assertNotIn("server", headers)
            self.assertFalse([name for name in headers if name.startswith("access-control")])

    def test_the_sites_own_files_are_kept_by_browsers(self):
        page = self.server.get("/timeline")[2].decode()
        files = set(re.findall(r'(?:href|src)="(/static/[^"]+|/favicon\.svg)"', page))
        self.assertEqual(len(files), 3)
        for target in files:
            # Their names change with their content: nobody asks again, so there is nothing to answer 304.
            status, headers, body = parse(self.server.send(self.lines(f"GET {target} HTTP/1.1", "Host: OWN")))
            self.assertEqual((status, headers["cache-control"]), (200, "public, max-age=31536000, immutable"), target)
            self.assertEqual(headers["x-content-type-options"], "nosniff")
            if target.startswith("/static/"):
                self.assertIn(hashlib.sha256(body).hexdigest()[:16], target)

    def test_login_and_logout(self):
        server = self.serve(self.folder, "--port", "0", archive=self.archive, XDG_RUNTIME_DIR=self.folder)
        path = f"{self.folder}/healthprobe/serve-{server.port}.json"
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        self.assertEqual(json.loads(read(path)), server.about)

        def ask(method, target, host, *headers, body=""):
            lines = [f"{method} {target} HTTP/1.1", f"Host: {host}", "Connection: close", *headers]
            if body or method == "POST":
                lines += ["Sec-Fetch-Site: same-origin", "Content-Type: application/x-www-form-urlencoded",
                          f"Content-Length: {len(body)}"]
            return parse(server.send("\r\n".join(lines) + "\r\n\r\n" + body))

        address = f"127.0.0.1:{server.port}"
        # Under an address the link leads to the name, and logs nobody in.
        _, headers, _ = ask("GET", f"/?token={server.login_token}", address)
        self.assertEqual(headers["refresh"], f"0; url={server.about['loginURL']}")
        self.assertNotIn("set-cookie", headers)
        status, headers, body = ask("GET", f"/?token={server.login_token}", server.name)
        self.assertEqual(status, 200)
        self.assertNotIn(server.login_token.encode(), body)
        cookie = headers["set-cookie"]
        self.assertRegex(cookie, rf"^healthprobe-{server.port}=[0-9a-f]{{32}}; HttpOnly; SameSite=Strict; Path=/$")
        cookie = "Cookie: " + cookie.split(";")[0]
        self.assertEqual(ask("GET", f"/?token={server.login_token}", server.name)[0], 401)
        self.assertEqual(ask("GET", "/timeline", server.name, cookie)[0], 200)
        # What another user's server on this machine could be sent is worth nothing.
        self.assertEqual(ask("GET", "/timeline", address, cookie)[0], 401)
        self.assertEqual(ask("GET", "/timeline", address, f"Authorization: Bearer {server.login_token}")[0], 401)
        renewed = json.loads(read(path))["loginURL"].split("=")[1]
        self.assertNotEqual(renewed, server.login_token)
        self.assertEqual(ask("POST", "/logout", server.name, cookie)[0], 303)
        self.assertEqual(ask("GET", "/timeline", server.name, cookie)[0], 401)
        self.assertEqual(ask("POST", "/login", server.name, body=f"token={server.token}")[0], 401)
        self.assertEqual(ask("POST", "/login", server.name, body=f"token={renewed}")[0], 200)
        server.stop()
        self.assertFalse(os.path.exists(path))

    def test_twins_have_the_bytes_of_the_commands(self):
        for target, arguments in [
            ("/timeline.json", ["timeline", "--json"]), ("/show.json?at=2", ["show", "2", "--json"]),
            ("/records.csv?at=2&limit=50", ["records", "--at", "2", "--limit", "50", "--csv"]),
            ("/records.ndjson?at=2&limit=50", ["records", "--at", "2", "--limit", "50", "--json"]),
        ]:
            with self.subTest(target):
                status, _, body = self.server.get(target)
                printed = self.run_program(*arguments, "--archive", self.archive).stdout
                self.assertEqual((status, body), (200, printed))

    def test_twins_of_every_scenario(self):
        for case in sorted(os.listdir(CASES)):
            if not os.path.isdir(f"{CASES}/{case}/exports"):
                continue
            folder = tempfile.mkdtemp(prefix="healthprobe-wire-")
            archive = folder + "/archive.sqlite"
            steps = [[export] for export in exports(case)]
            if os.path.exists(f"{CASES}/{case}/scenario.json"):
                plan = json.loads(read(f"{CASES}/{case}/scenario.json")).get("imports")
                if plan:
                    steps = [[f"{CASES}/{case}/exports/{step['export']}", *step.get("arguments", [])] for step in plan]
            for step in steps:
                self.run_program("import", "--quiet", "--archive", archive, *step, check=False)
            if not os.path.exists(archive):
                shutil.rmtree(folder)
                continue
            server = Server(self.folder, "--port", "0", archive=archive)
            for chain in json.loads(self.run_program("archive", "info", "--json", "--archive", archive).stdout)["chains"]:
                chain = chain["name"]
                named = ["--archive", archive, "--chain", chain]
                for path, command in [
                        ("/timeline.json", ["timeline", "--json"]), ("/show.json", ["show", "--json"]),
                        ("/records.csv", ["records", "--csv", "--limit", "100000"]),
                        ("/records.ndjson", ["records", "--json", "--limit", "100000"]),
                        ("/aggregates.csv", ["aggregates", "--csv"]), ("/aggregates.json", ["aggregates", "--json"]),
                        ("/diff.json", ["diff", "--json"]), ("/diff/records.ndjson", ["diff", "--records", "--json"]),
                        ("/consolidation.json", ["consolidation", "--json"])]:
                    with self.subTest(case, path=path, chain=chain):
                        status, _, body = server.get(f"{path}?chain={urllib.parse.quote(chain)}")
                        done = self.run_program(*command, *named, check=False)
                        if done.returncode == 0:
                            self.assertEqual((status, body), (200, done.stdout))
                        else:
                            self.assertGreaterEqual(status, 400)
            server.close()
            shutil.rmtree(folder)

    def test_head_is_get_without_its_body(self):
        for target in ["/timeline", "/timeline.json", "/records.csv?at=2", "/nothing"]:
            status, headers, body = self.server.get(target)
            answer = self.server.send(
                f"HEAD {target} HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nConnection: close\r\n"
                f"Authorization: Bearer {self.server.token}\r\n\r\n")
            found, found_headers, nothing = answer.partition(b"\r\n\r\n")
            self.assertEqual(int(found.split()[1]), status)
            self.assertEqual(nothing, b"")
            if "content-length" in headers:
                self.assertIn(b"content-length: %d" % len(body), found.lower())

    def test_old_clients_find_the_end_of_a_stream(self):
        answer = self.server.send(
            f"GET /records.csv?at=2 HTTP/1.0\r\nHost: 127.0.0.1:{self.server.port}\r\n"
            f"Authorization: Bearer {self.server.token}\r\n\r\n")
        head, _, body = answer.partition(b"\r\n\r\n")
        self.assertNotIn(b"chunked", head.lower())
        self.assertEqual(body, self.server.get("/records.csv?at=2")[2])

    def test_old_clients_are_answered_once(self):
        for target in ["/timeline", "/nothing", "/records.csv?at=2"]:
            request = (f"GET {target} HTTP/1.0\r\nHost: 127.0.0.1:{self.server.port}\r\n"
                       f"Authorization: Bearer {self.server.token}\r\n\r\n").encode()
            with self.server.connect() as connection:
                connection.sendall(request)
                connection.settimeout(5)
                answer = b""
                while piece := connection.recv(65536):
                    answer += piece
            self.assertIn(b"connection: close", answer.partition(b"\r\n\r\n")[0].lower())

    def test_pipelined_requests_are_answered_in_their_order(self):
        one = (f"GET /timeline.json HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
               f"Authorization: Bearer {self.server.token}\r\n\r\n")
        two = one.replace("/timeline.json", "/nothing.json")
        answer = self.server.send(one + two + one)
        self.assertEqual([int(code) for code in re.findall(rb"HTTP/1\.1 (\d+)", answer)], [200, 404, 200])

    def test_a_request_that_never_ends_is_cut_after_20_seconds(self):
        # An import that is refused at its head has no more time than any other request.
        for begin in [b"GET /timeline HTTP/1.1\r\n",
                      b"POST /import HTTP/1.1\r\nHost: example.com\r\nContent-Length: 100000\r\n\r\n"]:
            with self.subTest(begin=begin), self.server.connect() as connection:
                start = time.monotonic()
                connection.sendall(begin)
                connection.settimeout(1)
                closed = False
                while not closed and time.monotonic() - start < 30:
                    try:
                        connection.sendall(b"X")
                        closed = connection.recv(100000) == b""
                    except socket.timeout:
                        pass
                    except (BrokenPipeError, ConnectionResetError):
                        closed = True
                seconds = time.monotonic() - start
                self.assertTrue(closed)
                self.assertGreater(seconds, 15)
                self.assertLess(seconds, 25)

    def test_it_listens_on_this_computer_alone(self):
        self.assertEqual(listening(self.server.process.pid), ["0100007F"])
        for host in ["0.0.0.0", "::", "192.168.0.1", "127.+0.0.1", "127.0.0.010", "example.com", ""]:
            done = self.run_program("serve", "--host", host, "--archive", self.archive, check=False)
            self.assertEqual(done.returncode, 64, host)

    def test_a_taken_port(self):
        done = self.run_program("serve", "--port", str(self.server.port), "--archive", self.archive, check=False)
        self.assertEqual(done.returncode, 73)
        self.assertEqual(self.run_program("serve", "--port", "70000", check=False).returncode, 64)
        for chain in ["other", "default"]:
            self.assertEqual(self.run_program("serve", "--chain", chain, check=False).returncode, 64)

    def test_reading_changes_nothing(self):
        def state():
            # SQLite may make its shared memory and an empty log; the cache may be written.
            names = [n for n in sorted(os.listdir(self.folder + "/archive"))
                     if ".sqlite.cache" not in n and not n.endswith("-shm") and not (n.endswith("-wal") and not read(f"{self.folder}/archive/{n}"))]
            return names, hashlib.sha256(read(self.archive)).hexdigest()

        before = state()
        for target in ["/timeline", "/show?at=1", "/records?at=2", "/records.csv?at=2", "/types", "/diff", "/health",
                       "/sources", "/exports", "/help", "/nothing", "/type?type=StepCount", "/aggregates?at=2",
                       "/aggregates.csv?at=2", "/diff/records", "/diff/records.ndjson", "/consolidation",
                       "/consolidation/groups", "/report", "/report.json", "/export?kind=diff", "/export.json?kind=xml",
                       "/quarantine?at=2", "/health.json", "/health/log", "/jobs", "/settings", "/state.json",
                       "/favicon.svg"]:
            self.server.get(target)
        self.assertEqual(state(), before)

    def test_abandoned_downloads_leave_no_reader_busy(self):
        request = (f"GET /records.csv?at=2 HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
                   f"Authorization: Bearer {self.server.token}\r\n\r\n").encode()
        for _ in range(50):
            with self.server.connect() as connection:
                connection.sendall(request)
                connection.recv(100)
        start = time.monotonic()
        status, _, _ = self.server.get("/records.csv?at=2&limit=1")
        self.assertEqual(status, 200)
        self.assertLess(time.monotonic() - start, 2)

    def test_readers_that_stop_leave_the_pages_alone(self):
        request = (f"GET /records.csv?at=2 HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
                   f"Authorization: Bearer {self.server.token}\r\n\r\n").encode()
        stalled = []
        for _ in range(4):
            connection = self.server.connect()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.sendall(request)
            stalled.append(connection)
        start = time.monotonic()
        self.assertEqual(self.server.get("/timeline")[0], 200)
        self.assertLess(time.monotonic() - start, 1)
        for connection in stalled:
            connection.close()

    def form(self, target, body, *headers):
        """The answer to a form that a script posts."""
        return self.server.get(target, *headers, method="POST", body=body)

    def test_a_job_runs_a_command_of_this_program(self):
        status, headers, _ = self.form("/jobs", "kind=check")
        self.assertEqual(status, 303)
        self.assertRegex(headers["location"], r"^/jobs/\d+$")
        job = self.job(headers["location"])
        self.assertEqual((job["state"], job["exitCode"], job["progress"]), ("done", 0, 1))
        self.assertTrue(job["result"]["healthy"])
        self.assertTrue(any(message.startswith("Checking") for message in job["messages"]), job["messages"])
        status, headers, _ = self.form("/jobs", "kind=analyse&from=1&to=2")
        self.assertEqual(status, 303)
        self.assertEqual(self.job(headers["location"])["state"], "done")
        self.assertEqual(self.form("/jobs", "kind=check&other=1")[0], 400)
        self.assertEqual(self.form("/timeline", "a=1")[0], 405)
        self.assertEqual(self.server.get("/jobs/999.json")[0], 404)

    def job(self, target):
        """A job once it is over."""
        end = time.monotonic() + 60
        while True:
            job = json.loads(self.server.get(target + ".json")[2])
            if job["state"] not in ("queued", "running"):
                return job
            self.assertLess(time.monotonic(), end)
            time.sleep(0.1)

    def test_an_export_is_streamed_and_verified(self):
        for fields, name in [("kind=records&at=2", "records-2.zip"), ("kind=diff&from=1&to=2", "diff-1-2.zip"),
                             ("kind=xml&at=2", "xml-2.zip")]:
            with self.subTest(fields):
                status, headers, body = self.form("/export", fields)
                self.assertEqual((status, headers["content-type"]), (200, "application/zip"))
                self.assertEqual(headers["content-disposition"], f'attachment; filename="{name}"')
                with open(self.folder + "/" + name, "wb") as file:
                    file.write(body)
                self.run_program("verify-export", self.folder + "/" + name)
        self.assertEqual(self.form("/export", "kind=records&at=99")[0], 404)
        self.assertEqual(self.form("/export", "kind=")[0], 400)
        exports = json.loads(self.server.get("/exports.json")[2])["exports"]
        self.assertGreaterEqual(len(exports), 3)

    def test_an_export_without_the_key(self):
        folder = self.new_folder()
        server = self.serve(folder, "--port", "0", archive=self.archive)
        self.assertEqual(server.get("/export", method="POST", body="kind=records&provenance=hashed")[0], 409)
        self.assertEqual(server.get("/timeline")[0], 200)

    def test_a_failed_check_is_on_every_page(self):
        import sqlite3
        folder = self.new_folder()
        archive = folder + "/damaged.sqlite"
        self.run_program("import", "--quiet", "--archive", archive, *exports("renamed-watch"))
        with sqlite3.connect(archive) as database:
            database.execute("UPDATE type_runs SET visible_count = visible_count + 1 WHERE import_id = 1")
        database.close()
        self.assertEqual(self.run_program("check", "--archive", archive, check=False).returncode, 4)
        server = self.serve(self.folder, "--port", "0", archive=archive)
        for target in ["/timeline", "/types", "/help", "/settings", "/jobs"]:
            self.assertIn(b"Degraded", server.get(target)[2], target)
        self.assertEqual(json.loads(server.get("/health.json")[2])["state"], "degraded")
        # What failed is about counts by type: it blocks what is made of them alone.
        self.assertEqual(server.get("/export.json?kind=types")[0], 200)
        self.assertEqual(server.get("/export", method="POST", body="kind=types")[0], 409)
        self.assertEqual(server.get("/jobs", method="POST", body="kind=analyse&from=1&to=2")[0], 409)
        self.assertEqual(server.get("/jobs", method="POST", body="kind=check")[0], 303)

    def test_a_server_that_only_reads_starts_nothing(self):
        server = self.serve(self.folder, "--port", "0", "--read-only", archive=self.archive)
        self.assertTrue(server.about["readOnly"])
        for target in ["/jobs", "/export"]:
            self.assertEqual(server.get(target, method="POST", body="kind=records")[0], 403)
        self.assertEqual(self.send_export(server, __file__)[0], 403)
        self.assertEqual(server.get("/settings", method="POST", body="display.theme=auto")[0], 303)

    def test_settings_are_kept(self):
        self.assertEqual(self.form("/settings", "display.pageSize=50&display.theme=dark")[0], 303)
        printed = self.run_program("settings", "list", "--json").stdout
        self.assertEqual(self.server.get("/settings.json")[2], printed)
        self.assertIn(b'{"key":"display.pageSize","value":50}', printed)
        self.assertIn(b'data-theme="dark"', self.server.get("/timeline")[2])
        self.run_program("settings", "reset")
        self.assertEqual(self.form("/settings", "display.pagesize=50")[0], 400)

    def test_children_end_with_the_server(self):
        for number, seconds in [(signal.SIGKILL, 2), (signal.SIGTERM, 3)]:
            server = Server(self.folder, "--port", "0", archive=self.archive)
            # A download that nobody takes keeps its command running.
            body = "kind=xml&at=2"
            connection = server.connect()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            for _ in range(4):
                server.get("/jobs", method="POST", body="kind=check&deep=1")
            connection.sendall(
                (f"POST /export HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"
                 "Content-Type: application/x-www-form-urlencoded\r\n"
                 f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
            self.assertTrue(wait_until(lambda: server.children(), 10))
            children = server.children()
            server.process.send_signal(number)
            self.assertTrue(wait_until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in children), seconds + 1))
            connection.close()
            server.process.wait(timeout=10)
            server.close()
            if number == signal.SIGTERM:
                self.assertEqual([pid for pid in children if os.path.exists(f"{self.archive}.tmp-{pid}")], [])

    def test_a_command_that_is_ended_leaves_nothing(self):
        server = self.serve(self.folder, "--port", "0", archive=self.archive)
        connection = server.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        body = "kind=xml&at=2"
        connection.sendall(
            (f"POST /export HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"
             "Content-Type: application/x-www-form-urlencoded\r\n"
             f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
        self.assertTrue(wait_until(lambda: server.children(), 10))
        child = server.children()[0]
        os.kill(child, signal.SIGKILL)
        self.assertTrue(wait_until(lambda: not os.path.exists(f"{self.archive}.tmp-{child}"), 5))
        self.assertTrue(os.path.exists(f"{self.archive}.tmp-{server.process.pid}"))
        connection.close()

    def test_an_archive_that_another_program_has_for_itself(self):
        import sqlite3
        folder = self.new_folder()
        archive = folder + "/locked.sqlite"
        self.run_program("import", "--quiet", "--archive", archive, *exports("renamed-watch")[:1])
        other = sqlite3.connect(archive, isolation_level=None)
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN IMMEDIATE")
        server = self.serve(folder, "--port", "0", archive=archive)
        for target, status in [("/help", 200), ("/settings", 200), ("/timeline.json", 409), ("/types", 409)]:
            start = time.monotonic()
            self.assertEqual(server.get(target)[0], status, target)
            self.assertLess(time.monotonic() - start, 3, target)
        other.close()
        self.assertEqual(server.get("/timeline.json")[0], 200)

    def test_an_archive_that_is_empty_for_a_moment(self):
        folder = self.new_folder()
        archive = folder + "/copied.sqlite"
        self.run_program("archive", "backup", archive, "--archive", self.archive)
        with open(archive, "rb") as file:
            content = file.read()
        server = self.serve(folder, "--port", "0", archive=archive)
        self.assertEqual(server.get("/timeline")[0], 200)
        # As `cp` does it: the same file, empty first.
        with open(archive, "r+b") as file:
            file.truncate(0)
            file.flush()
            for _ in range(3):
                self.assertEqual(server.get("/timeline")[0], 503)
            file.write(content)
        for _ in range(20):
            self.assertEqual(server.get("/timeline")[0], 200)
            self.assertEqual(server.get("/show?at=2")[0], 200)

    def test_the_same_bytes_in_every_time_zone(self):
        bodies = []
        for zone in ["UTC", "Pacific/Kiritimati"]:
            # A page lists the queries that it ran: those that a cache spares it are not among them.
            server = Server(self.folder, "--port", "0", "--cache", "off", archive=self.archive, TZ=zone)
            bodies.append([server.get(target)[2] for target in [
                "/timeline", "/show?at=2", "/records?at=2", "/records.csv?at=2", "/diff?from=1&to=2", "/sources"]])
            server.close()
        self.assertEqual(bodies[0], bodies[1])

    def test_nothing_is_written_elsewhere(self):
        folder = self.new_folder()
        os.makedirs(folder + "/own")
        archive = folder + "/own/archive.sqlite"
        home = folder + "/home"
        os.makedirs(home)
        self.run_program("import", "--quiet", "--archive", archive, *exports("renamed-watch")[:1])
        server = self.serve(home, "--port", "0", archive=archive)
        for target in ["/timeline", "/show?at=1", "/records.csv?at=1", "/types", "/health"]:
            self.assertEqual(server.get(target)[0], 200)
        server.stop()
        found = [path for _, _, files in os.walk(home) for path in files]
        self.assertEqual(found, [])

    def send_export(self, server, path, length=None, *headers):
        """Sends a file as an upload does."""
        data = read(path)
        lines = ["POST /import?name=%C3%A4%20b.zip HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Connection: close",
                 f"Authorization: Bearer {server.token}", "Content-Type: application/octet-stream",
                 f"Content-Length: {len(data) if length is None else length}", *headers]
        with server.connect() as connection:
            connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")
            try:
                connection.sendall(data)
            except (BrokenPipeError, ConnectionResetError):
                pass
            return parse(receive(connection))

    def test_an_export_is_sent_and_imported(self):
        folder = self.new_folder()
        archive = folder + "/new.sqlite"
        export = self.folder + "/sent.zip"
        zipped(exports("renamed-watch")[0], export)
        server = self.serve(self.folder, "--port", "0", archive=archive)
        self.assertIn(b"/import", server.get("/timeline")[2])
        self.assertEqual(server.get("/import")[0], 200)
        status, headers, _ = self.send_export(server, export)
        self.assertEqual(status, 303)
        end = time.monotonic() + 60
        while True:
            job = json.loads(server.get(headers["location"] + ".json")[2])
            if job["state"] not in ("queued", "running"):
                break
            self.assertLess(time.monotonic(), end)
            time.sleep(0.1)
        self.assertEqual((job["kind"], job["state"]), ("import", "done"), job)
        page = server.get(headers["location"])[2].decode()
        self.assertIn("<bdi>\u00e4 b.zip</bdi> is imported as observation 1", page)
        observations = json.loads(server.get("/timeline.json")[2])["observations"]
        self.assertEqual([o["observation"]["source"]["name"] if "observation" in o else o["source"]["name"]
                          for o in observations], ["\u00e4 b.zip"])
        self.assertEqual(self.leftovers(folder), [])
        # One that ends early, one that is too large, one of another type, one that is none.
        self.send_export(server, export, os.path.getsize(export) + 5)
        self.assertTrue(wait_until(lambda: self.leftovers(folder) == [], 5))
        self.assertEqual(self.send_export(server, export, 1 << 60)[0], 413)
        self.assertEqual(server.get("/import", method="POST", body="a=b")[0], 415)
        with open(self.folder + "/none.zip", "wb") as file:
            file.write(b"nothing" * 100)
        _, headers, _ = self.send_export(server, self.folder + "/none.zip")
        self.assertTrue(wait_until(
            lambda: json.loads(server.get(headers["location"] + ".json")[2])["state"] == "failed", 30))
        self.assertIn(b"is no export of the Health app", server.get(headers["location"])[2])
        self.assertEqual(self.leftovers(folder), [])

    def test_an_export_may_take_longer_than_a_request(self):
        folder = self.new_folder()
        server = self.serve(folder, "--port", "0", "--cache", "off", archive=folder + "/new.sqlite")
        data = b"no export" * 1000
        with server.connect() as connection:
            connection.sendall(
                (f"POST /import HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n"
                 f"Authorization: Bearer {server.token}\r\nContent-Type: application/octet-stream\r\n"
                 f"Content-Length: {len(data)}\r\n\r\n").encode())
            for place in range(0, len(data), 400):
                connection.sendall(data[place:place + 400])
                time.sleep(1)
            status, headers, _ = parse(receive(connection))
        self.assertEqual(status, 303)
        job = json.loads(server.get(headers["location"] + ".json")[2])
        self.assertEqual(job["arguments"][-3:], ["--cache", "off", "--json"])

    @staticmethod
    def leftovers(folder):
        return [path for _, _, files in os.walk(folder) for path in files if path.startswith("upload-")]

    def test_the_answer_of_serve_fits_its_schema(self):
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/schemas/web-serve.json")
        self.assertEqual(list(self.server.about), json.loads(read(path))["required"])

    def test_the_end_of_the_server(self):
        for number in [signal.SIGTERM, signal.SIGINT]:
            server = Server(self.folder, "--port", "0", archive=self.archive)
            with server.connect() as idle:
                idle.sendall(b"GET")
                self.assertLess(server.stop(number), 3.5)
            self.assertEqual(server.process.returncode, 0)
            server.close()

    def test_an_archive_that_comes_and_is_replaced(self):
        folder = self.new_folder()
        archive = folder + "/late.sqlite"
        server = self.serve(folder, "--port", "0", archive=archive)
        self.assertEqual(server.get("/timeline.json")[0], 503)
        self.assertEqual(server.get("/help")[0], 200)
        self.run_program("import", "--quiet", "--archive", archive, *exports("renamed-watch")[:1])
        status, _, one = server.get("/timeline.json")
        self.assertEqual((status, len(json.loads(one)["observations"])), (200, 1))
        self.run_program("import", "--quiet", "--archive", folder + "/other.sqlite", *exports("renamed-watch"))
        for ending in ["", "-wal", "-shm"]:
            if os.path.exists(archive + ending):
                os.unlink(archive + ending)
        self.assertEqual(server.get("/timeline.json")[0], 503)
        os.rename(folder + "/other.sqlite", archive)
        _, _, two = server.get("/timeline.json")
        self.assertGreater(len(json.loads(two)["observations"]), 1)

    def test_an_archive_with_a_foreign_view_is_not_read(self):
        import sqlite3
        folder = self.new_folder()
        archive = folder + "/foreign.sqlite"
        self.run_program("import", "--quiet", "--archive", archive, *exports("renamed-watch")[:1])
        with sqlite3.connect(archive) as database:
            database.execute("CREATE VIEW foreign_view AS SELECT 1")
        database.close()
        server = self.serve(folder, "--port", "0", archive=archive)
        self.assertEqual(server.get("/timeline.json")[0], 503)

    def test_the_browser_is_opened_without_the_token_on_a_command_line(self):
        folder = self.new_folder()
        os.makedirs(folder + "/bin")
        with open(folder + "/bin/xdg-open", "w") as script:
            script.write(f"#!/bin/sh\necho \"$1\" > {folder}/opened.new && mv {folder}/opened.new {folder}/opened\nsleep 2\n")
        os.chmod(folder + "/bin/xdg-open", 0o755)
        server = self.serve(folder, "--port", "0", "--open", archive=self.archive,
                            PATH=folder + "/bin:" + os.environ["PATH"], XDG_RUNTIME_DIR=folder)
        self.assertTrue(wait_until(lambda: os.path.exists(folder + "/opened"), 5))
        url = read(folder + "/opened").decode().strip()
        self.assertRegex(url, r"^file:///.*/open-\d+\.html$")
        path = url[len("file://"):]
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        self.assertIn(server.login_token.encode(), read(path))
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                self.assertNotIn(server.login_token.encode(), read(f"/proc/{pid}/cmdline"))
            except OSError:
                pass
        server.send(f"GET /?token={server.login_token} HTTP/1.1\r\nHost: {server.name}\r\n"
                    "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n"
                    "Connection: close\r\n\r\n")
        self.assertFalse(os.path.exists(path))
        server.stop()

    def test_the_archive_is_opened_once_a_connection(self):
        if not shutil.which("strace"):
            self.skipTest("strace is not installed")
        folder = tempfile.mkdtemp(prefix="healthprobe-wire-")
        log = folder + "/log"
        process = subprocess.Popen(
            ["strace", "-f", "-qq", "-o", log, "-e", "trace=openat,open", PROGRAM, "serve", "--json", "--port", "0",
             "--archive", self.archive], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(folder))
        try:
            about = json.loads(process.stdout.readline())
            server = Server.__new__(Server)
            server.port = int(about["url"].rstrip("/").rsplit(":", 1)[1])
            server.token = about["token"]
            for _ in range(4):
                for target in ["/timeline", "/records?at=2", "/records.csv?at=2"]:
                    self.assertEqual(server.get(target)[0], 200)
            os.kill(about["pid"], signal.SIGTERM)
            process.wait(timeout=10)
            opened = [line for line in read(log).decode().splitlines() if f'"{self.archive}"' in line]
            # SQLite opens with O_NOFOLLOW; the one look at the header comes before its first connection.
            own = [line for line in opened if "O_NOFOLLOW" not in line]
            self.assertEqual(own, opened[:1])
            # Beside it two connections of pages, four of slow answers, and that of the cache's keeper.
            self.assertLessEqual(len(opened), 8)
        finally:
            process.kill()
            process.communicate()
            shutil.rmtree(folder)

    def test_nothing_else_uses_the_network(self):
        if not shutil.which("strace"):
            self.skipTest("strace is not installed")
        folder = self.new_folder()
        archive = folder + "/archive.sqlite"
        self.run_program("import", "--quiet", "--archive", archive, *exports("renamed-watch"))
        records = self.run_program("records", "--archive", archive, "--json", "--limit", "1").stdout
        record = json.loads(records.splitlines()[0])
        first = exports("renamed-watch")[0]
        self.run_program("export", "types", "--archive", archive, "--output", folder + "/before")
        run = {
            "inspect": [first], "import": [first], "show": ["2"], "records": ["--at", "2"],
            "history": [record["identity"]], "export": ["records", "--output", folder + "/bag"],
            "verify-export": [folder + "/before"], "report": ["--output", folder + "/report.html"],
            "locate": [record["identity"]], "workout": ["1"], "metrics": ["daily"], "observation": ["withdraw", "9"],
            "archive": ["info"], "companion": ["check", first], "replay": [first], "key": ["info"],
            "cache": ["rebuild"], "settings": ["list"],
        }
        words = self.run_program("--help").stdout.decode().partition("SUBCOMMANDS:")[2]
        commands = set(re.findall(r"^  ([a-z][a-z-]+) ", words, re.M)) - {"serve"}
        self.assertLess(run.keys(), commands)
        for command in sorted(commands):
            log = folder + "/network"
            subprocess.run(
                ["strace", "-f", "--seccomp-bpf", "-qq", "-o", log, "-e", "trace=socket,connect,bind", PROGRAM, command,
                 *run.get(command, [])],
                env=environment(folder, HEALTHPROBE_ARCHIVE=archive), capture_output=True)
            self.assertNotIn(b"AF_INET", read(log), command)

    # Faults and kills; `make torture` has more of them.

    PAGES = ["/timeline.json", "/show.json?at=2", "/records.csv?at=2", "/diff.json?from=1&to=2", "/types.json",
             "/sources"]

    def copy(self):
        """A folder with a copy of the archive."""
        folder = self.new_folder()
        archive = folder + "/archive.sqlite"
        shutil.copyfile(self.archive, archive)
        return folder, archive

    def answers(self, archive, *arguments):
        server = Server(self.folder, "--port", "0", *arguments, archive=archive)
        try:
            return [server.get(target)[::2] for target in self.PAGES]
        finally:
            server.close()

    def sound(self, archive):
        self.run_program("check", "--deep", "--archive", archive)

    def test_failing_system_calls_end_no_server(self):
        if not shutil.which("strace"):
            self.skipTest("strace is not installed")
        folder, archive = self.copy()
        expected = self.answers(archive, "--cache", "off")
        before = hashlib.sha256(read(archive)).hexdigest()
        ends = ["", "-wal", "-shm", "-journal", ".cache", ".cache-wal", ".cache-shm", ".cache.lock", ".lock"]
        paths = [word for end in ends for word in ["-P", archive + end]]
        calls = {"openat": "EIO", "pread64": "EIO", "read": "EIO", "fcntl": "EIO", "newfstatat": "EIO",
                 "pwrite64": "ENOSPC", "write": "ENOSPC", "ftruncate": "ENOSPC", "fdatasync": "EIO", "close": "EIO"}
        fired = 0
        for call, error in calls.items():
            for number in random.Random(call).sample(["1+", "2", "3+", "5", "8+", "13", "21+", "34"], min(FAULTS, 8)):
                with self.subTest(call=call, error=error, number=number):
                    for path in os.listdir(folder):
                        if ".cache" in path:
                            os.unlink(f"{folder}/{path}")
                    log = folder + "/log"
                    server = Server(self.folder, "--port", "0", archive=archive, under=[
                        "strace", "-f", "-qq", "-o", log, *paths, "-e", "trace=" + call, "-e",
                        f"inject={call}:error={error}:when={number}"])
                    try:
                        for target, wanted in zip(self.PAGES, expected):
                            status, _, body = self.tolerant(server, target)
                            # What was cut has no status.
                            self.assertIn(status, [0, 200, 500, 503], target)
                            if status == 200:
                                self.assertEqual(body, wanted[1], target)
                        self.assertIsNone(server.process.poll())
                        server.stop()
                        self.assertEqual(server.process.returncode, 0)
                    finally:
                        server.close()
                    fired += b"(INJECTED)" in read(log)
                    self.assertEqual(hashlib.sha256(read(archive)).hexdigest(), before)
        self.assertGreater(fired, FAULTS * len(calls) / 3)
        self.sound(archive)
        self.assertEqual(self.answers(archive), expected)

    @staticmethod
    def tolerant(server, target):
        """An answer; one that was cut has the status 0."""
        try:
            return server.get(target)
        except (AssertionError, ValueError, OSError):
            return 0, {}, b""

    def test_a_full_disk_ends_no_server(self):
        if os.getuid() != 0:
            self.skipTest("only root can mount")
        folder, archive = self.copy()
        expected = self.answers(archive, "--cache", "off")
        os.makedirs(folder + "/small")
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder + "/small"]).returncode != 0:
            self.skipTest("nothing can be mounted here")
        try:
            for size in [8, 24, 64]:
                with open(folder + "/small/full", "wb") as file:
                    file.write(bytes((64 - size) << 10))
                cache = ["--cache", folder + "/small/cache"]
                self.assertEqual(self.answers(archive, *cache), expected)
                done = self.run_program("cache", "rebuild", "--archive", archive, *cache, check=False)
                self.assertIn(done.returncode, [0, 73, 74])
                self.assertEqual(self.answers(archive, *cache), expected)
                self.run_program("cache", "delete", "--archive", archive, *cache, check=False)
        finally:
            subprocess.run(["umount", folder + "/small"], check=True)
        self.sound(archive)

    def test_kills_while_it_sends(self):
        for number in range(KILLS):
            folder, archive = self.copy()
            server = Server(self.folder, "--port", "0", archive=archive)
            body = ["", "kind=records&at=2", "kind=xml&at=2"][number % 3]
            try:
                with server.connect() as connection:
                    if body:
                        fields = ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
                        connection.sendall(server.head("/export", *fields, method="POST") + body.encode())
                    else:
                        connection.sendall(server.head("/records.csv?at=2"))
                    time.sleep(random.uniform(0, 0.6 if body else 0.03))
                    children = server.children()
                    os.kill(server.about["pid"], signal.SIGKILL)
                    data = receive(connection)
                self.assertTrue(wait_until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in children), 3))
                if body and not whole(data) and b"PK\x05\x06" in pieces(data):
                    # Killed behind the last byte: an end record stands behind a whole zip alone.
                    self.assertIsNone(zipfile.ZipFile(io.BytesIO(pieces(data))).testzip())
                self.sound(archive)
                self.assertEqual(self.answers(archive), self.expected())
            finally:
                server.close()
                shutil.rmtree(folder)

    @classmethod
    def expected(cls):
        """What pages of the archive say."""
        if not hasattr(cls, "said"):
            cls.said = [cls.server.get(target)[::2] for target in cls.PAGES]
        return cls.said

    def test_kills_while_an_export_arrives(self):
        export, later = self.folder + "/first.zip", self.folder + "/later.zip"
        for path, source in zip([export, later], exports("renamed-watch")):
            zipped(source, path)
        known = {}
        for number in range(KILLS):
            folder = tempfile.mkdtemp(prefix="healthprobe-wire-")
            archive = folder + "/archive.sqlite"
            self.run_program("import", "--quiet", "--archive", archive, export)
            server = Server(self.folder, "--port", "0", archive=archive)
            try:
                client = threading.Thread(target=lambda: self.send_export(server, later))
                client.start()
                time.sleep(random.uniform(0, 0.6))
                children = server.children()
                os.kill(server.about["pid"], signal.SIGKILL)
                client.join()
                self.assertTrue(wait_until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in children), 3))
                self.sound(archive)
                self.assertIn(self.visible(archive), [1, 2])
                # What is left of the upload goes with the next start; the same export again is all there is.
                server.close()
                server = Server(self.folder, "--port", "0", archive=archive)
                self.assertEqual(self.leftovers(folder), [])
                _, headers, _ = self.send_export(server, later)
                job = headers["location"] + ".json"
                self.assertTrue(wait_until(
                    lambda: json.loads(server.get(job)[2])["state"] in ("done", "failed"), 60))
                self.assertEqual(self.visible(archive), 2)
                self.sound(archive)
                records = self.run_program(
                    "records", "--archive", archive, "--at", "latest", "--csv", "--limit", "100000")
                self.assertEqual(records.stdout, known.setdefault("records", records.stdout))
            finally:
                server.close()
                shutil.rmtree(folder)

    def visible(self, archive):
        return len(json.loads(self.run_program("timeline", "--json", "--archive", archive).stdout)["observations"])


class LargeArchiveTests(unittest.TestCase):
    """What takes long enough to be in the way of others: three observations of 60,000 heart rates, half of them other ones
    each time."""

    COUNT = 60_000

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="healthprobe-wire-")
        os.makedirs(cls.folder + "/archive")
        cls.archive = cls.folder + "/archive/archive.sqlite"
        cls.exports = [cls.write(number) for number in range(1, 5)]
        cls.run_program("import", "--quiet", "--cache", "off", "--archive", cls.archive, *cls.exports[:3])
        cls.server = Server(cls.folder, "--port", "0", "--cache", "off")

    @classmethod
    def tearDownClass(cls):
        cls.server.close()
        shutil.rmtree(cls.folder)

    run_program = classmethod(WireTests.run_program.__func__)

    @classmethod
    def write(cls, number, count=COUNT):
        path = f"{cls.folder}/{number}.xml"
        with open(path, "w") as file:
            file.write(f'<HealthData locale="en_US">\n<ExportDate value="2024-06-0{number} 12:00:00 +0000"/>\n')
            for place in range(count):
                day, minute = divmod(place, 1440)
                date = f"2024-{1 + day // 28:02}-{1 + day % 28:02} {minute // 60:02}:{minute % 60:02}:10 +0000"
                file.write(
                    f'<Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch{number if place % 2 else ""}" '
                    f'unit="count/min" startDate="{date}" endDate="{date}" value="{60 + place % 40}"/>\n')
            file.write("</HealthData>\n")
        return path

    def test_slow_comparisons_hold_up_no_page(self):
        # Neighbours' verdicts are stored in the archive; these are computed.
        pairs = ["from=1&to=3", "from=1&to=3&through=1", "from=1&to=2&through=1", "from=2&to=3&through=1"]
        slow = [threading.Thread(target=self.server.ask, args=[f"/consolidation.json?{pair}"]) for pair in pairs]
        for thread in slow:
            thread.start()
        asked = [self.server.ask(f"/{page}") for page in ["timeline", "show?at=3", "types", "timeline.json"] * 5]
        self.assertTrue(any(thread.is_alive() for thread in slow), "they were not slow")
        self.assertTrue(all(done for _, done in asked), asked)
        self.assertLess(sorted(seconds for seconds, _ in asked)[len(asked) // 2], 0.05, asked)
        for thread in slow:
            thread.join()

    def test_an_import_that_is_cancelled_ends_in_order(self):
        archive = self.folder + "/archive/cancelled.sqlite"
        shutil.copy(self.archive, archive)
        server = Server(self.folder, "--port", "0", "--cache", "off", archive=archive)
        try:
            _, headers, _ = WireTests.send_export(self, server, self.write(5, 4 * self.COUNT))
            job = headers["location"]
            state = lambda: json.loads(server.get(job + ".json")[2])["state"]
            self.assertTrue(wait_until(lambda: state() == "running", 10))
            time.sleep(0.3)
            kind = "Content-Type: application/x-www-form-urlencoded"
            self.assertEqual(server.get(job + "/cancel", kind, method="POST")[0], 303)
            self.assertTrue(wait_until(lambda: state() != "running", 10))
            self.assertEqual(state(), "cancelled")
        finally:
            server.close()
        listed = self.run_program("timeline", "--all", "--json", "--archive", archive).stdout
        observations = json.loads(listed)["observations"]
        self.assertEqual([entry["status"] for entry in observations], ["completed"] * 3 + ["cancelled"])

    def test_abandoned_exports_leave_no_program_running(self):
        for _ in range(12):
            connection, first = self.server.begin("/export", method="POST", body="kind=records&at=3")
            self.assertIn(b" 200 ", first)
            connection.close()
        self.assertTrue(wait_until(lambda: not self.server.children(), 2), "a program runs on")
        self.assertTrue(self.server.ask("/records.csv?at=3&limit=1")[1])

    def test_an_export_that_is_cut_is_none(self):
        connection, data = self.server.begin("/export", method="POST", body="kind=records&at=3")
        while len(data) < 2_000_000:
            data += connection.recv(65536)
        children = self.server.children()
        self.assertEqual(len(children), 1)
        os.kill(children[0], signal.SIGKILL)
        data += receive(connection)
        connection.close()
        self.assertGreater(len(data), 2_000_000)
        self.assertFalse(whole(data))
        self.assertNotIn(b"PK\x05\x06", pieces(data)[-100:])
        with open(self.folder + "/cut.zip", "wb") as file:
            file.write(pieces(data))
        self.assertNotEqual(self.run_program("verify-export", self.folder + "/cut.zip", check=False).returncode, 0)

    @unittest.skipUnless(PROOF, "a minute of waiting")
    def test_slow_readers_hold_nothing_and_those_that_stop_are_cut(self):
        folder = tempfile.mkdtemp(prefix="healthprobe-wire-")
        archive = folder + "/archive.sqlite"
        shutil.copyfile(self.archive, archive)
        expected = self.server.get("/records.csv?at=3")[2]
        server = Server(folder, "--port", "0", "--cache", "off", archive=archive)
        try:
            start = time.monotonic()
            stopped = [server.begin("/records.csv?at=3") for _ in range(3)]
            slow, data = server.begin("/records.csv?at=3")
            importing = subprocess.Popen(
                [PROGRAM, "import", "--quiet", "--cache", "off", "--archive", archive, self.exports[3]],
                env=environment(folder))
            while importing.poll() is None:
                data += slow.recv(1024)
                time.sleep(0.1)
            self.assertEqual(importing.returncode, 0)
            # The import could empty its log: nobody reads a state from before it.
            self.assertEqual(read(archive + "-wal"), b"")
            self.assertEqual(len(json.loads(server.get("/timeline.json")[2])["observations"]), 4)
            data += receive(slow)
            slow.close()
            # The whole of it, or cut; never of two states.
            self.assertEqual(whole(data), pieces(data) == expected)
            self.assertTrue(expected.startswith(pieces(data)))
            stopped.append(server.begin("/records.csv?at=3"))
            # All threads of streams have a reader that does nothing; after a minute there is room for one that reads.
            with server.connect() as connection:
                connection.settimeout(80)
                connection.sendall(server.head("/records.csv?at=3&limit=1"))
                self.assertIn(b" 200 ", connection.recv(65536))
            seconds = time.monotonic() - start
            self.assertGreater(seconds, 50)
            self.assertLess(seconds, 75)
            # The others stopped a moment later.
            time.sleep(2)
            for connection, first in stopped[:3]:
                cut = first + receive(connection)
                self.assertFalse(whole(cut))
                self.assertTrue(expected.startswith(pieces(cut)))
        finally:
            for connection, _ in stopped:
                connection.close()
            server.close()
            shutil.rmtree(folder)


def zipped(source, path):
    """Packs an export of the committed ones as the phone does."""
    with zipfile.ZipFile(path, "w") as file:
        if os.path.isdir(source):
            for name in os.listdir(source):
                file.write(source + "/" + name, "apple_health_export/" + name)
        else:
            file.write(source, "apple_health_export/export.xml")


def exports(case):
    folder = f"{CASES}/{case}/exports"
    return [f"{folder}/{name}" for name in sorted(os.listdir(folder))]


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    PROGRAM, CASES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
