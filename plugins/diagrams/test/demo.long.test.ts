/** Generated diagrams of the demo landscape: no shapes or labels overlap, and the service answers meanwhile. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { login, testApp } from '../../../test/support/app.js';
import { overlapsIn } from './overlaps.js';

interface Generated {
  diagram: { id: string } | null;
  content: string | null;
  card_count: number;
  relation_count: number;
  truncated: boolean;
}

const PROGRAM = fileURLToPath(new URL('../../../config/demo/run.js', import.meta.url));
/** A folder for the pictures, to be looked at. */
const LOOK = process.env.DIAGRAMS_LOOK;
const { origin, close } = await testApp();
t.teardown(close);
const printed = await new Promise<string>((resolve, reject) => {
  execFile(process.execPath, [PROGRAM, '--url', origin], { env: { PATH: process.env.PATH } }, (error, out, err) =>
    error ? reject(new Error(err)) : resolve(out),
  );
});
const [, email, password] = /Registered the administrator (\S+) with the password (\S+)/.exec(printed) ?? [];
const admin = await login(origin, email!, password);
const cards = async (type: string, most: number) =>
  (await admin.api.get('/cards', { query: { type, page_size: most, sort_by: 'name' } })).body.items;

/** Draws a stored diagram into the folder. */
async function look(id: string, name: string): Promise<void> {
  if (LOOK === undefined) return;
  const headers = { authorization: `Bearer ${admin.token}` };
  mkdirSync(LOOK, { recursive: true });
  for (const format of ['png', 'svg', 'drawio']) {
    const answer = await fetch(`${origin}/api/v1/diagrams/${id}.${format}`, { headers });
    writeFileSync(join(LOOK, `${name}.${format}`), Buffer.from(await answer.arrayBuffer()));
  }
}

t.test('diagrams around cards of many types', async (t) => {
  let made = 0;
  for (const type of ['Application', 'BusinessCapability', 'ITComponent', 'Organization', 'Initiative'])
    for (const [i, card] of (await cards(type, 2)).entries())
      for (const [depth, layout] of [[1, 'down'], [2, 'right'], ...(i === 0 ? [[4, 'right'] as const] : [])] as [
        number,
        string,
      ][]) {
        const began = performance.now();
        const { status, body } = await admin.api.post<Generated>('/diagrams/generate', {
          root_card_id: card.id,
          depth,
          layout,
        });
        const ms = Math.round(performance.now() - began);
        t.equal(status, 201, JSON.stringify(body).slice(0, 300));
        if (!body.diagram) continue;
        const what = `${type} ${i} depth ${depth} ${layout}`;
        const { body: xml } = await admin.api.get<string>(`/diagrams/${body.diagram.id}.drawio`);
        t.strictSame(overlapsIn(xml).slice(0, 3), [], what);
        t.ok(body.card_count > 1 && body.relation_count >= body.card_count - 1);
        t.ok(body.card_count <= 300 && body.relation_count <= 400);
        t.comment(
          `${what}: ${body.card_count} cards, ${body.relation_count} relations, ${ms} ms${body.truncated ? ', truncated' : ''}`,
        );
        if (i === 0) await look(body.diagram.id, what.replaceAll(' ', '-'));
        made++;
      }
  t.equal(made, 25);
});

t.test('the event loop is free while large diagrams are made, saved and drawn', async (t) => {
  const [root] = await cards('BusinessCapability', 1);
  const longest: number[] = [];
  // Other work of the machine only makes the delays longer.
  for (let i = 0; i < 3; i++) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const { body } = await admin.api.post<Generated>('/diagrams/generate', { root_card_id: root!.id, depth: 4 });
    const path = `/diagrams/${body.diagram!.id}`;
    const { body: xml } = await admin.api.get<string>(`${path}.drawio`);
    await admin.api.patch(path, { content: xml.replace('name="', 'name="Changed ') });
    for (const part of ['.svg', '.png']) await admin.api.get(`${path}${part}`);
    for (const part of ['/match-cards', '/propose-relations']) await admin.api.post(`${path}${part}`, {});
    delay.disable();
    longest.push(delay.max / 1e6);
    t.comment(`${body.card_count} cards; longest delay ${longest.at(-1)!.toFixed(0)} ms`);
  }
  t.ok(Math.min(...longest) < 50, longest.join());
});
