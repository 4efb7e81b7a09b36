// Files for the reader, made here from what the page holds: tables and the data of figures as TSV, figures as SVG.

// A blob needs no server, so this works from file:// too.
function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], {type: type + ';charset=utf-8'}));
  element('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

// Escaped as in the files that the program writes: \t, \n, \r and \\.
function tsvField(text) {
  return text.replace(/[\t\n\r\\]/gu, (c) => ({'\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\'}[c]));
}

function tsvOf(rows) {
  return rows.map((row) => row.map(tsvField).join('\t') + '\n').join('');
}

// A file name of the letters and digits of a text.
function slug(text) {
  return (folded(text).match(/[\p{L}\p{N}]+/gu) ?? ['wordbreadth']).join('-').slice(0, 60);
}

// What to call the file of a table or a figure; without a name of its own, the heading above it does.
function nameOf(root) {
  return root.dataset.name ?? slug(root.closest('section')?.querySelector('h2').textContent ?? document.title);
}

function tsvButton(name, what, tsv) {
  return button('TSV', () => download(name + '.tsv', 'text/tab-separated-values', tsv()),
    {className: 'tsv', title: `Download ${what} as tab-separated values`});
}

// The rules that pictures need, for one that leaves the page.
function figureStyles() {
  return [...document.styleSheets[0].cssRules].map((rule) => rule.cssText).filter((text) => text.includes('svg.figure')).join('\n');
}
