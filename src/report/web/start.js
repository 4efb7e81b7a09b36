document.body.append(tip);
document.querySelectorAll('div.data').forEach((root) => new DataTable(root));
document.querySelectorAll('figure.picture').forEach((figure) => new Picture(figure));
document.querySelectorAll('figure.concordance').forEach((figure) => {
  const evidence = evidenceOf(figure.dataset);
  if (evidence) figure.append(linesView(evidence.title, evidence.lines));
});
