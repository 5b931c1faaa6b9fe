import { call, get } from './api.js';
import { Bar, Problem, Segmented, charge, count, html, percent, usePolled, useState } from './parts.js';

const remembered = (name, otherwise) => sessionStorage[name] ?? otherwise;

// Query is the query box and the result of the last query.
export function Query({ db, container }) {
  const c = container.id, id = 'query ' + db + '/' + c;
  const [text, setText] = useState(remembered(id, 'SELECT * FROM c'));
  const [parameters, setParameters] = useState('');
  const [scope, setScope] = useState('all');
  const [key, setKey] = useState('');
  const [range, setRange] = useState('');
  const [ranges] = usePolled(() => get('container', { db, c }).then(s => s.partitions.map(p => p.id)), 5000, [db, c]);
  const [result, setResult] = useState(null);
  const [error, setError] = useState(null);
  const [running, setRunning] = useState(false);
  const [form, setForm] = useState('table');

  const run = async e => {
    e?.preventDefault();
    if (running) return;
    sessionStorage[id] = text;
    setRunning(true);
    try {
      const named = parameters.trim() ? Object.entries(JSON.parse(parameters)).map(([name, value]) => ({ name: name.startsWith('@') ? name : '@' + name, value })) : undefined;
      setResult(await call('POST', 'query', {
        db, c, query: text, parameters: named,
        key: scope === 'key' ? asKey(key) : '', range: scope === 'range' ? range || ranges?.[0] : '',
      }));
      setError(null);
    } catch (err) { setError(err); }
    setRunning(false);
  };
  const keys = e => (e.ctrlKey || e.metaKey) && e.key === 'Enter' && run(e);
  return html`<form class="query" onSubmit=${run}>
    <label class="sql"><span>Query</span><textarea class="code" rows="5" spellcheck="false" value=${text} onInput=${e => setText(e.target.value)} onKeyDown=${keys}></textarea></label>
    <label><span>Parameters</span><textarea class="code" rows="5" spellcheck="false" placeholder='{"@id": "1"}' value=${parameters} onInput=${e => setParameters(e.target.value)} onKeyDown=${keys}></textarea></label>
    <div class="toolbar">
      <${Segmented} label="Scope" value=${scope} set=${setScope} options=${[['all', 'All partitions'], ['key', 'One key'], ['range', 'One physical partition']]} />
      ${scope === 'key' && html`<input class="code" aria-label="Partition key" placeholder=${container.key.paths.length > 1 ? '["a", "b"]' : 'value or ["value"]'} value=${key} onInput=${e => setKey(e.target.value)} required />`}
      ${scope === 'range' && html`<select aria-label="Physical partition" value=${range || ranges?.[0]} onChange=${e => setRange(e.target.value)}>${ranges?.map(r => html`<option>${r}</option>`)}</select>`}
      <span class="grow"></span><button class="primary" disabled=${running}>${running ? 'Running…' : 'Run'} <kbd>Ctrl ⏎</kbd></button>
    </div></form>
    <${Problem} error=${error} />
    ${result && html`<${Result} result=${result} form=${form} setForm=${setForm} />`}`;
}

// asKey reads the user's text as a partition key: JSON, or the value of one level.
function asKey(text) {
  try {
    const v = JSON.parse(text);
    return JSON.stringify(Array.isArray(v) ? v : [v]);
  } catch { return JSON.stringify([text]); }
}

function Result({ result, form, setForm }) {
  const byRange = new Map();
  for (const r of result.requests) {
    const at = byRange.get(r.range) || { requests: 0, rows: 0, charge: 0, ms: 0 };
    byRange.set(r.range, { requests: at.requests + 1, rows: at.rows + r.rows, charge: at.charge + r.charge, ms: at.ms + r.ms });
  }
  return html`
    <div class="numbers" role="status">
      <div><b>${count(result.rows.length)}${result.more ? '+' : ''}</b><span>rows</span></div>
      <div><b>${count(result.requests.length)}</b><span>requests</span></div>
      <div><b>${charge(result.charge)}</b><span>RU</span></div>
      <div><b>${result.ms.toFixed(1)}</b><span>ms</span></div>
    </div>
    ${result.combined && html`<p class="note">The gateway does not combine this query over physical partitions. The explorer read all documents and combined them itself; the charge is for reading them.</p>`}
    ${result.more && html`<p class="note">More rows follow: the page shows the first ${count(result.rows.length)}.</p>`}
    <section><h2 class="row"><span>Charge by physical partition</span></h2><div class="scroll"><table class="fit">
      <thead><tr><th>Partition</th><th class="n">Pages</th><th class="n">Rows</th><th class="n">RU</th><th>Share</th><th class="n spare">ms</th></tr></thead>
      <tbody>${[...byRange].map(([id, r]) => html`<tr><th scope="row">${id || '–'}</th><td class="n">${r.requests}</td><td class="n">${count(r.rows)}</td><td class="n">${charge(r.charge)}</td>
        <td><span class="share"><${Bar} share=${r.charge / (result.charge || 1)} /> ${percent(r.charge / (result.charge || 1))}</span></td><td class="n spare">${r.ms.toFixed(1)}</td></tr>`)}</tbody></table></div></section>
    <section><h2 class="row"><span>Results</span><${Segmented} label="Form of results" value=${form} set=${setForm} options=${[['table', 'Table'], ['json', 'JSON']]} /></h2>
      ${form === 'json' ? html`<pre class="code results" tabindex="0">${JSON.stringify(result.rows, null, 2)}</pre>` : html`<${Rows} rows=${result.rows} />`}</section>`;
}

const system = ['_rid', '_self', '_etag', '_attachments', '_ts'];

// Rows is a table with a column for each property, and one for rows that are not objects.
function Rows({ rows }) {
  const columns = [...new Set(rows.slice(0, 200).flatMap(r => r && typeof r === 'object' && !Array.isArray(r) ? Object.keys(r) : ['']))].filter(n => !system.includes(n)).slice(0, 40);
  if (!rows.length) return html`<p class="empty small">No rows.</p>`;
  const text = v => v === undefined ? '' : typeof v === 'string' ? v : JSON.stringify(v);
  return html`<div class="scroll results" tabindex="0" role="region" aria-label="Rows"><table class="rows"><thead><tr><th class="n">#</th>${columns.map(n => html`<th class=${typeof (n === '' ? rows[0] : rows[0]?.[n]) === 'number' ? 'n' : ''}>${n || 'value'}</th>`)}</tr></thead>
    <tbody>${rows.slice(0, 500).map((r, i) => html`<tr><td class="n">${i + 1}</td>${columns.map(n => {
      const v = n === '' ? (r && typeof r === 'object' && !Array.isArray(r) ? undefined : r) : r?.[n];
      return html`<td class=${typeof v === 'number' ? 'n' : ''} title=${text(v)}>${text(v)}</td>`;
    })}</tr>`)}</tbody></table>${rows.length > 500 && html`<p class="note">The table has the first 500 rows; JSON has all.</p>`}</div>`;
}
