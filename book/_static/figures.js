/* Saves a figure as it is seen, with the colours of the page, and opens what is folded before the page is printed. */
(() => {
  const shown = (figure) => [...figure.querySelectorAll("svg")].find((svg) => svg.getBoundingClientRect().width > 0);

  const standalone = (svg) => {
    const page = getComputedStyle(document.documentElement);
    const copy = svg.cloneNode(true);
    const ground = document.createElementNS(svg.namespaceURI, "rect");
    for (const [name, value] of Object.entries({ width: "100%", height: "100%", fill: "var(--cm-page)" })) {
      ground.setAttribute(name, value);
    }
    copy.prepend(ground);
    copy.setAttribute("font-family", "sans-serif");
    const text = new XMLSerializer().serializeToString(copy);
    return text.replace(/var\((--cm-[\w-]+)[^)]*\)/g, (whole, name) => page.getPropertyValue(name).trim());
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.cm-save");
    if (!link) return;
    event.preventDefault();
    const svg = shown(link.closest("figure"));
    const address = URL.createObjectURL(new Blob([standalone(svg)], { type: "image/svg+xml" }));
    const saved = Object.assign(document.createElement("a"), { href: address, download: link.dataset.name });
    saved.click();
    URL.revokeObjectURL(address);
  });

  const opened = [];
  window.addEventListener("beforeprint", () => {
    for (const fold of document.querySelectorAll("details:not([open])")) {
      fold.open = true;
      opened.push(fold);
    }
  });
  window.addEventListener("afterprint", () => {
    for (const fold of opened.splice(0)) fold.open = false;
  });
})();
