/* Filters, sorts and counts the cards of the scorecard. Without it all cards stand in their lists. */
(() => {
  const controls = document.querySelector(".cm-controls");
  if (!controls) return;
  const cards = [...document.querySelectorAll(".cm-card")];
  const box = controls.querySelector("input");
  const order = controls.querySelector("select");
  const shown = controls.querySelector(".cm-shown");
  const buttons = [...controls.querySelectorAll("button")];
  const wanted = { list: "runs", paper: null, verdict: null };
  const texts = new Map(cards.map((card) => [card, card.textContent.toLowerCase()]));
  const rank = new Map(cards.map((card, i) => [card, i]));
  const verdicts = buttons.filter((b) => b.dataset.key === "verdict").map((b) => b.dataset.value);

  const values = {
    list: (card) => card.closest(".cm-list").dataset.list,
    paper: (card) => card.id.split(".")[0],
    verdict: (card) => card.dataset.verdict,
  };
  const value = (card, key) => values[key](card);
  const matches = (card, skip) =>
    ["list", "paper", "verdict"].every((key) => key === skip || !wanted[key] || value(card, key) === wanted[key]) &&
    texts.get(card).includes(box.value.trim().toLowerCase());

  const show = () => {
    let count = 0;
    for (const card of cards) {
      card.hidden = !matches(card);
      count += card.hidden ? 0 : 1;
    }
    for (const list of document.querySelectorAll(".cm-list")) list.hidden = list.dataset.list !== wanted.list;
    for (const button of buttons) {
      const { key, value: own } = button.dataset;
      button.setAttribute("aria-pressed", String(wanted[key] === own));
      button.querySelector("span").textContent = cards.filter((c) => value(c, key) === own && matches(c, key)).length;
    }
    const sums = [0, 0, 0, 0];
    for (const card of cards) if (!card.hidden) card.dataset.cells.split(" ").forEach((n, i) => { sums[i] += Number(n); });
    const [agree, tested, undecided, stated] = sums;
    const all = cards.filter((c) => value(c, "list") === wanted.list).length;
    const n = (number) => number.toLocaleString("en");
    shown.textContent = `${count} of ${all} claims shown.`;
    if (wanted.list !== "erratum") {
      shown.textContent += ` Of their ${n(stated)} numbers and statements ${n(tested)} could be decided: ${n(agree)} agree, ` +
        `${n(tested - agree)} differ. ${n(undecided)} differ and decide nothing, ${n(stated - tested - undecided)} are not tested.`;
    }
  };

  const share = (card) => {
    const [, tested, , stated] = card.dataset.cells.split(" ");
    return tested / stated;
  };
  const sorted = {
    paper: (a, b) => rank.get(a) - rank.get(b),
    verdict: (a, b) => verdicts.indexOf(a.dataset.verdict) - verdicts.indexOf(b.dataset.verdict) || rank.get(a) - rank.get(b),
    tested: (a, b) => share(b) - share(a) || rank.get(a) - rank.get(b),
  };
  const sort = () => {
    for (const list of document.querySelectorAll(".cm-cards")) list.append(...[...list.children].sort(sorted[order.value]));
  };

  const remember = () => {
    const query = new URLSearchParams();
    for (const key of ["list", "paper", "verdict"]) if (wanted[key] && wanted[key] !== "runs") query.set(key, wanted[key]);
    if (box.value) query.set("find", box.value);
    try { history.replaceState(null, "", query.size ? `?${query}` : location.pathname); } catch { /* a file opened without a server */ }
  };

  /* The link of a card opens its list, whatever the filter says. */
  const goTo = () => {
    const card = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!card || !card.classList.contains("cm-card")) return;
    Object.assign(wanted, { list: value(card, "list"), paper: null, verdict: null });
    box.value = "";
    show();
    card.scrollIntoView({ block: "center" });
    card.classList.add("cm-target");
    setTimeout(() => card.classList.remove("cm-target"), 4000);
  };

  const query = new URLSearchParams(location.search);
  for (const key of ["list", "paper", "verdict"]) {
    const found = buttons.some((b) => b.dataset.key === key && b.dataset.value === query.get(key));
    if (found) wanted[key] = query.get(key);
  }
  box.value = query.get("find") || "";
  /* What is looked for may stand in another list than the first. */
  if (box.value && !query.get("list")) {
    const hit = cards.find((card) => matches(card, "list"));
    if (hit && !cards.some((card) => matches(card))) wanted.list = value(hit, "list");
  }

  for (const button of buttons) {
    button.addEventListener("click", () => {
      const { key, value: own } = button.dataset;
      wanted[key] = key !== "list" && wanted[key] === own ? null : own;
      show();
      remember();
    });
  }
  box.addEventListener("input", () => { show(); remember(); });
  order.addEventListener("change", sort);
  window.addEventListener("hashchange", goTo);
  controls.querySelector(".cm-more").open = !matchMedia("(max-width: 600px)").matches;
  controls.hidden = false;
  show();
  if (location.hash) goTo();
})();
