"""The GitHub Action: its steps, run against a fake event and a stand-in for GitHub's API."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.cli import NEEDS_POSIX, PROGRAM

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
REFERENCES = [f"the {word} sat on the mat" for word in ["cat", "dog", "cow", "hen", "pig", "fox", "owl", "bee"]]
BAD = [text.replace("sat", "is") for text in REFERENCES]

pytestmark = NEEDS_POSIX


BOT = {"login": "github-actions[bot]"}


class Api(ThreadingHTTPServer):
    """Keeps the comments of one pull request, and what was asked; with `broken`, calls of that method fail."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.comments: list[dict[str, Any]] = [
            {"id": number, "body": "unrelated", "user": {"login": "somebody"}} for number in range(1, 101)
        ]
        self.broken = ""
        self.calls: list[tuple[str, str]] = []
        self.tokens: set[str | None] = set()


class _Handler(BaseHTTPRequestHandler):
    server: Api

    def _answer(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or "null")
        api, place = self.server, self.path.partition("?")[0]
        api.calls.append((self.command, place))
        api.tokens.add(self.headers["Authorization"])
        answer: Any = body
        if self.command == api.broken:
            self.send_error(403, "Resource not accessible by integration")
            return
        if place == "/graphql":
            answer = {"data": {"viewer": BOT}}
        elif self.command == "GET":
            page = int(re.search(r"[?&]page=(\d+)", self.path)[1])  # type: ignore[index]
            answer = api.comments[100 * (page - 1) : 100 * page]
        elif self.command == "POST":
            api.comments.append({"id": 1000, "user": BOT, **body})
        else:
            next(comment for comment in api.comments if comment["id"] == int(place.rpartition("/")[2])).update(body)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    do_GET = do_POST = do_PATCH = _answer  # noqa: N815, names that the base class calls

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def api() -> Iterator[Api]:
    with Api() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


class Runner:
    """Runs the steps of the action as GitHub does, except for the installation."""

    def __init__(self, folder: Path, api: Api, event: dict[str, Any]) -> None:
        self.folder, self.temporary = folder, folder / "temp"
        self.temporary.mkdir()
        (folder / "bin").mkdir()
        program = folder / "bin" / "bleuprint"
        program.write_text(f'#!/bin/sh\nexec {" ".join(PROGRAM)} "$@"\n')
        program.chmod(0o755)
        (folder / "event.json").write_text(json.dumps(event))
        self.environment = {
            **os.environ,
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "RUNNER_TEMP": str(self.temporary),
            "GITHUB_EVENT_PATH": str(folder / "event.json"),
            "GITHUB_API_URL": f"http://127.0.0.1:{api.server_port}",
            "GITHUB_GRAPHQL_URL": f"http://127.0.0.1:{api.server_port}/graphql",
            "GITHUB_REPOSITORY": "someone/something",
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
            "no_proxy": "127.0.0.1",
        }

    def run(self, **given: str) -> int:
        """The exit code of the first step that fails, or 0."""
        inputs = {name: str(entry.get("default", "")) for name, entry in ACTION["inputs"].items()} | given
        outputs: dict[str, dict[str, str]] = {}
        for step in STEPS[1:]:
            if "if" in step and (not inputs["token"] or outputs["gate"]["exit-code"] == "2"):
                continue
            written = self.folder / "output"
            written.write_text("")
            code = self._step(step, inputs, outputs, written)
            outputs[step.get("id", "")] = dict(line.split("=", 1) for line in written.read_text().splitlines())
            if code:
                return code
        return 0

    def _step(
        self, step: dict[str, Any], inputs: dict[str, str], outputs: dict[str, dict[str, str]], written: Path
    ) -> int:
        def value(match: re.Match[str]) -> str:
            way = match[1].split(".")
            return inputs[way[1]] if way[0] == "inputs" else outputs[way[1]][way[3]]

        own = {name: re.sub(r"\$\{\{ ([\w.-]+) \}\}", value, text) for name, text in step["env"].items()}
        shell = [sys.executable, "-c"] if step["shell"] == "python" else ["bash", "-eo", "pipefail", "-c"]
        environment = {**self.environment, **own, "GITHUB_OUTPUT": str(written)}
        return subprocess.run([*shell, step["run"]], cwd=self.folder, env=environment, check=False).returncode


@pytest.fixture
def runner(tmp_path: Path, api: Api) -> Runner:
    for name, texts in (("reference", REFERENCES), ("good", REFERENCES), ("bad", BAD)):
        (tmp_path / f"{name}.txt").write_text("\n".join(texts) + "\n")
    return Runner(tmp_path, api, {"number": 7})


GOOD = {"hypotheses": "good.txt", "references": "reference.txt", "metrics": "bleu ter"}


def test_it_installs_itself() -> None:
    assert STEPS[0]["run"].splitlines()[-1].endswith('--no-deps --no-build-isolation "$ACTION_PATH"')
    assert STEPS[0]["env"] == {"ACTION_PATH": "${{ github.action_path }}"}
    assert all("${{" not in step["run"] for step in STEPS), "inputs reach a shell only through its environment"


def test_a_gate_that_fails_comments_and_fails(runner: Runner, api: Api) -> None:
    assert runner.run(**GOOD, gate="--min bleu=0.5") == 0
    (runner.temporary / "bleuprint-result.json").rename(runner.folder / "release.json")
    bad = {**GOOD, "hypotheses": "bad.txt", "baseline": "release.json", "gate": "--max-drop 0.01", "token": "secret"}
    assert runner.run(**bad) == 1
    assert api.calls[-1] == ("POST", "/repos/someone/something/issues/7/comments")
    assert api.comments[-1]["body"].startswith("<!-- bleuprint gate -->\n## Gate failed")
    assert "## Gate failed" in (runner.folder / "summary.md").read_text()
    assert runner.run(**{**bad, "hypotheses": "good.txt"}) == 0
    assert api.calls[-1] == ("PATCH", "/repos/someone/something/issues/comments/1000")
    assert (len(api.comments), api.tokens) == (101, {"Bearer secret"})
    assert "## Gate passed" in api.comments[-1]["body"]


def test_without_a_token_nothing_is_sent(runner: Runner, api: Api) -> None:
    assert runner.run(**GOOD, gate="--min bleu=0.5") == 0
    assert api.calls == []


def test_what_cannot_run(runner: Runner, api: Api) -> None:
    assert runner.run(**GOOD, gate="--min bleu=30", token="secret") == 2
    assert runner.run(**{**GOOD, "hypotheses": "none.txt"}, token="secret") == 2
    assert api.calls == []


def test_a_push_has_no_pull_request(tmp_path: Path, api: Api, runner: Runner) -> None:
    (tmp_path / "event.json").write_text("{}")
    assert runner.run(**GOOD, gate="--min bleu=0.5", token="secret") == 0
    assert api.calls == []


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n\n\t"])
def test_options_on_several_lines_all_count(runner: Runner, end: str) -> None:
    """Only the first line was read, so that the second bound opened the gate by being dropped."""
    bad = {**GOOD, "hypotheses": "bad.txt"}
    assert runner.run(**bad, gate=f"--min bleu=0.1{end}--min ter=0{end}") == 0
    assert runner.run(**bad, gate=f"--min bleu=0.1{end}--max{end}ter=0.01{end}") == 1
    assert runner.run(**bad, gate=f"{end}--min bleu=0.9{end}") == 1
    assert runner.run(**bad, gate=f"--min bleu=0.1{end}--no-such-option{end}") == 2
    lines = {**bad, "metrics": f"bleu{end}ter{end}", "references": f"reference.txt{end}good.txt{end}"}
    assert runner.run(**lines, gate="--max ter=0.01") == 1


def test_no_options(runner: Runner) -> None:
    assert runner.run(**GOOD, gate="") == 2, "without a baseline there is nothing to check"


def test_a_comment_of_somebody_else_is_left_alone(runner: Runner, api: Api) -> None:
    """Anybody can write a comment that begins with the mark, also somebody whose account was deleted."""
    theirs = [
        {"id": 7001, "body": "<!-- bleuprint gate -->\n## Gate passed", "user": {"login": "mallory"}},
        {"id": 7002, "body": "<!-- bleuprint gate -->\n## Gate passed", "user": None},
    ]
    api.comments[:0] = [dict(comment) for comment in theirs]
    for posted in (1, 1):
        assert runner.run(**GOOD, gate="--min bleu=0.5", token="secret") == 0
        assert api.comments[:2] == theirs
        assert sum(comment["user"] == BOT for comment in api.comments) == posted


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH"])
@pytest.mark.parametrize(("hypotheses", "code"), [("good.txt", 0), ("bad.txt", 1)])
def test_a_comment_that_fails_decides_nothing(
    runner: Runner, api: Api, capfd: pytest.CaptureFixture[str], method: str, hypotheses: str, code: int
) -> None:
    api.comments.append({"id": 1000, "body": "<!-- bleuprint gate -->", "user": BOT})
    api.broken = method
    assert runner.run(**{**GOOD, "hypotheses": hypotheses}, gate="--min bleu=0.5", token="secret") == code
    assert (
        "::warning::The pull request got no comment: HTTPError: HTTP Error 403: Resource not" in capfd.readouterr().out
    )
