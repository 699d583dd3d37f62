"""A document for others to read holds nothing private; all else is as it was."""

from __future__ import annotations

import copy
import getpass
import json
import platform
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perfolio.common.errors import SiteError
from perfolio.common.json_schema import find_first_problem
from perfolio.metrics.document import load_schema
from perfolio.metrics.document_format import shorten_document
from perfolio.pages.report_rendering import render_report
from perfolio.redaction.disclosure import describe_exposure
from perfolio.redaction.document_redaction import redact_document
from perfolio.redaction.leak_check import prove
from perfolio.redaction.pseudonyms import Secrets
from tests.pages.support import documents


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine and its user."""
    monkeypatch.setattr(platform, "node", lambda: "login12.cluster.example")
    monkeypatch.setattr(getpass, "getuser", lambda: "builder")


def document(*cells: str, column: str = "file", **run: Any) -> dict[str, Any]:
    """One metric with a table of these cells."""
    item = {
        "definition": "Time of work.", "title": "Time", "population": "all",
        "caveat": "", "source": "",
        "columns": [{"name": column}, {"name": "time"}], "rows": [[cell, 1.0] for cell in cells],
    }  # fmt: skip
    facts = {"path": "runs/x.d", "slug": "x", "files": [], **run}
    return {"run": {"slug": facts["slug"]}, "metrics": {"run": facts, "metrics": [item]}}


def cells(*given: str, column: str = "file", **run: Any) -> list[str]:
    shared, _ = redact_document(document(*given, column=column, **run))
    return [row[0] for row in shared["metrics"]["metrics"][0]["rows"]]


def test_folders_go_and_files_stay_apart() -> None:
    own = "/home/alice/dlrm/train.py"
    others = ("alone.py", "<logical python>", "<built-in>/x", "[vdso]")

    assert cells(own, "src/train.py", own) == ["…/train.py", "…2/train.py", "…/train.py"]
    assert cells(*others) == list(others)
    assert cells("python /gpfs/alice/work/") == ["…"], "a folder is no file"


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("main at /scratch/p/a b.py:12", "main at … b.py:12"),
        ("/home/alice/x.py(12): step", "…/x.py(12): step"),
        ("(/home/alice)", "(…)"),
        ("alice_kernel<Alice>", "user_kernel<user>"),
        ("malice in login12.cluster.example.", "malice in host-1."),
        ("a / b, operator/, GB/s", "a / b, operator/, GB/s"),
        ("void at::native::f<float>(int)", "void at::native::f<float>(int)"),
    ],
)
def test_names_stay_but_for_what_is_private(given: str, found: str) -> None:
    assert cells(given, "/home/alice/b", column="function")[0] == found


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("mail jdoe@amd.com, jdoe", "mail user at host-1, user"),
        ("jdoe@node3.amd.com:/scratch/x jdoe", "user at host-1:… user"),
        ("git@github.com:org/private.git", "user at host:…"),
        ("USER=ursula HOSTNAME=node17 torchrun ursula", "USER=user HOSTNAME=host-1 torchrun user"),
        ("--nodelist=node[01-04] node[01-04]", "--nodelist=host-1 host-1"),
        ("node17:/scratch/zed/k.cu of node17", "host-1:…/k.cu of host-1"),
        ("USER=train HOST=search train", "USER=user HOST=host train"),
        ("zora@zhost of zhost", "user at host-1 of host-1"),
        ("Ursulas-Mac.local ursulas-mac", "host-1 host-1"),
        ("/home/da<wbr>vid/x of david", "… of user"),
        ("alice%40node17.example.org of node17", "… of host-1"),
        ("step@step10 of step, train@gpu0", "user at host of step, user at host"),
        ("zora@gpu0 of zora", "user at host of user"),
    ],
)
def test_names_of_users_and_hosts(given: str, found: str) -> None:
    assert cells(given, column="function") == [found]


def test_a_user_who_is_called_like_a_word_of_ours_is_hidden_in_paths_alone() -> None:
    assert cells("/home/work/x.py", "work of Work") == ["…/x.py", "work of Work"]
    assert cells("/home/train/x.py", "train it") == ["…/x.py", "train it"]


def test_no_page_is_refused_for_a_word_of_ours_and_a_word_that_was_asked_for_says_so(
    tmp_path: Path,
) -> None:
    page = tmp_path / "search.js"
    page.write_text("how to train, by zqword")
    _, secrets = redact_document(document("/home/train/x.py", "train@step10"))
    prove([page], [secrets])
    for word, said in (("train", "own texts have this word"), ("zqword", "leave --hide zqword")):
        _, secrets = redact_document(document("x"), [word])
        with pytest.raises(SiteError, match=f"still names {word}") as raised:
            prove([page], [secrets])
        assert said in str(raised.value.hint)
        assert "defect" not in str(raised.value.hint)


def test_hosts_are_told_by_the_files_that_they_wrote() -> None:
    files = [{"name": f"gpu-{n}.site_42.1712345678901.pt.trace.json"} for n in (17, 18)]
    shared, secrets = redact_document(document("GPU-17.site", slug="gpu-17-site-42", files=files))
    run = shared["metrics"]["run"]

    assert [file["name"][:7] for file in run["files"]] == ["host-1_", "host-2_"]
    assert run["slug"] == "host-1-42"
    assert shared["metrics"]["metrics"][0]["rows"][0][0] == "host-1"
    assert "gpu-17.site" in secrets.words


def test_a_report_says_that_it_was_shared_and_is_valid() -> None:
    metrics, findings = documents()
    shared, _ = redact_document({**findings, "metrics": metrics}, ["dlrm"])

    assert shared["metrics"]["run"]["shared"] == {"words": 1}
    assert "dlrm" not in json.dumps(shared).lower()
    assert find_first_problem(shorten_document(shared["metrics"]), load_schema()) is None


FOLDER = st.text("abcdefgxyzäλ0123456789_.+ -&'<%", min_size=4, max_size=12).map(
    lambda text: f"zq{text.strip()}qz"
)
PLAIN = st.text("abcdefgxyz0123456789", min_size=4, max_size=10).map(lambda text: f"zq{text}qz")


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(user=PLAIN, host=PLAIN, word=PLAIN, folders=st.lists(FOLDER, min_size=2, max_size=4))
def test_nothing_that_was_planted_is_in_any_file_of_the_report(
    user: str, host: str, word: str, folders: list[str]
) -> None:
    if len({user, host, word}) < 3 or any(user in f or host in f or word in f for f in folders):
        return
    metrics, findings = planted(user, host, word, folders)
    shared, secrets = redact_document({**findings, "metrics": metrics}, [word])
    files = render_report(shared["metrics"], shared, charts={})
    whole = "\n".join(t.decode() if isinstance(t, bytes) else t for t in files.values())

    assert secrets.paths
    for each in (user, host, word, *folders):
        assert each not in whole
    assert describe_exposure([shared]) == ""


def planted(
    user: str, host: str, word: str, folders: list[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A report in which a run tells private names wherever a profile can."""
    metrics, findings = copy.deepcopy(documents())
    path = "/".join(["/home", user, *folders])
    plain = f"/home/{user}/{'/'.join(f'zq{n}dir' for n in range(len(folders)))}/x.py"
    run = metrics["run"]
    run["path"] = f"{path}/{host}.d"
    run |= {"slug": host, "title": f"Run of {user}", "notes": f"{word} on {host}: see {plain}"}
    run |= {"description": f"{user}@{host}", "warnings": [f"{plain}: odd"]}
    run["settings"] = {f"workload.{word}": plain}
    run["files"][0]["name"] = f"{host}_77.1712345678901.pt.trace.json"
    findings["run"] |= {"slug": host, "title": run["title"]}
    findings["verdict"]["sentence"] = f"Time goes into f ({plain}), by {user}."
    for item in [
        *metrics["metrics"],
        *(f["evidence"] for f in findings["findings"] if f["evidence"]),
    ]:
        places = [n for n, c in enumerate(item["columns"]) if c["name"] in ("file", "module")]
        texts = [n for n, c in enumerate(item["columns"]) if c["name"] == "function"]
        item["rows"] = [list(row) for row in item["rows"]]
        for number, row in enumerate(item["rows"]):
            for place in places:
                row[place] = f"{path}/f{number}.py"
            for place in texts:
                row[place] = f"step_{user} {plain}"
    return metrics, findings


@pytest.mark.parametrize(
    "text",
    [
        "at /home/al&ice/dlrm/x", "at /home/al&amp;ice/dlrm/x", "%2Fhome/al%26ice/dlrm",
        '"\\/home\\/al\\u0026ice\\/dlrm"',
        "/home/<wbr>al&amp;ice/<wbr>dlrm", "by login12.", "by LOGIN12!",
    ],
)  # fmt: skip
def test_a_file_that_still_tells_is_refused_however_it_writes(text: str, tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    secrets = [Secrets(("/home/al&ice/dlrm",), ("login12",))]
    page.write_text(f"<p>{text}</p>")
    with pytest.raises(SiteError, match=r"a\.html: still names (/home|login12)"):
        prove([page], secrets)
    page.write_text("<p>login123 /srv/al/dlrm</p>")
    prove([page], secrets)
