import { call, get, rest } from './api.js';
import { Problem, Sure, count, html, percent, useState } from './parts.js';
import { Regions } from './regions.js';

// Kinds of faults, as a client sees them.
const kinds = [
  { name: 'Throttled', text: '429: request units are spent', status: 429, substatus: 3200 },
  { name: 'Unavailable', text: '503: the service is unavailable', status: 503 },
  { name: 'Timed out', text: '408: the request took too long', status: 408 },
  { name: 'Retry with', text: '449: concurrent writes collided', status: 449 },
  { name: 'Partition gone', text: '410/1002: the partition was split', status: 410, substatus: 1002 },
  { name: 'Server error', text: '500', status: 500 },
  { name: 'Lost answer', text: '503 after the write took effect', status: 503, after: true },
  { name: 'Dropped', text: 'the connection is closed', drop: true },
  { name: 'Slow', text: 'the answer comes late', delayMs: 500 },
];

const operations = ['', 'CreateItem', 'UpsertItem', 'ReadItem', 'ReplaceItem', 'PatchItem', 'DeleteItem', 'QueryItems', 'ReadItems', 'ExecuteBatch', 'ReadChangeFeed', 'ReadPartitionKeyRanges'];

// ahead is a number of seconds as days, hours and minutes.
const ahead = seconds => [[Math.floor(seconds / 86400), 'd'], [Math.floor(seconds / 3600) % 24, 'h'], [Math.floor(seconds / 60) % 60, 'min']].filter(([n]) => n).map(([n, unit]) => n + ' ' + unit).join(' ') || seconds + ' s';

const sameKind = (k, f) => (k.status || 0) === f.status && (k.substatus || 0) === f.substatus && !!k.drop === f.drop && !!k.after === f.after && !!k.delayMs === f.delayMs > 0;

// Faults switches faults on and off, lets time pass, and sets latency, budgets and throughput.
export function Faults({ account, refresh }) {
  const [error, setError] = useState(null);
  const [share, setShare] = useState(20);
  const [delay, setDelay] = useState(500);
  const [operation, setOperation] = useState('');
  const [path, setPath] = useState('');
  const [region, setRegion] = useState('');
  const act = promise => promise.then(() => { setError(null); refresh(); }, setError);
  const on = k => act(call('POST', 'faults', { ...k, name: undefined, text: undefined, share: share / 100, operation, path, region, delayMs: k.delayMs ? +delay : 0 }));
  const off = f => act(call('DELETE', 'faults?id=' + f.id));
  const set = change => act(call('PUT', 'settings', { ...account.settings, ...change }));
  const containers = [...new Set(account.databases.flatMap(d => d.containers.map(c => c.id)))];
  const others = account.faults.filter(f => !kinds.some(k => sameKind(k, f)));
  return html`
    <header class="title"><h1>Faults</h1></header>
    <${Problem} error=${error} />
    <section><h2 class="row"><span>What goes wrong</span> <small>for clients, not for this page</small></h2>
      <div class="toolbar filters">
        <label class="inline">Share of requests <span><input type="range" min="1" max="100" value=${share} onInput=${e => setShare(+e.target.value)} /> <output>${share} %</output></span></label>
        <label class="inline">Operation <select value=${operation} onChange=${e => setOperation(e.target.value)}>${operations.map(o => html`<option value=${o}>${o || 'all'}</option>`)}</select></label>
        <label class="inline">Container <select value=${path} onChange=${e => setPath(e.target.value)}><option value="">all</option>${containers.map(c => html`<option value=${'/colls/' + encodeURIComponent(c)}>${c}</option>`)}</select></label>
        ${account.regions.length > 0 && html`<label class="inline">Region <select value=${region} onChange=${e => setRegion(e.target.value)}><option value="">all</option>${account.regions.map(r => html`<option value=${r.name}>${r.name}</option>`)}</select></label>`}
        <label class="inline">Delay <span><input type="number" min="1" max="600000" value=${delay} onInput=${e => setDelay(e.target.value)} /> ms</span></label>
      </div>
      <ul class="switches">${kinds.map(k => {
        const active = account.faults.filter(f => sameKind(k, f));
        const toggle = () => active.length ? Promise.all(active.map(off)) : on(k);
        return html`<li><label><input type="checkbox" role="switch" checked=${active.length > 0} onChange=${toggle} />
          <span><b>${k.name}</b><small>${k.text}</small>
          ${active.map(f => html`<small class="on">${percent(f.share)} of ${f.operation || 'all requests'}${f.path ? ' at ' + f.path : ''}${f.region ? ' in ' + f.region : ''}${f.delayMs ? ', ' + f.delayMs + ' ms' : ''}</small>`)}</span></label></li>`;
      })}</ul>
      ${others.length > 0 && html`<h3>Others</h3><ul class="plain">${others.map(f => html`<li>${f.status || (f.drop ? 'dropped' : 'changed')} for ${percent(f.share)} of ${f.operation || 'all requests'} <button class="quiet" onClick=${() => off(f)}>Switch off</button></li>`)}</ul>`}
    </section>
    ${account.regions.length > 0 && html`<${Regions} regions=${account.regions} act=${act} />`}
    <section><h2 class="row"><span>Latency</span></h2>
      <form class="toolbar" onSubmit=${e => { e.preventDefault(); set({ latencyMs: +new FormData(e.target).get('latency') }); }}>
        <label class="inline">Every request takes at least <input name="latency" type="number" min="0" max="600000" defaultValue=${account.settings.latencyMs} /> ms</label><button>Set</button></form></section>
    <section><h2 class="row"><span>Clock</span></h2>
      <p>The account has <time>${new Date(account.clock.now * 1000).toISOString().slice(0, 16).replace('T', ' ')}</time> UTC${account.clock.ahead > 0 && html`, <b>${ahead(account.clock.ahead)}</b> ahead of this machine`}. Time passes for all clients, and cannot be turned back.</p>
      <form class="toolbar" onSubmit=${e => { e.preventDefault(); act(call('POST', 'clock', { seconds: +e.submitter.value })); }}>
        <button value="3600">Let an hour pass</button><button value="86400">Let a day pass</button></form></section>
    <section><h2 class="row"><span>Throughput budgets</span></h2>
      <p><label class="inline"><input type="checkbox" role="switch" checked=${account.settings.budgets} onChange=${e => set({ budgets: e.target.checked })} /> Refuse requests with 429 when a physical partition has spent its share for the second</label></p>
      <div class="scroll"><table class="fit"><thead><tr><th>Of</th><th>Throughput</th><th class="n spare">Each partition</th></tr></thead><tbody>
        ${account.databases.flatMap(d => [d.offer && { name: d.id, offer: d.offer }, ...d.containers.map(c => c.offer && { name: d.id + ' / ' + c.id, offer: c.offer, partitions: c.partitions })]).filter(Boolean).map(o => html`
          <tr key=${o.offer.id}><th scope="row">${o.name}</th><td><${Offer} ...${o} act=${act} /></td>
          <td class="n spare">${o.partitions ? count((o.offer.autoscale || o.offer.manual) / o.partitions) + ' RU/s' : '–'}</td></tr>`)}
      </tbody></table></div></section>`;
}

// Offer changes throughput through the account's protocol.
function Offer({ offer, name, act }) {
  const value = offer.autoscale || offer.manual;
  const submit = async e => {
    e.preventDefault();
    const n = +new FormData(e.target).get('ru');
    act((async () => {
      const { body } = await rest('GET', 'rest/offers/' + offer.id);
      body.content = offer.autoscale ? { offerAutopilotSettings: { maxThroughput: n } } : { offerThroughput: n };
      await rest('PUT', 'rest/offers/' + offer.id, { body });
    })());
  };
  return html`<form class="inline" onSubmit=${submit}><input name="ru" type="number" aria-label=${'Throughput of ' + name} min=${offer.least} step=${offer.autoscale ? 1000 : 100} key=${value} defaultValue=${value} /> RU/s${offer.autoscale ? ' at most' : ''} <button>Set</button></form>`;
}
