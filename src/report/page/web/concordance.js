// Concordances: the lines of the page's data, sorted as the reader likes.

const concordances = new Map(JSON.parse(document.getElementById('concordances').textContent).map(([key, {title, lines}]) =>
  [key, {title, lines: lines.map(([left, node, right, source, influence]) => ({left, node, right, source, influence}))}]));

const LINES_SHOWN = 20;

// Words outwards from the node: the nearest decides first.
function outwards(text, reversed) {
  const words = folded(text).match(/[\p{L}\p{N}]+/gu) || [];
  return (reversed ? words.reverse() : words).join(' ');
}

const AS_LISTED = 'as listed';
const ORDERS = {
  [AS_LISTED]: undefined,
  'influence': (line) => -line.influence,
  'left context': (line) => outwards(line.left, true),
  'right context': (line) => outwards(line.right, false),
};

function sortedLines(lines, order) {
  const keyed = lines.map((line) => [ORDERS[order](line), line]);
  const compare = (a, b) => typeof a === 'string' ? collator.compare(a, b) : a - b;
  return keyed.sort(([a], [b]) => compare(a, b)).map(([, line]) => line);
}

function influenceText(influence) {
  return influence === null ? '' : (influence < 0 ? '\u2212' : '') + (100 * Math.abs(influence)).toFixed(2) + '%';
}

function lineRow(line, columns, chosen) {
  const row = element('tr', {className: line === chosen ? 'chosen' : ''},
    element('td', {className: 'before'}, element('div', {}, element('span', {}, line.left + ' '))),
    element('td', {className: 'node'}, line.node),
    element('td', {className: 'after'}, element('div', {}, (/^[\p{Po}\p{Pe}\p{Pf}]/u.test(line.right) ? '' : ' ') + line.right)));
  if (columns.source) row.append(element('td', {className: 'source', title: line.source}, line.source));
  if (columns.influence) row.append(element('td', {className: 'influence'}, influenceText(line.influence)));
  return row;
}

function lineRecords(lines, columns) {
  const names = ['left', 'node', 'right', ...['source', 'influence'].filter((name) => columns[name])];
  return [names, ...lines.map((line) => names.map((name) => String(line[name] ?? '')))];
}

// Whether the word is written from right to left; the whole table then runs that way.
function isRightToLeft(text) {
  return /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u.test(text);
}

function kwicTable(lines, columns, chosen) {
  const widths = element('colgroup', {}, element('col'), element('col'), element('col'));
  const longest = lines.reduce((most, line) => Math.max(most, line.node.length), 0);
  widths.children[1].style.width = 0.65 * Math.min(longest, 24) + 1.6 + 'em';
  const titles = element('tr', {}, element('td', {colSpan: 3}));
  for (const name of ['source', 'influence'].filter((name) => columns[name])) {
    widths.append(element('col', {className: name + '-width'}));
    titles.append(element('th', {className: name}, name));
  }
  if (columns.influence) titles.lastChild.title = 'By how much the breadth falls when this occurrence is left out';
  const head = titles.cells.length > 1 ? [element('thead', {}, titles)] : [];
  return element('table', {className: 'kwic', dir: isRightToLeft(lines[0]?.node ?? '') ? 'rtl' : 'ltr'}, widths, ...head,
    element('tbody', {}, ...lines.map((line) => lineRow(line, columns, chosen))));
}

// The lines with their title and the ways to sort them. `chosen`: a line to point out, which then comes first.
function linesView(title, lines, {chosen, onclose, shown = LINES_SHOWN} = {}) {
  const columns = {source: lines.some((line) => line.source), influence: lines.some((line) => line.influence !== null)};
  const view = element('div', {className: 'lines'});
  let order = AS_LISTED;
  const ways = Object.keys(ORDERS).filter((name) => name !== 'influence' || columns.influence);
  const buttons = lines.length < 2 ? [] : ways.map((name) =>
    button(name, () => { order = name; render(); }, {'data-order': name}));
  const head = element('div', {className: 'lines-head'}, element('strong', {}, title), ...buttons);
  if (buttons.length) head.insertBefore(element('span', {className: 'sort'}, 'sort'), buttons[0]);
  head.append(tsvButton('lines-' + slug(title), 'these lines', () => tsvOf(lineRecords(lines, columns))));
  if (onclose) head.append(button('Close', onclose, {className: 'close'}));

  function render() {
    for (const way of buttons) way.setAttribute('aria-pressed', way.dataset.order === order);
    const sorted = order === AS_LISTED ? lines : sortedLines(lines, order);
    view.replaceChildren(head, kwicTable(sorted.slice(0, shown), columns, chosen));
    if (sorted.length > shown) {
      view.append(button(`Show all ${thousands(sorted.length)} lines`, () => { shown = Infinity; render(); }, {className: 'more'}));
    }
  }
  render();
  return view;
}

// What stands behind a point or a cell: { title, lines }, or nothing.
function evidenceOf({concordance, line}) {
  const found = concordances.get(concordance);
  if (!found) return undefined;
  return {title: found.title, lines: line === undefined ? found.lines : [found.lines[line]].filter(Boolean)};
}
