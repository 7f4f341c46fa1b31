"""`healthprobe mcp` with the official Python SDK of the Model Context Protocol as its client.

Run by `make test-oracles`, which makes the environment with the versions of requirements.txt.
"""

import asyncio
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import jsonschema
from mcp import Client, MCPError, StdioServerParameters

PROGRAMS = pathlib.Path(os.environ.get("HEALTHPROBE_PROGRAMS", ".build/release")).resolve()
EXPORTS = pathlib.Path(__file__).resolve().parents[2] / "SyntheticExports/impact-of-condensing/exports"
# The newest revision, and the one before it, which begins with a handshake.
MODES = {"2026-07-28": "auto", "2025-11-25": "legacy"}


class ServerTests(unittest.TestCase):
    """What a client of either revision gets."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="healthprobe-mcp-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.environment = {
            "PATH": os.environ["PATH"], "HOME": str(cls.folder), "XDG_DATA_HOME": str(cls.folder / "data"),
            "HEALTHPROBE_ARCHIVE": str(cls.folder / "archive.sqlite"),
        }
        for name in ("1.xml", "2.xml"):
            cls.command("import", str(EXPORTS / name), "--time-zone", "UTC")

    @classmethod
    def command(cls, *arguments):
        run = [PROGRAMS / "healthprobe", *arguments]
        return subprocess.run(run, check=True, capture_output=True, env=cls.environment, text=True).stdout

    @classmethod
    def lines(cls, *arguments):
        return [json.loads(line) for line in cls.command(*arguments, "--json").splitlines()]

    def ask(self, body, archive=None):
        """Runs `body` with a client of each revision."""
        environment = dict(self.environment, **({"HEALTHPROBE_ARCHIVE": archive} if archive else {}))
        server = StdioServerParameters(command=str(PROGRAMS / "healthprobe"), args=["mcp"], env=environment)

        async def session(version, mode):
            async with Client(server, mode=mode, read_timeout_seconds=60) as client:
                self.assertEqual(client.protocol_version, version)
                await body(client)

        for version, mode in MODES.items():
            with self.subTest(version=version):
                asyncio.run(session(version, mode))

    def test_the_list_says_what_tools_take_and_that_they_only_read(self):
        async def body(client):
            self.assertEqual(client.server_info.name, "healthprobe")
            self.assertIn("observations", client.instructions)
            tools = (await client.list_tools()).tools
            self.assertGreater(len(tools), 12)
            for tool in tools:
                jsonschema.Draft202012Validator.check_schema(tool.input_schema)
                if tool.output_schema:
                    jsonschema.Draft202012Validator.check_schema(tool.output_schema)
                self.assertTrue(tool.annotations.read_only_hint)

        self.ask(body)

    def test_every_tool_answers(self):
        workout = self.lines("workouts")[0]["identity"]
        record = self.lines("records")[0]["identity"]
        needed = {"workout": {"workout": workout}, "history": {"identity": record}, "type": {"type": ["HeartRate"]}}

        async def body(client):
            for tool in (await client.list_tools()).tools:
                result = await client.call_tool(tool.name, needed.get(tool.name, {}))
                self.assertFalse(result.is_error, f"{tool.name}: {result.content}")
                self.assertEqual(json.loads(result.content[0].text), result.structured_content)
                if tool.output_schema:
                    jsonschema.validate(result.structured_content, tool.output_schema)

        self.ask(body)

    def test_answers_are_those_of_the_commands(self):
        async def body(client):
            async def answer(name, **arguments):
                return (await client.call_tool(name, arguments)).structured_content

            timeline = await answer("timeline")
            self.assertEqual(timeline.pop("next"), None)
            self.assertEqual([timeline], self.lines("timeline"))
            self.assertEqual([await answer("diff")], self.lines("diff"))
            self.assertEqual([await answer("show", at=1)], self.lines("show", "1"))
            days = await answer("metrics_daily", last=3, totals=True)
            self.assertEqual(days["rows"], self.lines("metrics", "daily", "--last", "3", "--totals"))
            workouts = await answer("workouts", state="finest")
            self.assertEqual(workouts["rows"], self.lines("workouts", "--state", "finest"))

        self.ask(body)

    def test_pages_follow_one_another(self):
        async def body(client):
            for name, arguments, command in (
                ("records", {"type": ["HeartRate"], "limit": 7}, ["records", "--type", "HeartRate", "--limit", "100000"]),
                ("metrics_daily", {"limit": 2}, ["metrics", "daily"]),
            ):
                rows, after = [], None
                while True:
                    page = dict(arguments, **({"after": after} if after else {}))
                    result = (await client.call_tool(name, page)).structured_content
                    self.assertLessEqual(len(result["rows"]), arguments["limit"])
                    rows += result["rows"]
                    after = result["next"]
                    if after is None:
                        break
                self.assertEqual(rows, self.lines(*command))

        self.ask(body)

    def test_mistakes_are_told_to_the_model(self):
        async def body(client):
            for name, arguments, words in (
                ("records", {"since": "yesterday"}, "2024-05-01"),
                ("records", {"colour": "red"}, "It takes: at, chain"),
                ("records", {"limit": 1001}, "1 to 1000"),
                ("show", {"at": 99}, "no such observation"),
                ("metrics_daily", {"after": "5-abc"}, "cursor"),
                ("workouts", {"state": "broken"}, "visible or finest"),
            ):
                result = await client.call_tool(name, arguments)
                self.assertTrue(result.is_error, name)
                self.assertIn(words, result.content[0].text)
                self.assertIsNone(result.structured_content)
            with self.assertRaises(MCPError) as refusal:
                await client.call_tool("import", {})
            self.assertEqual(refusal.exception.error.code, -32602)

        self.ask(body)

    def test_without_an_archive_the_model_is_told_so(self):
        async def body(client):
            result = await client.call_tool("timeline", {})
            self.assertTrue(result.is_error)
            self.assertIn("no archive", result.content[0].text)

        self.ask(body, archive=str(self.folder / "none.sqlite"))

    def test_nothing_is_written(self):
        def state():
            # SQLite's readers take turns in the index of its log, which has nothing of the archive.
            files = [path for path in self.folder.rglob("*") if path.is_file() and not path.name.endswith("-shm")]
            return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}

        before = state()

        async def body(client):
            for name in ("consolidation", "impact", "consolidation_groups", "diff"):
                self.assertFalse((await client.call_tool(name, {})).is_error)

        self.ask(body)
        self.assertTrue(before == state())


if __name__ == "__main__":
    unittest.main()
