import { call, feed, link, rest } from './api.js';
import { Dialog, Empty, FileButton, Problem, Sure, count, html, plural, throughput, useState } from './parts.js';

// Containers shows the account as a table. It creates and deletes databases and containers.
export function Containers({ account, refresh, to }) {
  const [creating, create] = useState(false);
  const [error, setError] = useState(null);
  const [told, tell] = useState('');
  const load = file => call('POST', 'import', file).then(r => { setError(null); tell(`The container ${r.c} of ${r.db} is created, with ${plural(r.stored, 'document')}.`); refresh(); }, setError);
  const remove = path => rest('DELETE', path).then(() => { setError(null); tell(''); refresh(); }, setError);
  return html`
    <header class="title"><h1>Containers</h1>
      <div class="actions"><${FileButton} label="File with a new container" load=${load}>Import<span class="spare"> NDJSON</span></><button class="primary" onClick=${() => create(true)}>New container</button></div></header>
    <${Problem} error=${error} /><p class="told" role="status">${told}</p>
    ${!account.databases.length && html`<${Empty}>The account has no databases yet. Create a container here, import one from a file, or run your program: everything that it creates appears at once.</>`}
    ${account.databases.map(d => html`<section>
      <h2 class="row"><span>${d.id}</span> <small>${d.offer ? throughput(d.offer) + ', shared' : ''}</small>
        <${Sure} label=${'Delete database ' + d.id} act=${() => remove(link(d.id))}>Delete</></h2>
      ${d.containers.length ? html`<div class="scroll"><table>
        <thead><tr><th>Container</th><th>Partition key</th><th class="spare">Kind</th><th class="n spare">Throughput</th><th class="n spare">Physical partitions</th><th class="n"><span class="spare">Documents</span><span class="short">Docs</span></th><th class="n spare">TTL</th><th><span class="unseen">Actions</span></th></tr></thead>
        <tbody>${d.containers.map(c => html`<tr>
          <th scope="row"><a href=${to('c', d.id, c.id, 'partitions')}>${c.id}</a>${c.index && html` <small>index of ${c.index.source}${c.index.status === 'Active' ? '' : ', ' + c.index.status}</small>`}</th>
          <td>${c.key.paths.map(p => html`<code>${p}</code> `)}</td><td class="spare">${c.key.kind} v${c.key.version || 1}</td>
          <td class="n spare">${throughput(c.offer, d.offer)}</td><td class="n spare">${c.partitions}</td><td class="n">${count(c.documents)}</td>
          <td class="n spare">${c.ttl === 0 ? 'off' : c.ttl < 0 ? 'by item' : count(c.ttl) + ' s'}</td>
          <td class="n"><${Sure} label=${'Delete container ' + c.id} act=${() => remove(link(d.id, c.id))}>Delete</></td>
        </tr>`)}</tbody></table></div>` : html`<p class="empty small">No containers.</p>`}
    </section>`)}
    ${creating && html`<${NewContainer} account=${account} close=${() => { create(false); refresh(); }} />`}`;
}

function NewContainer({ account, close }) {
  const [error, setError] = useState(null);
  const submit = async e => {
    e.preventDefault();
    const f = Object.fromEntries(new FormData(e.target));
    const paths = f.paths.split(',').map(p => p.trim()).filter(Boolean);
    try {
      if (!account.databases.some(d => d.id === f.db)) await rest('POST', feed(), { body: { id: f.db } });
      await rest('POST', feed(f.db), {
        body: { id: f.id, partitionKey: { paths, kind: paths.length > 1 ? 'MultiHash' : 'Hash', version: 2 } },
        headers: f.ru ? { 'x-ms-offer-throughput': f.ru } : {},
      });
      close();
    } catch (err) { setError(err); }
  };
  return html`<${Dialog} title="New container" close=${close}><form onSubmit=${submit}>
    <label>Database <input name="db" required list="databases" defaultValue=${account.databases[0]?.id || ''} autocomplete="off" /></label>
    <datalist id="databases">${account.databases.map(d => html`<option value=${d.id} />`)}</datalist>
    <label>Container <input name="id" required autocomplete="off" /></label>
    <label>Partition key <input name="paths" required placeholder="/tenant, /user" autocomplete="off" /><small>one path, or up to three with commas for a hierarchical key</small></label>
    <label>Throughput in RU/s <input name="ru" type="number" min="400" step="100" placeholder="400" /><small>one physical partition for every 10,000 or part of it</small></label>
    <${Problem} error=${error} />
    <p class="actions"><button class="primary">Create</button></p>
  </form></>`;
}
