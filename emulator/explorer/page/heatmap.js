import { charge, count, html, plural, useEffect, useRef, useState } from './parts.js';

// Heat is a colour for a value from 0 to 1: from the surface to one hue.
const ramps = {
  light: [[238, 241, 245], [172, 203, 246], [80, 141, 226], [29, 82, 170], [16, 42, 92]],
  dark: [[34, 39, 46], [31, 58, 102], [44, 99, 182], [97, 160, 240], [205, 228, 255]],
};
function heat(ramp, value) {
  const x = Math.min(1, Math.max(0, value)) * (ramp.length - 1), i = Math.min(ramp.length - 2, Math.floor(x));
  return 'rgb(' + ramp[i].map((from, k) => Math.round(from + (ramp[i + 1][k] - from) * (x - i))).join(' ') + ')';
}

const gap = 1;

// HeatMap draws a row for each physical partition and a column for each second. A red
// mark at the bottom of a cell is a second with 429s.
export function HeatMap({ state, measure }) {
  const canvas = useRef(), frame = useRef();
  const [size, setSize] = useState(null);
  const [tip, setTip] = useState(null);
  const theme = document.documentElement.dataset.theme || 'light';
  const list = state.partitions;
  const value = s => measure === 'throttled' ? s.throttled : measure === 'requests' ? s.requests : s.charge;
  const most = Math.max(1, measure === 'charge' ? state.rate : 0, ...list.flatMap(p => p.seconds.map(value)));
  const rowHeight = Math.max(6, Math.min(26, Math.floor(320 / list.length)));
  const labels = 34;
  useEffect(() => {
    const observer = new ResizeObserver(([e]) => setSize(Math.floor(e.contentRect.width)));
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  const shown = size ? Math.min(120, Math.max(40, Math.floor((size - labels) / 7))) : 120;
  const cell = size ? (size - labels) / shown : 0;
  useEffect(() => {
    if (!size) return;
    const c = canvas.current, scale = devicePixelRatio || 1, height = list.length * rowHeight;
    c.width = size * scale;
    c.height = height * scale;
    const g = c.getContext('2d'), ramp = ramps[theme], style = getComputedStyle(c);
    g.scale(scale, scale);
    g.font = `${Math.min(11, rowHeight)}px ${style.fontFamily}`;
    g.textBaseline = 'middle';
    list.forEach((p, row) => {
      const y = row * rowHeight;
      if (rowHeight >= 9 || row % 4 === 0) {
        g.fillStyle = style.color;
        g.textAlign = 'right';
        g.fillText(p.id, labels - 8, y + rowHeight / 2, labels - 8);
      }
      p.seconds.slice(-shown).forEach((s, column) => {
        const x = labels + column * cell;
        g.fillStyle = heat(ramp, Math.sqrt(value(s) / most));
        g.fillRect(x, y, Math.max(1, cell - gap), rowHeight - gap);
        if (s.throttled) {
          g.fillStyle = theme === 'dark' ? '#ff6b5e' : '#d92d20';
          const mark = Math.max(2, Math.round(rowHeight / 5));
          g.fillRect(x, y + rowHeight - gap - mark, Math.max(1, cell - gap), mark);
        }
      });
    });
  }, [state, size, measure, theme, shown]);
  const point = e => {
    const box = canvas.current.getBoundingClientRect();
    const column = Math.floor((e.clientX - box.left - labels) / cell), row = Math.floor((e.clientY - box.top) / rowHeight);
    const p = list[row], s = p?.seconds.slice(-shown)[column];
    setTip(s && column >= 0 ? { left: Math.min(e.clientX - box.left + 12, size - 190), top: row * rowHeight + rowHeight + 4, id: p.id, s, ago: shown - 1 - column } : null);
  };
  const throttled = list.reduce((n, p) => n + p.seconds.reduce((m, s) => m + s.throttled, 0), 0);
  const ramp = ramps[theme];
  return html`<figure class="heat" ref=${frame}>
    <canvas ref=${canvas} style=${{ height: list.length * rowHeight + 'px' }} role="img" aria-label=${`Heat map of ${list.length} physical partitions over ${shown} seconds: at most ${charge(most)} a second, ${throttled} answers with 429. The table below has the numbers.`}
      onPointerMove=${point} onPointerLeave=${() => setTip(null)}></canvas>
    ${tip && html`<div class="tip" style=${{ left: tip.left + 'px', top: tip.top + 'px' }}>
      <b>Partition ${tip.id}</b> <span>${tip.ago ? tip.ago + ' s ago' : 'now'}</span><br />${charge(tip.s.charge)} RU, ${plural(tip.s.requests, 'request')}${tip.s.throttled ? html`, <em>${tip.s.throttled} × 429</em>` : ''}</div>`}
    <figcaption><span>${shown} s ago</span>
      <span class="legend">0 <i style=${{ background: `linear-gradient(to right, ${[0, 0.06, 0.25, 0.56, 1].map((at, i) => `rgb(${ramp[i].join(' ')}) ${at * 100}%`).join(', ')})` }}></i> ${measure === 'charge' ? charge(most) + ' RU/s' : count(most) + ' a second'} <i class="mark"></i> 429</span>
      <span>now</span></figcaption>
  </figure>`;
}

// Spark is a line of the last minute, for a row of a table.
export function Spark({ seconds, most }) {
  const points = seconds.slice(-60).map((s, i) => `${i * 2},${(19 - 18 * Math.min(1, s.charge / (most || 1))).toFixed(1)}`);
  return html`<svg class="spark" viewBox="0 0 118 20" preserveAspectRatio="none" aria-hidden="true">
    <polygon points=${'0,20 ' + points.join(' ') + ' 118,20'} /><polyline points=${points.join(' ')} /></svg>`;
}
