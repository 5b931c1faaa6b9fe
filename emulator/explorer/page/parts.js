// What several views share.
import { h, render } from './vendor/preact.js';
import { useCallback, useEffect, useMemo, useRef, useState } from './vendor/hooks.js';
import htm from './vendor/htm.js';

export const html = htm.bind(h);
export { render, useCallback, useEffect, useMemo, useRef, useState };

const whole = new Intl.NumberFormat('en');
export const count = n => whole.format(Math.round(n));
export const plural = (n, word) => count(n) + ' ' + word + (n === 1 ? '' : 's');
export const charge = n => n >= 100 ? count(n) : n.toFixed(n < 10 ? 2 : 1);
export const percent = share => (share * 100).toFixed(share < 0.1 && share > 0 ? 1 : 0) + ' %';
export function bytes(n) {
  for (const unit of ['B', 'KB', 'MB', 'GB']) {
    if (n < 1024 || unit === 'GB') return (unit === 'B' ? n : n.toFixed(n < 10 ? 1 : 0)) + ' ' + unit;
    n /= 1024;
  }
}
// keyText shows a partition key. If it has one level, it is the value alone.
export function keyText(json) {
  try {
    const values = JSON.parse(json);
    return values.map(v => typeof v === 'string' ? v || '""' : v && typeof v === 'object' ? 'undefined' : String(v)).join(' / ');
  } catch { return json; }
}

// usePolled reads something at an interval in milliseconds while the page is visible.
export function usePolled(read, every, inputs) {
  const [value, setValue] = useState(null);
  const [error, setError] = useState(null);
  const again = useRef(() => {});
  useEffect(() => {
    let ended = false, timer;
    const once = async () => {
      clearTimeout(timer);
      if (!document.hidden) {
        try {
          const v = await read();
          if (ended) return;
          setValue(v);
          setError(null);
        } catch (e) { if (!ended) setError(e); }
      }
      if (!ended) timer = setTimeout(once, every);
    };
    again.current = once;
    setValue(null);
    once();
    const shown = () => document.hidden || once();
    document.addEventListener('visibilitychange', shown);
    return () => { ended = true; clearTimeout(timer); document.removeEventListener('visibilitychange', shown); };
  }, inputs);
  return [value, error, () => again.current()];
}

// Problem shows an error, or nothing if there is none.
export const Problem = ({ error }) => error && html`<p class="problem" role="alert">${error.message}</p>`;

// Empty shows that there is nothing yet, and what to do.
export const Empty = ({ children }) => html`<p class="empty">${children}</p>`;

// Bar draws a share of a whole. Its text is next to it.
export const Bar = ({ share, hot }) => html`<span class=${'bar' + (hot ? ' hot' : '')} aria-hidden="true"><i style=${{ width: Math.max(0, Math.min(1, share)) * 100 + '%' }}></i></span>`;

// Segmented is a choice between a few options.
export const Segmented = ({ label, value, options, set }) => html`
  <fieldset class="segmented"><legend class="unseen">${label}</legend>
    ${options.map(([v, text]) => html`<label><input type="radio" name=${label} checked=${v === value} onChange=${() => set(v)} /><span>${text}</span></label>`)}
  </fieldset>`;

// Dialog is a modal dialog; the browser keeps the focus in it and closes it on Escape.
export function Dialog({ title, close, children }) {
  const element = useRef();
  useEffect(() => { element.current.showModal(); }, []);
  return html`<dialog ref=${element} onClose=${close} aria-label=${title}>
    <header><h2>${title}</h2><button class="quiet" aria-label="Close" onClick=${() => element.current.close()}>✕</button></header>
    ${children}
  </dialog>`;
}

// FileButton opens a file dialog, and calls load with the chosen file.
export function FileButton({ label, load, children }) {
  const file = useRef();
  const chosen = e => {
    const [one] = e.target.files;
    e.target.value = '';
    if (one) load(one);
  };
  return html`<button onClick=${() => file.current.click()}>${children}</button><input ref=${file} type="file" hidden accept=".ndjson,.jsonl,.json" aria-label=${label} onChange=${chosen} />`;
}

// Sure asks before something is deleted: the first press arms the button, the second acts.
export function Sure({ children, act, label }) {
  const [armed, arm] = useState(false);
  useEffect(() => {
    if (!armed) return;
    const timer = setTimeout(() => arm(false), 4000);
    return () => clearTimeout(timer);
  }, [armed]);
  return html`<button class=${armed ? 'danger' : 'quiet'} aria-label=${armed ? 'Confirm: ' + (label || children) : label} onBlur=${() => arm(false)}
    onClick=${() => { if (armed) { arm(false); act(); } else arm(true); }}>${armed ? 'Sure?' : children}</button>`;
}

export function throughput(offer, shared) {
  if (!offer) return shared ? throughput(shared) + ' shared' : '–';
  return offer.autoscale ? `${count(offer.autoscale / 10)}–${count(offer.autoscale)} RU/s` : count(offer.manual) + ' RU/s';
}
