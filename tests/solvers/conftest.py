import pytest

from compactml.solvers import SOLVERS, licence


@pytest.fixture(params=SOLVERS)
def solver(request: pytest.FixtureRequest) -> str:
    """Each solver that this machine can use."""
    name: str = request.param
    if not licence(name).usable:
        pytest.skip(f"{name}: {licence(name).refusal}")
    return name
