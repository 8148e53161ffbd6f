"""The first minute in a real browser: the front page on one screen, squares that lead to cards, filters that count."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Locator, Page

from compactml.study.recording.recorded import recorded
from tests.book.accessibility import violations
from tests.book.built_book import HTML

DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
FRONT, FINDINGS, SCORECARD = "book/intro.html", "book/findings.html", "book/scorecard.html"
OPENINGS = [f"notebooks/{name}/01_method.html" for name in (
    "condition_sharing", "boolean_rules", "feature_selection", "ensemble_pruning", "pace"
)]  # fmt: skip
LINES = ["The paper says", "Held", "Did not", "New here"]


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def page(browser: Browser, html: Path, scheme: str) -> Iterator[Page]:
    context = browser.new_context(viewport=DESKTOP, color_scheme=scheme)  # type: ignore[arg-type]
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def light(browser: Browser, html: Path) -> Iterator[Page]:
    context = browser.new_context(viewport=DESKTOP)
    yield context.new_page()
    context.close()


def opened(page: Page, address: str, name: str) -> Page:
    page.goto(f"{address}/{name}", wait_until="load")
    return page


def soup(name: str) -> BeautifulSoup:
    return BeautifulSoup((HTML / name).read_text(encoding="utf-8"), "html.parser")


def test_five_papers_four_lines_and_the_counts_lie_on_the_first_screen(page: Page, address: str) -> None:
    opened(page, address, FRONT)
    papers = page.locator(".cm-paper")
    assert papers.count() == 5
    for paper in papers.all():
        assert paper.locator("dt").all_inner_texts() == LINES
        for line in paper.locator("dd").all_inner_texts():
            assert 0 < len(line.split()) <= 16, line
        assert paper.locator(".cm-mosaic a").count() >= 10
    for what in (".cm-lead", ".cm-paper", ".cm-legend", ".cm-doors", ".cm-about"):
        for element in page.locator(what).all():
            box = element.bounding_box()
            assert box is not None
            assert box["y"] >= 0, what
            assert box["y"] + box["height"] <= DESKTOP["height"], what


def test_on_a_phone_the_cards_stand_one_below_the_other(page: Page, address: str) -> None:
    page.set_viewport_size(PHONE)
    opened(page, address, FRONT)
    boxes = [box for paper in page.locator(".cm-paper").all() if (box := paper.bounding_box())]
    assert len({box["x"] for box in boxes}) == 1
    for upper, lower in pairwise(boxes):
        assert upper["y"] + upper["height"] <= lower["y"]


@pytest.mark.parametrize("name", [FRONT, FINDINGS, SCORECARD, *OPENINGS])
def test_contrast_is_enough_on_a_phone(page: Page, address: str, name: str) -> None:
    """On a desktop `test_craft` looks at every page that is read."""
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    opened(page, address, name)
    assert violations(page, "color-contrast", "link-name", "duplicate-id-aria") == []


@pytest.mark.parametrize(
    "name", [FRONT, FINDINGS, *(one.replace("01_method", "02_reproduction") for one in OPENINGS)]
)
def test_every_square_leads_to_its_card(html: Path, name: str) -> None:
    cards = {card["id"] for card in soup(SCORECARD).select(".cm-card")}
    squares = soup(name).select(".cm-mosaic a")
    assert len(squares) >= 10
    for square in squares:
        target, anchor = urldefrag(urljoin(name, str(square["href"])))
        assert target == SCORECARD
        assert anchor in cards


@pytest.mark.parametrize("name", [FRONT, FINDINGS, *OPENINGS])
def test_every_number_leads_to_its_evidence(html: Path, name: str) -> None:
    ids = [str(code.get_text()) for code in soup(SCORECARD).select(".cm-id")]
    links = [str(a["href"]) for a in soup(name).select(".cm-paper dd a, .cm-box a, .cm-figure a, p > a")]
    links = [link for link in links if "scorecard.html" in link]
    assert links
    for link in links:
        if "?find=" in link:
            assert any(link.split("?find=")[1] in one for one in ids), link
        elif "#" in link:
            assert urldefrag(link)[1] in {one.replace("/", ".") for one in ids}, link


def test_cards_lead_to_section_data_and_code(html: Path) -> None:
    anchors: dict[str, set[str]] = {}
    for card in soup(SCORECARD).select(".cm-card"):
        links = [str(a["href"]) for a in card.select("footer a, details a")]
        assert len(links) >= 2, card["id"]
        for link in links:
            target, anchor = urldefrag(urljoin(SCORECARD, link))
            assert (HTML / target).is_file(), f"{card['id']}: {link}"
            if anchor:
                if target not in anchors:
                    anchors[target] = {str(tag["id"]) for tag in soup(target).find_all(id=True)}
                assert anchor in anchors[target], f"{card['id']}: {link}"


def counted(page: Page) -> tuple[int, int]:
    """Cards that are seen, and those that the page says it shows."""
    said = page.locator(".cm-shown").inner_text()
    return page.locator(".cm-card:visible").count(), int(said.split()[0])


def test_the_filter_shows_what_it_counts(light: Page, address: str) -> None:
    opened(light, address, SCORECARD)
    for key in ("list", "paper", "verdict"):
        for button in light.locator(f".cm-controls button[data-key={key}]").all():
            promised = int(button.locator("span").inner_text())
            button.click()
            assert counted(light) == (promised, promised), button.inner_text()
            if key != "list":
                button.click()
        light.locator(".cm-controls button[data-value=runs]").click()
    everything = counted(light)[0]
    light.locator(".cm-controls input").fill("extra trees")
    seen, said = counted(light)
    assert 0 < seen == said < everything
    for text in light.locator(".cm-card:visible").all_inner_texts():
        assert "extra trees" in text.lower()


def test_two_filters_hold_at_once_and_are_remembered(light: Page, address: str) -> None:
    opened(light, address, f"{SCORECARD}?paper=pace&verdict=inconclusive")
    visible = light.locator(".cm-card:visible")
    kept = recorded("pace", "claims")
    assert kept is not None
    run = kept[(kept["basis"] == "tested by runs") & (kept["verdict"] == "inconclusive")]
    assert visible.count() == len(run) > 0
    assert {(one.get_attribute("id") or "").split(".")[0] for one in visible.all()} == {"pace"}
    assert {one.get_attribute("data-verdict") for one in visible.all()} == {"inconclusive"}
    light.locator(".cm-controls button[data-value=pace]").click()
    assert "paper=pace" not in light.url
    assert "verdict=inconclusive" in light.url


def share_tested(card: Locator) -> float:
    _, tested, _, stated = map(int, (card.get_attribute("data-cells") or "").split())
    return tested / stated


def test_cards_are_sorted(light: Page, address: str) -> None:
    opened(light, address, SCORECARD)
    shares = [share_tested(one) for one in light.locator(".cm-card:visible").all()]
    light.locator(".cm-controls select").select_option("tested")
    after = [share_tested(one) for one in light.locator(".cm-card:visible").all()]
    assert after == sorted(shares, reverse=True) != shares


def test_a_permanent_link_opens_its_card_in_whatever_list(light: Page, address: str) -> None:
    opened(light, address, f"{SCORECARD}#condition-sharing.algorithms-3-4")
    card = light.locator("[id='condition-sharing.algorithms-3-4']")
    assert card.is_visible()
    light.wait_for_timeout(300)
    box = card.bounding_box()
    assert box is not None
    assert 0 <= box["y"] <= DESKTOP["height"]


def test_printing_shows_all_cards(light: Page, address: str) -> None:
    opened(light, address, f"{SCORECARD}?paper=pace&verdict=mixed")
    total = light.locator(".cm-card").count()
    assert light.locator(".cm-card:visible").count() < total
    light.emulate_media(media="print")
    assert light.locator(".cm-card:visible").count() == total
    light.emulate_media(media="screen")


def test_without_scripts_all_cards_stand(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = opened(context.new_page(), address, SCORECARD)
    assert page.locator(".cm-card:visible").count() == page.locator(".cm-card").count() > 150
    context.close()


def test_no_scroll_box_on_the_scorecard(light: Page, address: str) -> None:
    for viewport in (DESKTOP, PHONE):
        light.set_viewport_size(viewport)  # type: ignore[arg-type]
        opened(light, address, SCORECARD)
        boxes = light.evaluate(
            "[...document.querySelectorAll('article .cm-list, article .cm-list *')]"
            ".filter(e => e.scrollHeight > e.clientHeight + 20)"
            ".filter(e => /auto|scroll/.test(getComputedStyle(e).overflowY)).length"
        )
        assert boxes == 0
    light.set_viewport_size(DESKTOP)  # type: ignore[arg-type]


def test_json_says_what_the_cards_say(html: Path) -> None:
    cards = {str(card["id"]): card for card in soup(SCORECARD).select(".cm-card")}
    claims = json.loads((HTML / "_static" / "claims.json").read_text(encoding="utf-8"))
    assert len(claims) == len(cards)
    for claim in claims:
        card = cards[claim["id"].replace("/", ".")]
        assert claim["link"] == f"{SCORECARD}#{card['id']}"
        assert claim["statement"] == card.h3.get_text().removeprefix("The paper says: ")  # type: ignore[union-attr]
        assert (claim["verdict"] or "none") == card["data-verdict"]
        assert claim["commands"]
        assert all((HTML / file).is_file() for file in claims[0]["files"])


@pytest.mark.parametrize("name", OPENINGS)
def test_a_chapter_opens_with_a_box_and_a_figure(light: Page, address: str, name: str) -> None:
    opened(light, address, name)
    labels = light.locator(".cm-box dt").all_inner_texts()
    assert labels == ["The paper says", "We found", "How sure", "How it was run"]
    box = light.locator(".cm-box").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= DESKTOP["height"]
    for viewport, layout in ((DESKTOP, ".cm-wide"), (PHONE, ".cm-narrow")):
        light.set_viewport_size(viewport)  # type: ignore[arg-type]
        assert light.locator(".cm-opening .cm-figure svg:visible").count() == 1
        drawn = light.locator(f".cm-opening .cm-figure {layout} svg")
        assert drawn.is_visible()
        label = drawn.get_attribute("aria-label") or ""
        assert len(label.split()) >= 8
        assert ".png" not in label
    light.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
