/**
 * While ten viewers send costly requests, the requests of an administrator are answered and exports complete; the attackers
 * get errors with Retry-After. Response times are shown by `npm run bench -- --only attack`.
 */
import t from 'tap';
import { underAttack, work } from '../bench/section-attack.js';
import { expectStatus, registerAdmin } from '../support/app.js';
import { dataFolder, startService } from '../support/service.js';

const SECONDS = 20;
const data = await dataFolder();
const service = await startService({ dataDir: data.path });
t.teardown(async () => {
  await service.stop();
  await data.remove();
});
const admin = await registerAdmin(service.origin);
const operations = Array.from({ length: 5_000 }, (_, i) => ({
  op: 'create',
  card: { type: 'Application', name: `Application ${i}` },
}));
expectStatus(await admin.api.post('/cards/bulk', { operations }), 200, 'creating cards');

t.test('the administrator is served, the attackers are refused', async (t) => {
  const { result, tally, bare } = await underAttack(admin, () => work(admin, SECONDS));
  t.same(result.refused, [], 'no request of the administrator is refused');
  t.ok(
    result.exports.length > 0 && result.exports.every((n) => n >= operations.length),
    `${result.exports.length} exports complete`,
  );
  t.ok(result.latencies.list.length > SECONDS / 2, `${result.latencies.list.length} lists`);
  t.equal(bare, 0, 'every 503 or 429 has Retry-After');
  for (const [attack, statuses] of Object.entries(tally)) {
    const wrong = Object.keys(statuses).filter(
      (status) =>
        status !== 'none' &&
        status !== '503' &&
        (Number(status) >= 500 || (Number(status) < 400 && !attack.startsWith('6') && !attack.startsWith('7'))),
    );
    t.same(wrong, [], `${attack}: ${JSON.stringify(statuses)}`);
  }
  t.equal((await admin.api.get('/cards', { query: { page_size: '1' } })).status, 200);
});
