import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { client, makeUser, registerAdmin, testApp, until } from '../support/app.js';

/** Longest time until all nodes apply a change, in ms. */
const SECOND = 1_000;

const a = await testApp();
const b = await testApp({ database: a.database });
t.teardown(() => Promise.all([a.close(), b.close()]));
const admin = await registerAdmin(a.origin);
const viewer = await makeUser(admin, 'viewer');
const card = (await admin.api.post('/cards', { type: 'Application', name: 'Shop' })).body.id;
const PATHS: Record<string, string[]> = {
  adr: ['/adr', `/cards/${card}/adrs`],
  risks: ['/risks', `/cards/${card}/risks`],
};

for (const [id, paths] of Object.entries(PATHS)) {
  t.test(`${id} is enabled and disabled under load, on two nodes within a second`, async (t) => {
    const statuses = new Set<number>();
    const failures: string[] = [];
    let asked = 0;
    let on = true;
    const work = [a, b].flatMap(({ origin }) =>
      [...paths, '/cards'].map(async (path) => {
        const api = client(origin, viewer.token);
        while (on) {
          const answer = await api.get(path).catch((error: unknown) => void failures.push(String(error)));
          asked++;
          if (answer) statuses.add(path === '/cards' && answer.status !== 200 ? -answer.status : answer.status);
          await delay(5);
        }
      }),
    );
    for (let turn = 0; turn < 6; turn++) {
      const enabled = turn % 2 === 1;
      t.equal((await admin.api.patch(`/settings/modules/${id}`, { enabled })).status, 200);
      const began = performance.now();
      for (const { origin } of [a, b]) {
        for (const path of paths)
          await until(
            async () => (await client(origin, viewer.token).get(path)).status === (enabled ? 200 : 404),
            SECOND,
          );
        const document = (await (await fetch(`${origin}/api/openapi.json`)).json()) as { paths: object };
        t.equal(`/api/v1/${id}` in document.paths, enabled);
      }
      t.comment(`${enabled ? 'on' : 'off'} everywhere after ${Math.round(performance.now() - began)} ms`);
    }
    on = false;
    await Promise.all(work);
    t.comment(`${asked} requests`);
    t.strictSame([...statuses].sort(), [200, 404], 'no other status, and only 200 for cards');
    t.strictSame(failures, []);
  });
}
