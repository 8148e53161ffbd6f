"""Print the built book, all pages but the API, to one file with the browser of the tests (called by ``make pdf``)."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from urllib.parse import urljoin

import click
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import PdfMargins, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = re.compile(r"^(book/api|genindex|search|py-modindex|index)")
"""Pages that are for looking things up."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MINUTES = 10
"""How long the browser may take."""
COMBINED = "book/_printed.html"
MARGIN: PdfMargins = {"top": "15mm", "bottom": "15mm", "left": "15mm", "right": "15mm"}


@click.command()
@click.option(
    "--html", type=click.Path(path_type=Path), default=ROOT / "_build" / "html", help="The built book."
)
@click.option(
    "--to", type=click.Path(path_type=Path), default=ROOT / "_build" / "compactml.pdf", show_default=True
)
def main(html: Path, to: Path) -> None:
    """Print the built book to one PDF."""
    if not (html / "index.html").is_file():
        raise click.ClickException(f"no book in {html}: run `make book` first")
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise click.ClickException(f"no browser on PATH: one of {', '.join(BROWSERS)} is needed")
    combined = html / COMBINED
    combined.write_text(one_page(html), encoding="utf-8")
    try:
        with sync_playwright() as playwright:
            started = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
            page = started.new_page(color_scheme="light")
            page.set_default_timeout(MINUTES * 60_000)
            page.goto(combined.as_uri(), wait_until="load")
            page.evaluate("window.MathJax ? MathJax.startup.promise.then(() => null) : null")
            page.pdf(path=str(to), format="A4", print_background=True, margin=MARGIN)
            started.close()
    finally:
        combined.unlink(missing_ok=True)
    click.echo(f"{to} ({to.stat().st_size / 2**20:.1f} MB)")


def pages(html: Path) -> list[str]:
    """Return the pages in the order of the contents, the first one first."""
    soup = BeautifulSoup((html / "book" / "intro.html").read_text(encoding="utf-8"), "html.parser")
    links = [urljoin("book/intro.html", str(a["href"])) for a in soup.select("nav.bd-links a[href]")]
    names = [link.partition("#")[0] for link in links if link.partition("#")[0].endswith(".html")]
    return [name for name in dict.fromkeys(["book/intro.html", *names]) if not LEFT_OUT.match(name)]


def one_page(html: Path) -> str:
    """Return one page with the articles of all, everything opened, addresses as that page sees them.

    Names of a page's parts get the page before them, so that links between pages lead inside the file.
    """
    names = pages(html)
    whole = BeautifulSoup((html / names[0]).read_text(encoding="utf-8"), "html.parser")
    articles = [article(html, name, set(names)) for name in names]
    body = whole.body
    assert body is not None
    body.clear()
    for one in articles:
        body.append(one)
    return str(whole)


def article(html: Path, name: str, printed: set[str]) -> Tag:
    """Return the article of a page, ready to stand among those of others."""
    soup = BeautifulSoup((html / name).read_text(encoding="utf-8"), "html.parser")
    found = soup.select_one("article.bd-article")
    if not isinstance(found, Tag):
        raise click.ClickException(f"{name} has no article")
    for tag in found.select("script, .cm-controls, .headerlink"):
        tag.decompose()
    for fold in found.select("details"):
        fold["open"] = ""
    for tag in found.select("[hidden]"):
        del tag["hidden"]
    for tag in found.select("svg *[id], svg[id]"):
        tag["data-kept"] = ""  # figures refer to their own parts by name
    for tag in found.find_all(id=True):
        if not tag.has_attr("data-kept"):
            tag["id"] = anchor(name, str(tag["id"]))
    for tag in found.find_all(href=True):
        tag["href"] = address(name, str(tag["href"]), printed)
    for tag in found.find_all(src=True):
        tag["src"] = address(name, str(tag["src"]), printed)
    found["id"] = anchor(name, "")
    found["style"] = "break-before: page"
    return found


def anchor(name: str, part: str) -> str:
    """Return the name of a part of a page in the file of all."""
    return f"{name.removesuffix('.html').replace('/', '-')}--{part}"


def address(name: str, link: str, printed: set[str]) -> str:
    """Return a link of a page as the file of all has it."""
    if re.match(r"^[a-z]+:", link):
        return link
    target, _, part = urljoin(name, link).partition("#")
    if target in printed or link.startswith("#"):
        return f"#{anchor(target or name, part)}"
    return f"../{target}" + (f"#{part}" if part else "")


if __name__ == "__main__":
    main()
