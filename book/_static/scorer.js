// How the search of the book ranks its hits: the chapters before the reference, the checks and the bibliography.
// The numbers of matches are those of Sphinx.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score: ([page, , , , score]) => {
    if (/^notebooks\/\w+\/01_/.test(page)) return score + 8;
    if (/^book\/(api|bibliography|checks_)/.test(page)) return score - 30;
    return score;
  },
};
