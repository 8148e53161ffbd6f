"""What the manual says that the profiles cost."""

from bookbuild.costs import recorded_seconds


def run(name: str, seconds: float, time: str = "wall_seconds") -> dict[str, object]:
    return {"run_id": name, "cpu_seconds": seconds / 2, time: seconds}


def test_a_run_that_two_tables_share_counts_once() -> None:
    tables = [{"runs": [run("a", 60.0), run("b", 30.0)]}, {"runs": [run("a", 60.0)]}]
    assert recorded_seconds(tables) == 90.0


def test_a_table_of_one_run_and_the_older_name_of_its_time() -> None:
    assert recorded_seconds([run("a", 60.0), run("b", 20.0, "cpu_seconds")]) == 80.0
