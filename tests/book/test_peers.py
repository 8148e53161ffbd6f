"""The tables of peers say what was measured, and the page about them says no more than that."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from benchmarks.peers.shown import beside
from bookbuild.peers import FILE, NAMES, peers_tables
from bookbuild.project import Project

ROOT = Path(__file__).resolve().parents[2]
HEAD = "task,table,asked,setting,program,seconds,value,proved,note,machine,date\n"
WHERE = ",,a processor,2026-01-02\n"


def rows(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]


def tables(folder: Path, *lines: str) -> dict[str, str]:
    (folder / FILE).parent.mkdir(parents=True)
    (folder / FILE).write_text(HEAD + "".join(line + WHERE for line in lines), encoding="utf-8")
    return peers_tables(Project(folder))


def test_a_case_is_a_row_of_its_table(tmp_path: Path) -> None:
    found = tables(
        tmp_path,
        "rules,fair,0.001,complexity 3,AIX360 0,4.0,1200,False",
        "rules,fair,0.001,complexity 3,ours,0.5,1100,True",
        "rules,hi,0.1,complexity 0,AIX360 0,4.0,1200,False",
        "mRMR,isolet,20,k = 20,mrmr-selection 0.2,1.5,0.61,False",
        "mRMR,isolet,20,k = 20,scikit-lego 0.9,,,False",
        "mRMR,isolet,20,k = 20,ours,1.0,0.8,True",
        'mRMR,isolet,20,k = 20,"ours, greedy",0.5,0.7,False',
        "Pace,wine,5,5 trees of depth 2,fipepy 1,2.0,4,True",
        "Pace,wine,5,5 trees of depth 2,ours,0.01,4,True",
    )
    assert rows(found["rules"]) == [
        ["answers to a magazine", "3", "4", "0.5", "8", "1,200", "1,100", "yes"],
        ["health insurance of wives", "0", "4", "–", "–", "1,200", "–", "no"],
    ]
    assert rows(found["columns"]) == [
        ["ISOLET", "20", "1.5 s, 61.0 %", "–", "–", "1 s, 80.0 %", "0.5 s, 70.0 %"]
    ]
    assert rows(found["trees"]) == [["wine of scikit-learn", "5", "2", "0.01", "200", "4", "4", "yes"]]
    assert found["when"].startswith("Measured on 2026-01-02, on one core of a processor, with AIX360 0, ")


def test_without_a_file_the_page_says_so(tmp_path: Path) -> None:
    assert set(peers_tables(Project(tmp_path)).values()) == {"Nothing has been measured yet.\n"}


def test_the_page_says_what_was_measured() -> None:
    measured = pd.read_csv(ROOT / FILE, dtype={"asked": str})
    assert set(measured["table"]) <= set(NAMES)
    pairs = beside(measured)
    by_task = dict(iter(pairs.groupby("task")))
    assert "missed" not in set(pairs["aim"])
    # "never a larger loss, and sooner"
    assert (by_task["rules"]["our_value"] <= by_task["rules"]["peer_value"]).all()
    assert (by_task["rules"]["ratio"] > 1).all()
    # "proves its set", and "often faster than both"
    assert by_task["mRMR"]["proved"].all()
    quick = by_task["mRMR"][~by_task["mRMR"]["peer"].str.startswith("mrmr")]
    assert (quick["ratio"] < 1).mean() > 0.5
    # "no row wins everywhere"
    best = measured[measured["task"] == "mRMR"].groupby("table")["value"].idxmax()
    assert len(set(measured.loc[best, "program"])) > 1
    # "both keep as many trees"
    trees = by_task["Pace"].dropna(subset="peer_value")
    assert (trees["our_value"] == trees["peer_value"]).all()
