import { call, get } from './api.js';
import { HeatMap, Spark } from './heatmap.js';
import { Bar, Empty, Problem, Segmented, bytes, charge, count, html, keyText, percent, plural, usePolled, useState } from './parts.js';

const measures = [['charge', 'RU/s'], ['requests', 'Requests'], ['throttled', '429s']];

const sum = (list, of) => list.reduce((n, x) => n + of(x), 0);

// Partitions shows the physical partitions of a container, and what they serve.
export function Partitions({ db, container, account, refresh }) {
  const c = container.id;
  const [state, error, again] = usePolled(() => get('container', { db, c }), 1000, [db, c]);
  const [measure, setMeasure] = useState('charge');
  const [failure, setFailure] = useState(null);
  const [marked, setMarked] = useState([]);
  if (!state) return error ? html`<${Problem} error=${error} />` : html`<${Empty}>Reading the partitions…</>`;
  const act = (path, body) => call('POST', path, { db, c, ...body }).then(() => { setFailure(null); setMarked([]); again(); refresh(); }, setFailure);
  const list = state.partitions;
  const rate = p => sum(p.seconds.slice(-11, -1), s => s.charge) / 10;
  const all = sum(list, rate), most = Math.max(1, ...list.flatMap(p => p.seconds.slice(-60).map(s => s.charge)));
  const total = sum(list, p => p.bytes);
  const throttled = sum(list, p => sum(p.seconds.slice(-60), s => s.throttled));
  const mark = id => setMarked(marked.includes(id) ? marked.filter(x => x !== id) : [...marked, id]);
  return html`
    <${Problem} error=${error || failure} />
    <div class="numbers">
      <div><b>${list.length}</b><span>physical ${list.length === 1 ? 'partition' : 'partitions'}</span></div>
      <div><b>${count(sum(list, p => p.logical))}</b><span>logical partitions</span></div>
      <div><b>${bytes(total)}</b><span>stored</span></div>
      <div><b>${charge(all)}</b><span>RU/s, 10 s average</span></div>
      <div class=${throttled ? 'alarm' : ''}><b>${count(throttled)}</b><span>429s in the last minute</span></div>
    </div>
    <section aria-labelledby="heat"><h2 class="row"><span id="heat">Load by physical partition</span>
      <${Segmented} label="Measure" value=${measure} options=${measures} set=${setMeasure} /></h2>
      <${HeatMap} state=${state} measure=${measure} />
    </section>
    <div class="split">
    <section aria-labelledby="ranges"><h2 class="row"><span id="ranges">Physical partitions</span>
      <small>${state.rate ? charge(state.rate) + ' RU/s each' : 'no budgets: nothing is refused'}</small>
      ${account.canMerge && html`<button disabled=${marked.length < 2} onClick=${() => act('merge', { ranges: marked })}>Merge marked</button>`}</h2>
      <div class="scroll"><table>
        <thead><tr>${account.canMerge && html`<th><span class="unseen">Mark</span></th>`}<th>Id</th><th class="spare">Range of effective keys</th><th class="n"><span class="spare">Documents</span><span class="short">Docs</span></th><th class="n">Keys</th><th class="n">Bytes</th><th class="n">RU/s</th><th class="trend">Last minute</th><th class="n">429s</th><th><span class="unseen">Actions</span></th></tr></thead>
        <tbody>${list.map(p => {
          const refused = sum(p.seconds.slice(-60), s => s.throttled);
          return html`<tr key=${p.id}>
            ${account.canMerge && html`<td><input type="checkbox" aria-label=${'Mark partition ' + p.id} checked=${marked.includes(p.id)} onChange=${() => mark(p.id)} /></td>`}
            <th scope="row">${p.id}</th>
            <td class="range spare" title=${`from ${p.min || 'the beginning'} up to ${p.max}${p.parents?.length ? '; split from ' + p.parents.join(', ') : ''}`}><code>${(p.min || '0').slice(0, 6)}…${p.max.slice(0, 6)}</code> <small>${percent(p.width)}</small></td>
            <td class="n">${count(p.documents)}</td><td class="n">${count(p.logical)}</td><td class="n">${bytes(p.bytes)}</td>
            <td class="n">${charge(rate(p))}</td><td class="trend"><${Spark} seconds=${p.seconds} most=${most} /></td>
            <td class=${'n' + (refused ? ' bad' : '')}>${count(refused)}</td>
            <td class="n"><button class="quiet" aria-label=${'Split partition ' + p.id} onClick=${() => act('split', { range: p.id })}>Split</button></td>
          </tr>`;
        })}</tbody></table></div>
    </section>
    <section aria-labelledby="hot"><h2 class="row"><span id="hot">Hottest logical partitions</span> <small>last minute</small></h2>
      ${state.hottest.length ? html`<ol class="hottest">${state.hottest.map(k => html`<li key=${k.key}>
        <div><a href=${'#/c/' + [db, c, 'documents', k.key].map(encodeURIComponent).join('/')} title=${k.key}>${keyText(k.key)}</a><b>${percent(k.charge / (state.minuteCharge || 1))}</b></div>
        <${Bar} share=${k.charge / (state.minuteCharge || 1)} hot=${k.throttled > 0} />
        <small>${charge(k.charge)} RU, ${plural(k.requests, 'request')}, partition ${k.range}${k.throttled ? html`, <em>${count(k.throttled)} × 429</em>` : ''}</small>
      </li>`)}</ol>` : html`<p class="empty small">No request with a partition key within the last minute.</p>`}
    </section></div>`;
}
