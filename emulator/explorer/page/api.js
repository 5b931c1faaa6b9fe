// Requests to the server that sent the page. Each has the token of the page.
const token = document.querySelector('meta[name=explorer-token]').content;

export class Failure extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function send(method, path, { body, headers = {}, signal } = {}) {
  const answer = await fetch('api/' + path, {
    method, signal,
    headers: { 'X-Explorer-Token': token, ...headers },
    body: body === undefined || typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body),
  });
  if (answer.ok) return answer;
  let message = answer.statusText || 'status ' + answer.status;
  try { message = (await answer.json()).message || message; } catch { /* not JSON */ }
  throw new Failure(answer.status, message);
}

export const get = async (path, values = {}) => (await send('GET', path + '?' + new URLSearchParams(values))).json();
export const call = async (method, path, body) => (await send(method, path, { body })).json();
export const download = async (path, values) => (await send('GET', path + '?' + new URLSearchParams(values))).blob();

const segments = ids => ['dbs', 'colls', 'docs'].flatMap((kind, i) => i < ids.length ? [kind, encodeURIComponent(ids[i])] : []);

// link is the path of a database, container or document; feed is the path of the list of its children.
export const link = (...ids) => 'rest/' + segments(ids).join('/');
export const feed = (...ids) => [link(...ids), ['dbs', 'colls', 'docs'][ids.length]].join(ids.length ? '/' : '');

// rest sends a request of the account's REST protocol.
export async function rest(method, path, { key, body, headers = {} } = {}) {
  headers = { ...headers };
  if (key !== undefined) headers['x-ms-documentdb-partitionkey'] = ascii(key);
  const answer = await send(method, path, { body, headers });
  const text = await answer.text();
  return { headers: answer.headers, text, body: text ? JSON.parse(text) : null };
}

// ascii escapes JSON for a header.
const ascii = json => json.replace(/[^\x20-\x7e]/g, c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));

// follow calls listen for each event of a stream until the signal aborts.
export async function follow(path, values, listen, signal) {
  const answer = await send('GET', path + '?' + new URLSearchParams(values), { signal });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (rest + value).split('\n\n');
    rest = events.pop();
    for (const event of events) {
      if (event.startsWith('data: ')) listen(JSON.parse(event.slice(6)));
    }
  }
}
