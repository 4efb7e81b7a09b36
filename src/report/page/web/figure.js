// Figures: the pointer or the arrow keys find a point and show what it is; a click or Enter leads to the lines behind it or to
// its row in a table. A point that has neither looks as if it did nothing.

const REACH = 16;          // how near the pointer has to come, in the figure's own pixels
const NEIGHBOURS = 8;      // occurrences shown beside the chosen one

const tip = element('div', {className: 'tip', role: 'status', hidden: true});

// A figure and its drawings, one for wide pages and one for narrow ones, of the same points in the same order.
class Picture {
  constructor(figure) {
    this.figure = figure;
    const svgs = [...figure.querySelectorAll('svg')];
    this.wide = svgs[0];
    this.takeTitles(svgs);
    this.sheets = this.points.length ? svgs.map((svg) => new Sheet(svg, this)) : [];
    this.addTools();
  }

  // SVG's own titles would appear beside ours: their text moves to where screen readers look.
  takeTitles(svgs) {
    for (const svg of svgs) {
      const title = svg.querySelector(':scope > title');
      svg.setAttribute('aria-label', title.textContent);
      title.remove();
    }
    this.points = [...this.wide.querySelectorAll('.point')].map((node) => {
      const answer = node.querySelector('title');
      answer.remove();
      return {text: answer.textContent, ...node.dataset};
    });
    for (const point of this.points) {
      point.hasLines = Boolean(evidenceOf(point)?.lines.length);
      point.entry = point.hasLines || point.row === undefined ? undefined : findRow(point.row);
      point.isActive = point.hasLines || point.entry !== undefined;
    }
  }

  addTools() {
    const tools = element('div', {className: 'tools'});
    const targets = [this.points.some((point) => point.hasLines) && 'the lines behind it',
      this.points.some((point) => point.entry) && 'its row in the table'].filter(Boolean);
    if (targets.length) {
      tools.append(element('span', {className: 'hint'}, `Click a point for ${targets.join(' or ')}.`,
        element('span', {className: 'keys'}, ' Keys: arrows move from point to point, Enter is a click.')));
    }
    const downloads = element('span', {className: 'downloads'}, button('SVG', () =>
      download(nameOf(this.figure) + '.svg', 'image/svg+xml', this.file()), {title: 'Download this figure as a picture'}));
    if (this.wide.dataset.columns) downloads.append(tsvButton(nameOf(this.figure), 'the data of this figure', () => this.tsv()));
    tools.append(downloads);
    [...this.figure.querySelectorAll('svg')].at(-1).after(tools);
  }

  // The records of the points are fields already.
  tsv() {
    return [this.wide.dataset.columns, ...this.points.map((point) => point.record)].map((line) => line + '\n').join('');
  }

  // The wide drawing as a file of its own: with its paper, its styles and the titles that the page took away.
  file() {
    const svg = this.wide.cloneNode(true);
    const make = (name) => document.createElementNS(svg.namespaceURI, name);
    const {x, y, width, height} = svg.viewBox.baseVal;
    const paper = make('rect');
    for (const [key, value] of Object.entries({class: 'paper', x, y, width, height})) paper.setAttribute(key, value);
    svg.querySelector('.rings')?.remove();
    svg.querySelectorAll('.point').forEach((node, i) => { node.appendChild(make('title')).textContent = this.points[i].text; });
    const [title, style] = [make('title'), make('style')];
    title.textContent = this.wide.getAttribute('aria-label');
    style.textContent = figureStyles();
    svg.prepend(title, style, paper);
    for (const name of ['tabindex', 'aria-label']) svg.removeAttribute(name);
    return new XMLSerializer().serializeToString(svg) + '\n';
  }

  choose(sheet, spot) {
    if (!spot?.point.isActive) return;
    this.close();
    if (spot.point.entry) { tip.hidden = true; spot.point.entry.table.select(spot.point.entry); return; }
    const {concordance, line} = spot.point;
    const evidence = evidenceOf(spot.point);
    const lines = line === undefined ? evidence.lines : [...evidence.lines, ...sheet.neighbours(spot)];
    const title = line === undefined ? evidence.title : `${evidence.title}: this occurrence and those nearest to it here`;
    this.view = linesView(title, lines, {
      chosen: line === undefined ? undefined : concordances.get(concordance).lines[line],
      onclose: () => { this.close(); sheet.svg.focus(); },
    });
    this.figure.insertBefore(this.view, this.figure.querySelector('figcaption'));
  }

  close() {
    this.view?.remove();
  }
}

// One drawing of a picture. A spot is where a point stands in it.
class Sheet {
  constructor(svg, picture) {
    this.svg = svg;
    this.picture = picture;
    this.spots = [...svg.querySelectorAll('.point')].map((node, i) =>
      ({node, point: picture.points[i], panel: node.closest('.panel')}));
    this.rings = svg.appendChild(document.createElementNS(svg.namespaceURI, 'g'));
    this.rings.setAttribute('class', 'rings');
    svg.addEventListener('pointermove', (event) => this.light(this.nearest(event), event));
    svg.addEventListener('pointerleave', () => this.light());
    svg.addEventListener('click', (event) => picture.choose(this, this.nearest(event)));
    svg.addEventListener('keydown', (event) => this.onKey(event));
    svg.addEventListener('blur', () => this.light());
    svg.tabIndex = 0;
  }

  // Boxes are measured when they are first needed; points of one panel follow each other from left to right.
  measured() {
    if (!this.spots[0].box) {
      for (const spot of this.spots) {
        const {x, y, width, height} = spot.node.getBBox();
        Object.assign(spot, {box: {x, y, width, height}, x: x + width / 2, y: y + height / 2});
      }
      this.walk = [...this.spots].sort((a, b) => a.panel === b.panel ? a.x - b.x : 0);
    }
    return this.spots;
  }

  nearest(event) {
    const {x, y} = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const outside = (value, start, length) => Math.max(start - value, 0, value - start - length);
    let best;
    let least = REACH;
    for (const spot of this.measured()) {
      const {box} = spot;
      const distance = Math.hypot(outside(x, box.x, box.width), outside(y, box.y, box.height)) +
        0.001 * Math.hypot(x - spot.x, y - spot.y);
      if (distance < least) [best, least] = [spot, distance];
    }
    return best;
  }

  light(spot, event) {
    this.svg.classList.toggle('on-point', Boolean(spot?.point.isActive));
    if (spot !== this.lit) this.ring(spot);
    this.lit = spot;
    if (!spot || !spot.point.text) { tip.hidden = true; return; }
    if (tip.textContent !== spot.point.text) tip.textContent = spot.point.text;
    tip.hidden = false;
    this.placeTip(event || this.screenPlace(spot));
  }

  // A ring around the point, and around the same occurrence in the other panels; a faint one where a click does nothing.
  ring(spot) {
    this.rings.replaceChildren();
    if (!spot) return;
    for (const twin of this.spots.filter((other) => other === spot || isSameOccurrence(other.point, spot.point))) {
      const ring = twin.node.cloneNode();
      ring.setAttribute('class', spot.point.isActive ? 'ring' : 'ring faint');
      this.rings.append(ring);
    }
  }

  screenPlace(spot) {
    const {x, y} = new DOMPoint(spot.x, spot.y).matrixTransform(this.svg.getScreenCTM());
    return {clientX: x, clientY: y};
  }

  placeTip({clientX, clientY}) {
    const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    const above = clientY - tip.offsetHeight - 12;
    tip.style.left = Math.max(8, Math.min(clientX + 12, room)) + window.scrollX + 'px';
    tip.style.top = (above > 0 ? above : clientY + 16) + window.scrollY + 'px';
  }

  onKey(event) {
    this.measured();
    const at = this.walk.indexOf(this.lit);
    const last = this.walk.length - 1;
    const target = {ArrowRight: Math.min(at + 1, last), ArrowDown: Math.min(at + 1, last), ArrowLeft: Math.max(at - 1, 0),
      ArrowUp: Math.max(at - 1, 0), Home: 0, End: last}[event.key];
    if (target !== undefined) this.light(this.walk[target]);
    else if (event.key === 'Enter' || event.key === ' ') this.picture.choose(this, this.lit);
    else if (event.key === 'Escape') { this.light(); this.picture.close(); }
    else return;
    event.preventDefault();
  }

  neighbours(spot) {
    const distance = (other) => Math.hypot(other.x - spot.x, other.y - spot.y);
    return this.measured().filter((other) => other !== spot && other.panel === spot.panel && other.point.line !== undefined)
      .sort((a, b) => distance(a) - distance(b)).slice(0, NEIGHBOURS)
      .flatMap((other) => evidenceOf(other.point)?.lines ?? []);
  }
}

function isSameOccurrence(a, b) {
  return a.line !== undefined && a.line === b.line && a.concordance === b.concordance;
}
