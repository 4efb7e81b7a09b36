document.body.append(tip);
document.querySelectorAll('.data').forEach((root) => tables.push(new DataTable(root)));
document.querySelectorAll('figure.picture').forEach((figure) => new Picture(figure));
document.querySelectorAll('figure.concordance').forEach((figure) => {
  const evidence = evidenceOf(figure.dataset);
  if (evidence) figure.append(linesView(evidence.title, evidence.lines, {shown: Number(figure.dataset.shown) || undefined}));
});
