"""Jobs of Slurm fill a lake, one of them is killed: the lake is that of one process."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from perfolio.common.progress import QuietProgress
from perfolio.fleet.lake import Lake, create_lake
from perfolio.pipeline.fleet_ingest import ingest_fleet
from tests.fleet.support import SerialEngine
from tests.functional.test_fleet import finish, read_all, start_ingest, wait_for
from tests.kit.databases import Shape, write_database

SCRIPT = Path(__file__).with_name("one_node.sh")
NEEDED = ("slurmctld", "slurmd", "sinfo", "squeue", "scancel", "munged", "runuser")
RUNS = 8
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("derived")]


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with slurm.conf and options.toml, while Slurm runs."""
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    if missing := [name for name in NEEDED if shutil.which(name, path=path) is None]:
        pytest.skip(f"needs {', '.join(missing)}: apt-get install slurm-wlm munge")
    if os.geteuid() != 0:
        pytest.skip("a Slurm of one node is started as root")
    folder = tmp_path_factory.mktemp("slurm")
    for place in (folder, *folder.parents):  # munge's user passes
        if place != Path("/") and place.stat().st_uid == 0:
            place.chmod(place.stat().st_mode | 0o011)
    subprocess.run([SCRIPT, "start", folder], check=True, timeout=90)
    (folder / "options.toml").write_text(
        f'jobs = 2\nqueue = "main"\ncores = 1\nprocesses = 1\nmemory = "1500MB"\n'
        f'walltime = "00:20:00"\ninterface = "lo"\nlog_directory = "{folder}/log"\n'
    )
    try:
        yield folder
    finally:
        subprocess.run([SCRIPT, "stop", folder], check=False, timeout=60)


def test_a_killed_job_loses_and_doubles_nothing(slurm: Path, tmp_path: Path) -> None:
    databases, lake = tmp_path / "runs", tmp_path / "lake"
    for number in range(RUNS):
        write_database(databases / f"run{number}.d", Shape(seed=number + 1))
    settings = {"SLURM_CONF": str(slurm / "slurm.conf")}
    process = start_ingest(databases, lake, f"slurm:{slurm}/options.toml", **settings)
    wait_for(lambda: list((lake / "inputs").glob("*.json")), process)
    environment = {**os.environ, **settings}
    asked = ["squeue", "--noheader", "--format=%i"]
    jobs = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True)
    first = jobs.stdout.split()[0]
    subprocess.run(["scancel", "--signal=KILL", first], env=environment, check=True)
    assert f"{RUNS} inputs came in" in finish(process)
    serial = create_lake(tmp_path / "serial")
    ingest_fleet([databases], serial, SerialEngine(), QuietProgress())
    assert read_all(Lake(lake)) == read_all(serial)
