"""What is private in a text is found, and names of programs are not."""

from __future__ import annotations

import getpass

import pytest

from perfolio.redaction.disclosure import walk_texts
from perfolio.redaction.private_grammar import PERSONAL, PrivateGrammar
from tests.kit.samples import sample_documents


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user and a home."""
    monkeypatch.setattr(getpass, "getuser", lambda: "builder")
    monkeypatch.setenv("HOME", "/data/people/builder")


def found(text: str) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in PrivateGrammar.here().private_in(text)]


@pytest.mark.parametrize(
    ("text", "kind", "private"),
    [
        ("at /home/alice/x.py:12", "home", "/home/alice/x.py"),
        ("triton_/home/alice/k.py", "home", "/home/alice/k.py"),
        ("conv2/home/alice/k.py", "home", "/home/alice/k.py"),
        ("~/x/y.py", "home", "~/x/y.py"),
        ("~alice/x", "home", "~alice/x"),
        ("/home/alice/My Secret/a b/k.py(12)", "home", "/home/alice/My Secret/a b/k.py"),
        ("/data/people/builder/x.so", "home", "/data/people/builder/x.so"),
        ("k_/scratch/p/x.cu", "path", "/scratch/p/x.cu"),
        ("k2/lustre/p/x.cu", "path", "/lustre/p/x.cu"),
        ("/usr/lib/libc.so.6", "path", "/usr/lib/libc.so.6"),
        (r"op C:\Users\alice\k.cu", "drive", r"C:\Users\alice\k.cu"),
        (r"op_D:\data\k.cu.", "drive", r"D:\data\k.cu"),
        (r"tritonC:\Users\alice\k.cu", "drive", r"C:\Users\alice\k.cu"),
        (r"C:\Users\a b\k.cu and more", "drive", r"C:\Users\a b\k.cu"),
        (r"C:\\Users\\alice\\k.cu", "drive", r"C:\\Users\\alice\\k.cu"),
        (r"\\?\C:\x\k.cu", "drive", r"\\?\C:\x\k.cu"),
        (r"\Users\alice\k.cu", "drive", r"\Users\alice\k.cu"),
        ("C:/x/k.cu", "drive", "C:/x/k.cu"),
        (r"op \\server\share\k.cu", "share", r"\\server\share\k.cu"),
        ("//server/share/k.cu", "share", "//server/share/k.cu"),
        ("k file:///scratch/k.cu", "url", "file:///scratch/k.cu"),
        ("s3://bucket/x", "url", "s3://bucket/x"),
        ("http://host/x?token=1", "url", "http://host/x?token=1"),
        ("by alice@login12", "login", "alice@login12"),
        ("alice@login12:/scratch/k.cu", "login", "alice@login12:/scratch/k.cu"),
        ("alice@10.1.2.3", "login", "alice@10.1.2.3"),
        ("MASTER_ADDR=10.1.2.3", "address", "10.1.2.3"),
        ("tcp 192.168.1.20:29500", "address", "192.168.1.20:29500"),
        ("fe80::1", "address", "fe80::1"),
        ("2001:db8:0:1:2:3:4:5", "address", "2001:db8:0:1:2:3:4:5"),
        ("on node17.cluster.example.", "host", "node17.cluster.example"),
        ("nid001.olcf.ornl.gov", "host", "nid001.olcf.ornl.gov"),
        ("gpu-1.cineca.it", "host", "gpu-1.cineca.it"),
        ("node07.amd.com", "host", "node07.amd.com"),
        ("node[01-04,7].cluster.example.org", "host", "node[01-04,7].cluster.example.org"),
        ("Alices-MacBook-Pro.local", "host", "Alices-MacBook-Pro.local"),
        ("desktop-abc123.lan", "host", "desktop-abc123.lan"),
        ("github.com:org/private", "host", "github.com:org/private"),
        ("git@github.com:org/private.git", "login", "git@github.com:org/private.git"),
        ("jdoe@node3.amd.com:/scratch/x", "login", "jdoe@node3.amd.com:/scratch/x"),
        ("mail jdoe@amd.com", "login", "jdoe@amd.com"),
        ("https://pytorch.org/docs", "url", "https://pytorch.org/docs"),
        ("https://jdoe@download.pytorch.org/whl/cpu", "url",
         "https://jdoe@download.pytorch.org/whl/cpu"),
        ("https://jdoe.github.io/x", "url", "https://jdoe.github.io/x"),
        ("https://github.com/org/private", "url", "https://github.com/org/private"),
        ("ssh://jdoe@dgx07.internal.nvidia.com/raid/x", "url",
         "ssh://jdoe@dgx07.internal.nvidia.com/raid/x"),
        ("at HOST=search", "setting", "HOST=search"),
        ("node17:/scratch/zed", "remote", "node17:/scratch/zed"),
        ("C:%5CUsers%5Cbobby", "code", "C:%5CUsers%5Cbobby"),
        ("by alice%40node17", "code", "alice%40node17"),
        ("&#47;home&#47;carol", "code", "&#47;home&#47;carol"),
        (r"\x2fhome\x2ffrank", "code", r"\x2fhome\x2ffrank"),
        (r"\u002fhome\u002ffrank", "code", r"\u002fhome\u002ffrank"),
        ("a /home/da<wbr>vid/x", "code", "/home/da<wbr>vid/x"),
        ("/home/da\u200bvid<b>x</b>/x", "code", "/home/da\u200bvid<b>x</b>/x"),
        ('/home/da<b class="x">vid/x', "code", '/home/da<b class="x">vid/x'),
        ("a%41/home/al/y z/k.py b", "code", "a%41/home/al/y z/k.py"),
        ("/home/a%20b/x.py", "home", "/home/a%20b/x.py"),
        ("/proj/erin/train", "path", "/proj/erin/train"),
        ("/model/erin/MatMul", "path", "/model/erin/MatMul"),
    ],
)  # fmt: skip
def test_what_is_private(text: str, kind: str, private: str) -> None:
    assert found(text) == [(kind, private)]


@pytest.mark.parametrize(
    "text",
    [
        "std::__1::vector<int, std::allocator<int>>", "a::b::c", "fd00::run", "c10d::allreduce_",
        "ATen/native/cuda/Loops.cuh", "operator/", "operator/(a)", "a / b", "GB/s/GPU", "x // y",
        "2.13.0+cpu", "1.2.3.4", "libcudnn.so.9.1.0.70", "version 12.4.5.8", "torch-12.4.5.8",
        "torch.nn.functional", "aten.at", "x.at.to", "self.net", "threading.local", "unit.test",
        "foo@plt", "foo@GLIBC_2.2.5", "memcpy@@GLIBC_2.14", "a@b", "?foo@bar@@YAXXZ",
        "https://download.pytorch.org/whl/cpu", "download.pytorch.org",
        "http://www.w3.org/2000/svg", "12:30:45", "2024:12:30:40", "0000:3b:00.0",
        "/model/layers.0/attn/q_proj/MatMul", "/encoder/layer0/forward", "tokens /s/gpu",
        "layer1.conv-2.in", "net.block2.at", "xla.gpu.internal", "x.local", "CUDA 12.4.131.10",
        "cuda:0/device:GPU:0", "host=cpu", "f<a>&g; 100%", "vector<a>(b)/c", "Loops.cuh:12/foo",
        "<built-in method>", "[vdso]", "~", "~/", "lib/root/x", "src/u/foo.c", "a\\b", "\\d+",
    ],
)  # fmt: skip
def test_what_only_looks_like_it(text: str) -> None:
    assert found(text) == []


@pytest.mark.slow
def test_nothing_of_a_simulated_run_looks_private() -> None:
    grammar = PrivateGrammar.here()
    texts = set(walk_texts(sample_documents("low-occupancy").findings))
    private = [one for text in texts for one in grammar.private_in(text) if one.kind in PERSONAL]
    assert private == []
