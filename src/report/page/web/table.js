// Tables: sorted by a click on a title, narrowed by a search. Only the first rows stand in the page, so thousands stay quick.

const ROWS_SHOWN = 100;
const SEARCH_FROM = 12;

const tables = [];

// The row of the page's tables that is about this: a word, or several joined by a dash.
function findRow(name) {
  for (const table of tables) {
    const entry = table.byName().get(name);
    if (entry) return entry;
  }
  return undefined;
}

class DataTable {
  constructor(root) {
    this.root = root;
    this.table = root.querySelector('table');
    this.body = this.table.tBodies[0];
    this.all = [...this.body.rows].map((row) => ({table: this, row, keys: []}));
    this.order = this.all;
    this.found = this.all;
    this.shown = Number(root.dataset.shown) || ROWS_SHOWN;
    this.step = this.shown;
    this.titles = [...this.table.tHead.rows[0].cells];
    this.subjects = this.columnsOfSubjects();
    this.columns = this.titles.map((title) => title.dataset.key ?? title.textContent);
    this.titles.forEach((title, column) => this.makeSortable(title, column));
    this.more = element('div', {className: 'tools more'});
    root.append(this.more);
    this.tools = element('div', {className: 'tools'},
      element('span', {className: 'downloads'}, tsvButton(nameOf(root), 'all rows', () => tsvOf(this.records()))));
    this.table.parentElement.before(this.tools);
    if (this.all.length > SEARCH_FROM) this.addSearch();
    onActivate(this.body, (event) => this.toggleEvidence(event));
    this.body.className = 'ready';
    this.render();
  }

  // The columns that say what a row is about; where none is marked, the first text.
  columnsOfSubjects() {
    const withClass = (name) => this.titles.flatMap((title, column) => title.classList.contains(name) ? [column] : []);
    const marked = withClass('subject');
    return marked.length ? marked : withClass('text').slice(0, 1);
  }

  makeSortable(title, column) {
    const text = title.textContent;
    title.replaceChildren(button(text, () => this.sortBy(column)));
    title.setAttribute('aria-sort', 'none');
  }

  addSearch() {
    const hint = `Search ${thousands(this.all.length)} rows`;
    this.search = element('input', {type: 'search', placeholder: hint, 'aria-label': hint});
    this.search.addEventListener('input', () => this.narrow());
    this.count = element('span', {role: 'status'});
    this.root.classList.add('long');
    this.tools.prepend(this.search, this.count);
  }

  // A cell's value in a column of numbers (NaN: none), its text in others.
  key(entry, column) {
    if (entry.keys[column] === undefined) {
      const cell = entry.row.cells[column];
      const isNumber = this.titles[column].classList.contains('number');
      entry.keys[column] = isNumber ? parseFloat(cell.dataset.value ?? cell.textContent) : cell.textContent;
    }
    return entry.keys[column];
  }

  sortBy(column) {
    const title = this.titles[column];
    const descending = title.getAttribute('aria-sort') === 'ascending';
    for (const other of this.titles) other.setAttribute('aria-sort', 'none');
    title.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    const sign = descending ? -1 : 1;
    const compare = title.classList.contains('number')
      ? (a, b) => (Number.isNaN(a) - Number.isNaN(b)) || sign * (a - b)
      : (a, b) => sign * collator.compare(a, b);
    this.order = [...this.order].sort((a, b) => compare(this.key(a, column), this.key(b, column)));
    this.narrow();
  }

  subjectsOf(entry) {
    entry.subjects ??= this.subjects.map((column) => entry.row.cells[column].textContent);
    return entry.subjects;
  }

  byName() {
    this.names ??= new Map(this.all.map((entry) => [this.subjectsOf(entry).join(' \u2013 '), entry]));
    return this.names;
  }

  // Words that are what was searched for come first, then those that begin with it, those that hold it, and rows that
  // have it elsewhere.
  narrow() {
    const query = folded(this.search ? this.search.value : '').trim();
    const words = query.split(/\s+/u).filter(Boolean);
    const found = [[], [], [], []];
    for (const entry of words.length ? this.order : []) {
      entry.text ??= folded([...entry.row.cells].map((cell) => cell.textContent).join(' '));
      if (words.every((word) => entry.text.includes(word))) found[this.distance(entry, query, words)].push(entry);
    }
    this.found = words.length ? found.flat() : this.order;
    this.render();
  }

  distance(entry, query, words) {
    entry.folded ??= this.subjectsOf(entry).map(folded);
    const of = (subject) => subject === query || words.includes(subject) ? 0
      : words.some((word) => subject.startsWith(word)) ? 1
      : words.some((word) => subject.includes(word)) ? 2 : 3;
    return Math.min(3, ...entry.folded.map(of));
  }

  // Points a row out and moves there; one that is not among those shown is searched for.
  select(entry) {
    document.querySelector('tr.selected')?.classList.remove('selected');
    if (!entry.row.isConnected) this.reveal(entry);
    entry.row.classList.add('selected');
    entry.row.tabIndex = -1;
    entry.row.scrollIntoView({block: 'center'});
    entry.row.focus({preventScroll: true});
  }

  reveal(entry) {
    if (this.search) this.search.value = this.subjectsOf(entry).join(' ');
    else this.shown = Infinity;
    this.narrow();
  }

  // Every row, in the order shown: numbers in full, an interval as two columns more.
  records() {
    const withInterval = this.titles.map((_, column) => this.all.some(({row}) => 'low' in row.cells[column].dataset));
    const titles = this.columns.flatMap((name, column) => withInterval[column] ? [name, name + '_low', name + '_high'] : [name]);
    return [titles, ...this.order.map(({row}) => [...row.cells].flatMap((cell, column) => {
      const value = cell.dataset.value ?? cell.textContent;
      return withInterval[column] ? [value, cell.dataset.low ?? '', cell.dataset.high ?? ''] : [value];
    }))];
  }

  render() {
    const rows = document.createDocumentFragment();
    for (const {row} of this.found.slice(0, this.shown)) rows.append(row);
    for (const cell of rows.querySelectorAll('.evidence:not([role])')) {
      if (!concordances.has(cell.dataset.concordance)) continue;
      cell.setAttribute('role', 'button');
      cell.setAttribute('aria-expanded', 'false');
      cell.tabIndex = 0;
    }
    if (!this.found.length) {
      rows.append(element('tr', {}, element('td', {className: 'empty', colSpan: this.titles.length}, 'Nothing found.')));
    }
    this.body.replaceChildren(rows);
    for (const open of this.table.querySelectorAll('[aria-expanded=true]')) open.setAttribute('aria-expanded', 'false');
    this.renderCounts();
  }

  renderCounts() {
    const found = this.found.length;
    if (this.count) this.count.textContent = found < this.all.length ? `${thousands(found)} found` : '';
    this.more.replaceChildren();
    if (found <= this.shown) return;
    const show = (count) => () => { this.shown = count; this.render(); };
    this.more.append(`${thousands(this.shown)} of ${thousands(found)} rows`,
      button('Show more', show(this.shown + this.step)), button('Show all', show(Infinity)));
  }

  toggleEvidence(event) {
    const cell = event.target.closest('.evidence[role=button]');
    if (!cell) return;
    const row = cell.closest('tr');
    const wasOpen = cell.getAttribute('aria-expanded') === 'true';
    for (const other of row.querySelectorAll('[aria-expanded=true]')) other.setAttribute('aria-expanded', 'false');
    if (row.nextElementSibling?.className === 'detail') row.nextElementSibling.remove();
    if (wasOpen) return;
    const {title, lines} = evidenceOf(cell.dataset);
    const view = linesView(title, lines, {onclose: () => { cell.click(); cell.focus(); }});
    cell.setAttribute('aria-expanded', 'true');
    view.style.width = this.table.parentElement.clientWidth + 'px';
    row.after(element('tr', {className: 'detail'}, element('td', {colSpan: this.titles.length}, view)));
  }
}
