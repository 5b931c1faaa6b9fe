import { call, follow } from './api.js';
import { Empty, Problem, charge, count, html, keyText, plural, useEffect, useRef, useState } from './parts.js';

const kept = 2000, drawn = 300;

// Journal shows requests as they come.
export function Journal() {
  const [lines, setLines] = useState([]);
  const [left, setLeft] = useState(0);
  const [paused, pause] = useState(false);
  const [text, setText] = useState('');
  const [which, setWhich] = useState('all');
  const [error, setError] = useState(null);
  const last = useRef(0);
  useEffect(() => {
    if (paused) return;
    const stop = new AbortController();
    (async () => {
      while (!stop.signal.aborted) {
        try {
          await follow('journal', { after: last.current }, e => {
            last.current = e.last;
            setLeft(n => n + e.left);
            setLines(l => [...e.lines.reverse(), ...l].slice(0, kept));
            setError(null);
          }, stop.signal);
        } catch (e) { if (!stop.signal.aborted) setError(e); }
        if (!stop.signal.aborted) await new Promise(r => setTimeout(r, 1000));
      }
    })();
    return () => stop.abort();
  }, [paused]);
  const wanted = text.toLowerCase();
  const shown = lines.filter(l => (which === 'all' || which === 'errors' && (l.status >= 400 || !l.status) || which === '429' && l.status === 429 || which === 'faults' && l.faulted)
    && (!wanted || `${l.operation} ${l.path} ${l.key} ${l.query || ''} ${l.status} p${l.range} ${l.region || ''}`.toLowerCase().includes(wanted)));
  const clear = () => call('DELETE', 'journal').then(() => { setLines([]); setLeft(0); }, setError);
  return html`
    <header class="title"><h1>Journal</h1></header>
    <div class="toolbar">
      <input type="search" placeholder="Filter by operation, path, key, query, status, p0" aria-label="Filter" value=${text} onInput=${e => setText(e.target.value)} />
      <select aria-label="Which requests" value=${which} onChange=${e => setWhich(e.target.value)}>
        <option value="all">all requests</option><option value="errors">errors</option><option value="429">429s</option><option value="faults">faulted</option></select>
      <span class="grow"></span>
      <span class=${'state' + (paused || error ? ' lost' : '')} role="status">${paused ? 'paused' : error ? 'not reached' : 'live'}</span>
      <button aria-pressed=${paused} onClick=${() => pause(!paused)}>${paused ? 'Resume' : 'Pause'}</button>
      <button onClick=${clear}>Clear</button>
    </div>
    <${Problem} error=${error} />
    ${left > 0 && html`<p class="note">${plural(left, 'request')} before or between these ${left === 1 ? 'is' : 'are'} not shown.</p>`}
    ${!lines.length ? html`<${Empty}>No requests yet. Requests of clients appear here; requests of this page do not.</>` : html`
    <div class="scroll" tabindex="0" role="region" aria-label="Requests"><table class="journal">
      <thead><tr><th>Time</th><th>Operation</th><th class="n">Status</th><th class="n">RU</th><th class="n spare">ms</th><th><span class="spare">Partition</span><span class="short">Part.</span></th><th>Key</th><th>What</th></tr></thead>
      <tbody>${shown.slice(0, drawn).map(l => html`<tr key=${l.number} class=${l.status >= 400 || !l.status ? 'failed' : ''}>
        <td class="time">${new Date(l.time).toISOString().slice(11, 23)}</td>
        <td>${l.operation || l.method}</td>
        <td class="n"><span class=${'status s' + String(l.status)[0]}>${l.status || 'dropped'}${l.substatus ? '/' + l.substatus : ''}</span>${l.faulted ? html` <abbr title="a fault acted on it">⚡</abbr>` : ''}</td>
        <td class="n">${charge(l.charge)}</td><td class="n spare">${l.ms.toFixed(1)}</td>
        <td>${l.range}${l.region && html` <small>${l.region}</small>`}</td><td class="clip" title=${l.key}>${l.key && keyText(l.key)}</td>
        <td class="clip wide" title=${l.query || l.path}>${l.query ? html`<code>${l.query}</code>` : l.path}</td>
      </tr>`)}</tbody></table></div>
      <p class="note">${count(Math.min(shown.length, drawn))} of ${count(shown.length)} shown, ${count(lines.length)} kept.</p>`}`;
}
