// Tables: sorted by a click on a title, narrowed by a search. Only the first rows stand in the page, so thousands stay quick.

const ROWS_SHOWN = 100;
const SEARCH_FROM = 12;

class DataTable {
  constructor(root) {
    this.root = root;
    this.table = root.querySelector('table');
    this.body = this.table.tBodies[0];
    this.all = [...this.body.rows].map((row) => ({row, keys: []}));
    this.order = this.all;
    this.found = this.all;
    this.shown = ROWS_SHOWN;
    this.titles = [...this.table.tHead.rows[0].cells];
    this.titles.forEach((title, column) => this.makeSortable(title, column));
    this.more = element('div', {className: 'tools more'});
    root.append(this.more);
    if (this.all.length > SEARCH_FROM) this.addSearch();
    onActivate(this.body, (event) => this.toggleEvidence(event));
    this.body.className = 'ready';
    this.render();
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
    this.root.prepend(element('div', {className: 'tools'}, this.search, this.count));
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

  narrow() {
    const words = folded(this.search ? this.search.value : '').split(/\s+/u).filter(Boolean);
    const matches = (entry) => {
      entry.text ??= folded([...entry.row.cells].map((cell) => cell.textContent).join(' '));
      return words.every((word) => entry.text.includes(word));
    };
    this.found = words.length ? this.order.filter(matches) : this.order;
    this.render();
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
      button('Show more', show(this.shown + ROWS_SHOWN)), button('Show all', show(Infinity)));
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
