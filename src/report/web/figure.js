// Figures: the pointer or the arrow keys find a point and show what it is; a click or Enter shows the lines behind it.

const REACH = 16;          // how near the pointer has to come, in the figure's own pixels
const NEIGHBOURS = 8;      // usages shown beside the chosen one

const tip = element('div', {className: 'tip', role: 'status', hidden: true});

class Picture {
  constructor(figure) {
    this.figure = figure;
    this.svg = figure.querySelector('svg');
    this.takeTitles();
    if (!this.points.length) return;
    this.rings = this.svg.appendChild(document.createElementNS(this.svg.namespaceURI, 'g'));
    this.svg.addEventListener('pointermove', (event) => this.light(this.nearest(event), event));
    this.svg.addEventListener('pointerleave', () => this.light());
    this.svg.addEventListener('click', (event) => this.choose(this.nearest(event)));
    this.svg.addEventListener('keydown', (event) => this.onKey(event));
    this.svg.addEventListener('blur', () => this.light());
    this.svg.tabIndex = 0;
    this.addHint();
  }

  // SVG's own titles would appear beside ours: their text moves to where screen readers look.
  takeTitles() {
    const title = this.svg.querySelector(':scope > title');
    this.svg.setAttribute('aria-label', title.textContent);
    title.remove();
    this.points = [...this.svg.querySelectorAll('.point')].map((node) => {
      const answer = node.querySelector('title');
      answer.remove();
      return {node, text: answer.textContent, panel: node.closest('.panel')};
    });
  }

  addHint() {
    if (!this.points.some(({node}) => concordances.has(node.dataset.concordance))) return;
    this.figure.querySelector('.scroll').after(element('div', {className: 'hint'},
      'Click a point for the lines behind it. Keys: arrows walk from point to point, Enter shows the lines.'));
  }

  // Boxes are measured when they are first needed; points of one panel follow each other from left to right.
  measured() {
    if (!this.points[0].box) {
      for (const point of this.points) {
        const {x, y, width, height} = point.node.getBBox();
        Object.assign(point, {box: {x, y, width, height}, x: x + width / 2, y: y + height / 2});
      }
      this.walk = [...this.points].sort((a, b) => a.panel === b.panel ? a.x - b.x : 0);
    }
    return this.points;
  }

  nearest(event) {
    const {x, y} = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const outside = (value, start, length) => Math.max(start - value, 0, value - start - length);
    let best;
    let least = REACH;
    for (const point of this.measured()) {
      const {box} = point;
      const distance = Math.hypot(outside(x, box.x, box.width), outside(y, box.y, box.height)) +
        0.001 * Math.hypot(x - point.x, y - point.y);
      if (distance < least) [best, least] = [point, distance];
    }
    return best;
  }

  light(point, event) {
    this.svg.classList.toggle('on-point', Boolean(point && concordances.has(point.node.dataset.concordance)));
    if (point !== this.lit) this.ring(point);
    this.lit = point;
    if (!point || !point.text) { tip.hidden = true; return; }
    if (tip.textContent !== point.text) tip.textContent = point.text;
    tip.hidden = false;
    this.placeTip(event || this.screenPlace(point));
  }

  // A ring around the point, and around the same usage in the other panels.
  ring(point) {
    this.rings.replaceChildren();
    if (!point) return;
    for (const twin of this.points.filter((other) => other === point || isSameUsage(other, point))) {
      const ring = twin.node.cloneNode();
      ring.setAttribute('class', 'ring');
      this.rings.append(ring);
    }
  }

  screenPlace(point) {
    const {x, y} = new DOMPoint(point.x, point.y).matrixTransform(this.svg.getScreenCTM());
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
    else if (event.key === 'Enter' || event.key === ' ') this.choose(this.lit);
    else if (event.key === 'Escape') { this.light(); this.close(); }
    else return;
    event.preventDefault();
  }

  choose(point) {
    if (!point) return;
    const {concordance, line} = point.node.dataset;
    const evidence = evidenceOf(point.node.dataset);
    if (!evidence || !evidence.lines.length) return;
    const lines = line === undefined ? evidence.lines : [evidence.lines[0], ...this.neighbours(point)];
    const title = line === undefined ? evidence.title : `${evidence.title}: this usage and those nearest to it here`;
    this.close();
    this.view = linesView(title, lines, {
      chosen: line === undefined ? undefined : concordances.get(concordance).lines[line],
      onclose: () => { this.close(); this.svg.focus(); },
    });
    this.figure.insertBefore(this.view, this.figure.querySelector('figcaption'));
  }

  close() {
    this.view?.remove();
  }

  neighbours(point) {
    const distance = (other) => Math.hypot(other.x - point.x, other.y - point.y);
    return this.measured().filter((other) => other !== point && other.panel === point.panel && other.node.dataset.line !== undefined)
      .sort((a, b) => distance(a) - distance(b)).slice(0, NEIGHBOURS)
      .flatMap((other) => evidenceOf(other.node.dataset)?.lines ?? []);
  }
}

function isSameUsage(a, b) {
  return a.node.dataset.line !== undefined && a.node.dataset.line === b.node.dataset.line &&
    a.node.dataset.concordance === b.node.dataset.concordance;
}
