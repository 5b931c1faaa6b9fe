import { download, feed, get, link, rest, call } from './api.js';
import { FileButton, Problem, Sure, bytes, count, html, keyText, plural, useEffect, usePolled, useRef, useState } from './parts.js';

const hidden = ['_rid', '_self', '_etag', '_attachments', '_ts'];

// namesOf are the names of the properties on a path such as /address/"zip code".
const namesOf = path => [...path.matchAll(/\/(?:"([^"]*)"|([^/]*))/g)].map(([, quoted, plain]) => quoted ?? plain);

// keyOf is the partition key of a document, read from its properties, as JSON.
const keyOf = (doc, paths) => JSON.stringify(paths.map(path => {
  const v = namesOf(path).reduce((at, name) => at?.[name], doc);
  return v === undefined ? {} : v;
}));

const shown = doc => JSON.stringify(Object.fromEntries(Object.entries(doc).filter(([name]) => !hidden.includes(name))), null, 2);

// Documents shows logical partitions, the documents of one, and one document to edit.
export function Documents({ db, container, refresh }) {
  const c = container.id;
  const asked = decodeURIComponent(location.hash.split('/')[5] || '');
  const [text, setText] = useState('');
  const [key, setKey] = useState(asked || null);
  const [open, setOpen] = useState(null); // { doc, fresh }
  const [page, setPage] = useState({ docs: [], next: null });
  const [error, setError] = useState(null); // of the user's last action
  const [listError, setListError] = useState(null);
  const [told, tell] = useState('');
  const [version, setVersion] = useState(0);
  const [keys, keysError, again] = usePolled(() => get('keys', { db, c, text }), 4000, [db, c, text]);

  const lists = useRef(0);
  const list = async next => {
    const mine = ++lists.current;
    try {
      const headers = { 'x-ms-max-item-count': '50' }, docs = [];
      let from = next;
      do { // a physical partition without documents gives an empty page
        if (from) headers['x-ms-continuation'] = from;
        const a = await rest('GET', feed(db, c), { key: key ?? undefined, headers });
        docs.push(...a.body.Documents);
        from = a.headers.get('x-ms-continuation');
      } while (!docs.length && from);
      if (mine !== lists.current) return; // a newer list was requested meanwhile
      setPage(p => ({ docs: next ? [...p.docs, ...docs] : docs, next: from }));
      setListError(null);
    } catch (e) { setListError(e); }
  };
  useEffect(() => { setPage({ docs: [], next: null }); list(); }, [key, version]);

  const changed = message => { tell(message); setError(null); setOpen(null); setVersion(v => v + 1); again(); refresh(); };
  const load = async chosen => {
    try {
      const r = await call('POST', `import?${new URLSearchParams({ db, c })}`, chosen);
      changed(`${plural(r.stored, 'document')} stored.`);
      setError(r.failed ? { message: `${plural(r.failed, 'line')} refused. ` + r.failures.map(f => `Line ${f.line}: ${f.message}`).join(' ') } : null);
    } catch (err) { setError(err); }
  };
  const save = async () => {
    try {
      const url = URL.createObjectURL(await download('export', { db, c }));
      const a = Object.assign(document.createElement('a'), { href: url, download: c + '.ndjson' });
      a.click();
      setTimeout(() => URL.revokeObjectURL(url), 10000);
      setError(null);
      tell('The export is saved as ' + a.download + '.');
    } catch (err) { setError(err); }
  };
  const blank = () => {
    const doc = { id: crypto.randomUUID() };
    const values = key ? JSON.parse(key) : [];
    container.key.paths.forEach((path, i) => {
      const names = namesOf(path);
      let at = doc;
      for (const name of names.slice(0, -1)) at = at[name] ??= {};
      if (!(names.at(-1) in at)) at[names.at(-1)] = values[i] && typeof values[i] === 'object' ? undefined : values[i] ?? '';
    });
    setOpen({ doc, fresh: true });
  };

  return html`
    <div class="toolbar documents">
      <input type="search" placeholder="Find a partition key" aria-label="Find a partition key" value=${text} onInput=${e => setText(e.target.value)} />
      <span class="grow"></span>
      ${container.index ? html`<small>read-only: write to ${container.index.source}</small>` : html`
        <button class="primary" onClick=${blank}>New document</button>
        <${FileButton} label="File to import" load=${load}>Import<span class="spare"> NDJSON</span></>`}
      <button onClick=${save}>Export<span class="spare"> NDJSON</span></button>
    </div>
    <${Problem} error=${keysError || listError || error} /><p class="told" role="status">${told}</p>
    <div class="panes">
      <section aria-labelledby="logical"><h2 class="row"><span id="logical">Logical partitions</span> <small>${keys ? count(keys.all) : ''}</small></h2>
        <ul class="list">
          <li><button class="entry" aria-pressed=${key === null} onClick=${() => setKey(null)}><span>All documents</span><small>${count(container.documents)}</small></button></li>
          ${keys?.keys.map(k => html`<li key=${k.key}><button class="entry" aria-pressed=${key === k.key} title=${k.key} onClick=${() => setKey(k.key)}>
            <span>${keyText(k.key)}</span><small>${count(k.documents)} · ${bytes(k.bytes)} · p${k.range}</small></button></li>`)}
          ${keys && keys.all > keys.keys.length && html`<li class="none">The largest ${keys.keys.length} of ${count(keys.all)}; find others by text.</li>`}
        </ul></section>
      <section aria-labelledby="docs"><h2 class="row"><span id="docs">${key === null ? 'All documents' : keyText(key)}</span></h2>
        <ul class="list">
          ${page.docs.map(d => html`<li key=${d._rid}><button class="entry" aria-pressed=${open?.doc._rid === d._rid} onClick=${() => setOpen({ doc: d })}>
            <span>${d.id}</span><small>${preview(d)}</small></button></li>`)}
          ${!page.docs.length && html`<li class="none">No documents.</li>`}
        </ul>
        ${page.next && html`<button class="more" onClick=${() => list(page.next)}>Show more</button>`}</section>
      <section class="editing" aria-label="Document">
        ${open ? html`<${Editor} key=${open.doc._etag || open.doc.id} ...${open} db=${db} container=${container} changed=${changed} close=${() => setOpen(null)} />`
          : html`<p class="empty small">Choose a document to read and edit it.</p>`}</section>
    </div>`;
}

const preview = d => JSON.stringify(Object.fromEntries(Object.entries(d).filter(([n]) => n !== 'id' && !hidden.includes(n)))).slice(0, 120);

function Editor({ doc, fresh, db, container, changed, close }) {
  const [text, setText] = useState(shown(doc));
  const [error, setError] = useState(null);
  const c = container.id, paths = container.key.paths;
  const key = keyOf(doc, paths);
  const act = async (message, send) => {
    try { await send(); changed(message); } catch (e) { setError(e.status === 412 ? { message: 'The document has changed since you opened it: close it and open it again.' } : e); }
  };
  const save = () => act('The document is saved.', async () => {
    const next = JSON.parse(text);
    if (fresh) await rest('POST', feed(db, c), { key: keyOf(next, paths), body: text });
    else await rest('PUT', link(db, c, doc.id), { key, body: text, headers: { 'If-Match': doc._etag } });
  });
  const keyDown = e => {
    if ((e.ctrlKey || e.metaKey) && (e.key === 's' || e.key === 'Enter')) { e.preventDefault(); save(); }
  };
  return html`
    <h2 class="row"><span>${fresh ? 'New document' : doc.id}</span><button class="quiet" aria-label="Close the document" onClick=${close}>✕</button></h2>
    <textarea class="code" spellcheck="false" aria-label="The document as JSON" rows=${Math.max(10, Math.min(26, text.split('\n').length + 1))} value=${text} onInput=${e => setText(e.target.value)} onKeyDown=${keyDown}></textarea>
    <${Problem} error=${error} />
    ${!container.index && html`<p class="actions"><button class="primary" onClick=${save}>Save</button>
      ${!fresh && html`<${Sure} act=${() => act('The document is deleted.', () => rest('DELETE', link(db, c, doc.id), { key, headers: { 'If-Match': doc._etag } }))}>Delete</>`}
      <small class="grow">Ctrl+S saves</small></p>`}
    ${!fresh && html`<dl class="system"><dt>key</dt><dd>${key}</dd>${['_etag', '_rid', '_ts'].map(n => html`<dt>${n}</dt><dd>${n === '_ts' ? new Date(doc._ts * 1000).toISOString() : String(doc[n]).replaceAll('"', '')}</dd>`)}</dl>`}`;
}
