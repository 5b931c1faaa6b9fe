import { call, get, link, rest } from './api.js';
import { Containers } from './containers.js';
import { Documents } from './documents.js';
import { Faults } from './faults.js';
import { Journal } from './journal.js';
import { Empty, Problem, charge, count, html, render, throughput, useEffect, usePolled, useState } from './parts.js';
import { Partitions } from './partitions.js';
import { Query } from './query.js';

const views = [['partitions', 'Partitions', Partitions], ['documents', 'Documents', Documents], ['query', 'Query', Query]];

const here = () => location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
const to = (...parts) => '#/' + parts.map(encodeURIComponent).join('/');

function useRoute() {
  const [route, setRoute] = useState(here());
  useEffect(() => {
    const changed = () => setRoute(here());
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return route;
}

// Theme switches between the system's look and the other one.
function Theme() {
  const dark = () => (localStorage.theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  const [isDark, set] = useState(dark());
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const changed = () => set(dark());
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, []);
  useEffect(() => { document.documentElement.dataset.theme = isDark ? 'dark' : 'light'; }, [isDark]);
  return html`<button class="quiet theme" aria-pressed=${isDark} aria-label="Dark look" title="Dark look"
    onClick=${() => { localStorage.theme = isDark ? 'light' : 'dark'; set(!isDark); }}>${isDark ? '☀' : '☾'}</button>`;
}

function Navigation({ account, route, close }) {
  const at = (...parts) => parts.every((p, i) => route[i] === p) ? 'page' : null;
  const item = (parts, text, extra) => html`<li><a href=${to(...parts)} aria-current=${at(...parts.slice(0, 3))} onClick=${close}>
    <span>${text}</span>${extra !== undefined && html`<small>${extra}</small>`}</a></li>`;
  const acting = account.faults.length;
  return html`<nav aria-label="Account">
    <ul>
      <li><a href="#/" aria-current=${route[0] === '' ? 'page' : null} onClick=${close}><span>Containers</span></a></li>
      ${item(['journal'], 'Journal')}
      ${item(['faults'], 'Faults', acting ? html`<b class="badge">${acting}</b>` : undefined)}
    </ul>
    ${account.databases.map(d => html`<h2>${d.id}</h2><ul>
      ${d.containers.map(c => item(['c', d.id, c.id, route[0] === 'c' && route[3] || 'partitions'], c.id, count(c.documents)))}
      ${!d.containers.length && html`<li class="none">no containers</li>`}
    </ul>`)}
  </nav>`;
}

function Container({ account, route, refresh }) {
  const [, db, c, view = 'partitions'] = route;
  const database = account.databases.find(d => d.id === db);
  const container = database?.containers.find(x => x.id === c);
  if (!container) return html`<${Empty}>There is no container ${c} in ${db}. <a href="#/">See all containers</a></>`;
  const [, , View] = views.find(([name]) => name === view) || views[0];
  return html`
    <header class="title">
      <div><p class="crumb">${db}</p><h1>${c}</h1></div>
      <dl class="facts">
        <div><dt>Partition key</dt><dd>${container.key.paths.map(p => html`<code>${p}</code>`)}</dd></div>
        <div><dt>Kind</dt><dd>${container.key.kind} v${container.key.version || 1}</dd></div>
        <div><dt>Throughput</dt><dd><a href=${to('faults')}>${throughput(container.offer, database.offer)}</a></dd></div>
        <div><dt>Documents</dt><dd>${count(container.documents)}</dd></div>
        ${container.index && html`
          <div><dt>Index of</dt><dd><a href=${to('c', db, container.index.source, view)}>${container.index.source}</a></dd></div>
          <div><dt>Definition</dt><dd><code>${container.index.definition}</code></dd></div>
          <div><dt>Status</dt><dd>${container.index.status}</dd></div>
          <div><dt>Charge of entries</dt><dd>${charge(container.index.charge)} RU</dd></div>`}
      </dl>
      <nav class="tabs" aria-label=${'Views of ' + c}>
        ${views.map(([name, text]) => html`<a href=${to('c', db, c, name)} aria-current=${name === view ? 'page' : null}>${text}</a>`)}
      </nav>
    </header>
    <${View} key=${db + '/' + c} db=${db} container=${container} account=${account} refresh=${refresh} />`;
}

function App() {
  const [account, error, refresh] = usePolled(() => get('account'), 2000, []);
  const route = useRoute();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    document.title = (route[0] === 'c' ? route[2] : route[0] === 'journal' ? 'Journal' : route[0] === 'faults' ? 'Faults' : 'Containers') + ' – pkgen-emulator';
  }, [route.join('/')]);
  const body = () => {
    if (!account) return error ? null : html`<${Empty}>Reading the account…</>`;
    switch (route[0]) {
      case 'c': return html`<${Container} account=${account} route=${route} refresh=${refresh} />`;
      case 'journal': return html`<${Journal} />`;
      case 'faults': return html`<${Faults} account=${account} refresh=${refresh} />`;
      default: return html`<${Containers} account=${account} refresh=${refresh} to=${to} />`;
    }
  };
  return html`
    <a class="skip" href="#main" onClick=${e => { e.preventDefault(); document.getElementById('main').focus(); }}>Skip to the content</a>
    <header class="top">
      <button class="quiet menu" aria-expanded=${open} aria-controls="side" aria-label="Menu" onClick=${() => setOpen(!open)}>☰</button>
      <a class="brand" href="#/"><img src="page/icon.svg" alt="" width="20" height="20" /><span>pkgen-emulator</span></a>
      <span class=${'state' + (error ? ' lost' : '')} role="status">${error ? 'not reached' : account ? 'live' : ''}</span>
      <${Theme} />
    </header>
    <div class=${'side' + (open ? ' open' : '')} id="side" onKeyDown=${e => e.key === 'Escape' && setOpen(false)}>
      ${account && html`<${Navigation} account=${account} route=${route} close=${() => setOpen(false)} />`}
    </div>
    <main id="main" tabindex="-1"><${Problem} error=${error && { message: error.status === 401 ? error.message : 'The emulator does not answer: ' + error.message }} />${body()}</main>`;
}

render(html`<${App} />`, document.body);
