'use strict';
// The script of a page: tooltips, the keyboard, brightness. Nothing of the page's texts is
// read as markup: all of it goes through textContent.
(() => {
  const { probes, ramps } = JSON.parse(document.getElementById('data').textContent);
  const told = document.getElementById('told');

  // number writes a number as Go's report.Number does: three digits or more.
  const number = v => v == null ? '–' : v.toLocaleString('en', Math.abs(v) < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 });
  const share = v => number(100 * v) + '%';
  const united = (v, unit) => number(v) + (v == null || !unit ? '' : unit === '%' ? unit : ' ' + unit);

  // box is where a value is, in the units of the drawing.
  function box(p, r, c) {
    const [x, y, w, h] = p.plot;
    if (p.kind === 'boxes') return p.boxes[r][c];
    if (p.kind === 'cells') {
      const wide = w / p.columns.length, high = h / p.rows.length;
      return [x + c * wide, y + r * high, wide, high];
    }
    const v = p.values[r][c] ?? 0, share = p.bottom ? Math.max(0, Math.log(v / p.bottom) / Math.log(p.top / p.bottom)) : v / p.top;
    return [x + (c + .5) / p.columns.length * w - 4, y + h * (1 - share) - 4, 8, 8];
  }

  // nearest is the row and column at a point of the drawing, or null.
  function nearest(p, x, y) {
    const [left, top, w, h] = p.plot;
    if (x < left || x >= left + w || y < top - 6 || y >= top + h + 6 || !p.rows.length) return null;
    const limit = (i, n) => Math.max(0, Math.min(n - 1, Math.floor(i)));
    if (p.kind === 'cells') return [limit((y - top) / h * p.rows.length, p.rows.length), limit((x - left) / w * p.columns.length, p.columns.length)];
    let best = null, distance = Infinity;
    const columns = p.kind === 'points' ? [limit((x - left) / w * p.columns.length, p.columns.length)] : p.columns.keys();
    for (const c of columns) p.rows.forEach((_, r) => {
      const b = box(p, r, c), d = Math.abs(b[1] + b[3] / 2 - y);
      if (p.values[r][c] != null && d < distance) [best, distance] = [[r, c], d];
    });
    return best;
  }

  // lines says what a value is, for the tooltip and for screen readers.
  function lines(p, r, c) {
    const v = p.values[r][c];
    const all = [['b', p.rows[r]], ['span', p.columns[c]], ['div', united(v, p.unit)]];
    if (p.sums && v != null) {
      const row = p.values[r].reduce((n, x) => n + (x ?? 0), 0), column = p.values.reduce((n, x) => n + (x[c] ?? 0), 0);
      if (column > 0) all.push(['div', share(v / column) + ' of all rows then']);
      if (row > 0) all.push(['div', share(v / row) + ' of this row']);
    }
    if (p.limit && v > p.limit.Value) all.push(['em', 'above ' + united(p.limit.Value, p.unit) + ', ' + p.limit.Name]);
    return all.filter(([, text]) => text);
  }

  function live(view) {
    const p = probes[view.dataset.probe], svg = view.querySelector('svg');
    if (!p || !p.rows.length || !p.columns.length) return;
    const size = svg.viewBox.baseVal, kept = new Map();
    let at = null, tip = null;
    view.classList.add('live');

    function mark(r, c) {
      const [x, y, w, h] = box(p, r, c), m = document.createElementNS(svg.namespaceURI, 'rect');
      m.setAttribute('class', 'mark');
      Object.entries({ x: x - 1, y: y - 1, width: w + 1, height: h + 1 }).forEach(([k, v]) => m.setAttribute(k, v));
      svg.append(m);
      return m;
    }
    function show(r, c) {
      const element = document.createElement('div');
      element.className = 'tip';
      for (const [name, text] of lines(p, r, c)) element.appendChild(document.createElement(name)).textContent = text;
      view.append(element);
      const scale = svg.getBoundingClientRect().width / size.width, [x, y, w, h] = box(p, r, c).map(v => v * scale);
      const right = p.kind === 'boxes' ? Math.min(x + w, x + 60) : x + w;
      const left = right + 8 + element.offsetWidth > view.clientWidth ? Math.max(0, x - 8 - element.offsetWidth) : right + 8;
      element.style.left = left + 'px';
      element.style.top = (y + h + 6) + 'px';
      return { element, mark: mark(r, c) };
    }
    function drop(shown) { shown?.element.remove(); shown?.mark.remove(); }
    function move(next, speak) {
      if (next && at && next[0] === at[0] && next[1] === at[1] && tip) return;
      drop(tip);
      tip = null;
      if (!next) return;
      at = next;
      if (!kept.has(at.join())) tip = show(...at);
      if (speak) told.textContent = lines(p, ...at).map(([, text]) => text).join(', ');
    }
    // keep pins the tooltip of the present value, or takes the pin out.
    function keep() {
      if (!at) return;
      const key = at.join();
      if (kept.has(key)) {
        drop(kept.get(key));
        kept.delete(key);
        told.textContent = 'not kept';
      } else {
        drop(tip);
        tip = null;
        const shown = show(...at);
        shown.element.classList.add('kept');
        kept.set(key, shown);
        told.textContent = 'kept: ' + shown.element.textContent;
      }
    }
    function release() {
      kept.forEach(drop);
      kept.clear();
      move(null);
    }
    // first is where the keyboard begins: the largest value.
    function first() {
      let best = [0, 0];
      p.values.forEach((row, r) => row.forEach((v, c) => { if (v != null && v > (p.values[best[0]][best[1]] ?? -Infinity)) best = [r, c]; }));
      return best;
    }
    function step(down, along) {
      const rows = p.rows.length, columns = p.columns.length;
      let [r, c] = at ?? first();
      if (p.kind === 'boxes') {
        const i = Math.max(0, Math.min(rows * columns - 1, r * columns + c + down + along));
        return [Math.floor(i / columns), i % columns];
      }
      return [Math.max(0, Math.min(rows - 1, r + down)), Math.max(0, Math.min(columns - 1, c + along))];
    }
    const keys = {
      ArrowLeft: () => step(0, -1), ArrowRight: () => step(0, 1), ArrowUp: () => step(-1, 0), ArrowDown: () => step(1, 0),
      PageUp: () => step(0, -10), PageDown: () => step(0, 10), Home: () => step(0, -1e9), End: () => step(0, 1e9),
    };
    const where = e => {
      const r = svg.getBoundingClientRect();
      return nearest(p, (e.clientX - r.left) / r.width * size.width, (e.clientY - r.top) / r.height * size.height);
    };
    svg.addEventListener('pointermove', e => move(where(e)));
    svg.addEventListener('pointerleave', () => { if (document.activeElement !== view) move(null); });
    svg.addEventListener('click', e => { const next = where(e); if (next) { move(next); keep(); } });
    view.addEventListener('focus', () => { if (view.matches(':focus-visible')) move(at ?? first(), true); });
    view.addEventListener('blur', () => move(null));
    view.addEventListener('keydown', e => {
      if (e.ctrlKey || e.altKey || e.metaKey) return;
      if (keys[e.key]) move(keys[e.key](), true);
      else if (e.key === 'Enter' || e.key === ' ') keep();
      else if (e.key === 'Escape') release();
      else return;
      e.preventDefault();
    });
  }

  // colour is one of the colours of a ramp, from 0 to 1.
  function colour(ramp, x) {
    const i = Math.min(ramp.length - 2, Math.floor(x * (ramp.length - 1))), part = x * (ramp.length - 1) - i;
    return 'rgb(' + ramp[i].map((v, k) => Math.round(v + (ramp[i + 1][k] - v) * part)).join(' ') + ')';
  }

  // bright gives a heat map's inks other colours: at 1, little looks like much.
  function bright(input) {
    const figure = input.closest('figure'), inks = Number(input.dataset.inks);
    input.addEventListener('input', () => {
      for (let i = 1; i < inks; i++) {
        const x = Math.pow(i / (inks - 1), Math.pow(3, -input.value));
        figure.style.setProperty('--h' + i, `light-dark(${colour(ramps[0], x)}, ${colour(ramps[1], x)})`);
      }
    });
  }

  document.querySelectorAll('.view').forEach(live);
  document.querySelectorAll('input[data-inks]').forEach(bright);
  document.querySelectorAll('.needs').forEach(e => { e.hidden = false; });
  document.getElementById('theme').addEventListener('click', () => {
    const root = document.documentElement, dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  });
})();
