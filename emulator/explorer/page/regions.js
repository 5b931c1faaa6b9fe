import { call } from './api.js';
import { Sure, html } from './parts.js';

// state is the state of a region for clients.
const state = r => r.online ? r.removed ? 'removed from the account' : 'online' : 'offline';

// Regions takes regions of the account offline and back, and changes the write region.
export function Regions({ regions, act }) {
  const hub = regions.find(r => r.writable); // serves the address of the account
  const change = body => act(call('POST', 'regions', body));
  return html`<section><h2 class="row"><span>Regions</span> <small>in the order of failover priority</small></h2>
    <div class="scroll"><table class="fit regions"><thead><tr><th>Region</th><th class="spare">Address</th><th>Kind</th><th>State</th><th>Replication lag</th><th><span class="unseen">Actions</span></th></tr></thead><tbody>
      ${regions.map(r => html`<tr key=${r.name}>
        <th scope="row">${r.name}</th>
        <td class="spare"><code>${r.endpoint}</code></td>
        <td>${r.writable ? 'write region' : 'read region'}</td>
        <td class=${r.online && !r.removed ? '' : 'bad'}>${state(r)}</td>
        <td><form class="inline" onSubmit=${e => { e.preventDefault(); const d = new FormData(e.target); change({ name: r.name, lagMs: +d.get('lag'), paused: d.has('paused') }); }}>
          <span class="short">lag</span> <input name="lag" type="number" min="0" aria-label=${'Lag of ' + r.name} key=${r.lagMs} defaultValue=${r.lagMs} /> ms
          <label class="inline"><input name="paused" type="checkbox" key=${r.paused} defaultChecked=${r.paused} /> paused</label> <button>Set</button></form></td>
        <td class="n">
          <button class="quiet" aria-label=${(r.online ? 'Take offline ' : 'Bring back ') + r.name} onClick=${() => change({ name: r.name, online: !r.online })}>${r.online ? 'Take offline' : 'Bring back'}</button>
          ${r !== hub && html`
            <button class="quiet" aria-label=${'Fail over to ' + r.name} onClick=${() => change({ name: r.name, failover: 'planned' })}>Fail over</button>
            <${Sure} label=${'Force failover to ' + r.name} act=${() => change({ name: r.name, failover: 'forced' })}>Force failover</>`}
        </td></tr>`)}
    </tbody></table></div></section>`;
}
