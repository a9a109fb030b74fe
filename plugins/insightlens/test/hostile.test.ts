/** Names that are hostile, decisions at the same time and during a run, and settings that do not fit the metamodel. */
import t from 'tap';
import { testApp, until, type AnyBody } from '@lintel/sdk/testing';
import module from '../index.js';
import { readName } from '../suppliers/names.js';

const app = await testApp({ module });
t.teardown(app.close);
const { admin } = app;
const PATH = app.prefix;
const architect = await app.asUser('architect');

const bulk = async (cards: readonly object[]): Promise<string[]> => {
  const ids: string[] = [];
  for (let i = 0; i < cards.length; i += 1_000) {
    const operations = cards.slice(i, i + 1_000).map((card) => ({ op: 'create', card }));
    const { status, body } = await admin.post('/cards/bulk', { operations });
    t.equal(status, 200, JSON.stringify(body).slice(0, 500));
    ids.push(...(body['results'] as { id: string }[]).map(({ id }) => id));
  }
  return ids;
};
const ended = async (id: unknown): Promise<AnyBody> =>
  await until(async () => {
    const { body } = await architect.get(`${PATH}/runs/${String(id)}`);
    return ['done', 'failed', 'cancelled'].includes(String(body['state'])) && body;
  }, 30_000);
const analyse = async (kind: string): Promise<void> => {
  const { body } = await architect.post(`${PATH}/${kind}/analyse`);
  t.match(await ended(body.id), { state: 'done' }, kind);
};
const suppliers = async (): Promise<AnyBody[]> => {
  const items: AnyBody[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body, status } = await architect.get(`${PATH}/suppliers`, {
      query: { page_size: 200, ...(cursor && { cursor }) },
    });
    t.equal(status, 200, JSON.stringify(body).slice(0, 300));
    items.push(...body.items);
    cursor = body['next_cursor'] as string | null;
  }
  return items;
};
const named = async (name: string): Promise<string> =>
  String((await suppliers()).find((one) => one['name'] === name)!['id']);
const change = (id: string, body: object) => architect.patch(`${PATH}/suppliers/${id}`, body);

const { sections } = (await admin.get('/metamodel/types/Application')).body as unknown as {
  sections: { fields: object[] }[];
};
sections[0]!.fields.push({ key: 'vendor', label: 'Vendor', kind: 'text' });
t.equal((await admin.patch('/metamodel/types/Application', { sections })).status, 200);

/** Every one of these was read, grouped and stored. */
const HOSTILE = [
  `A${'😀'.repeat(300)}`,
  '😀'.repeat(200),
  'شركة الاتصالات السعودية',
  '\u202eevil\u202c',
  `${'ﷺ'.repeat(150)} x`,
  Array.from({ length: 190 }, (_, i) => String.fromCodePoint(0x3300 + ((i * 37) % 88))).join(''),
  "'; drop table cards; --",
  '%_\\',
  'constructor',
  '__proto__',
  'a'.repeat(500),
  '.'.repeat(300),
  'A B '.repeat(100),
  'S.A. '.repeat(60),
  `${'('.repeat(200)}x`,
  'GmbH',
  'null',
  '\u200d\u200b\ufeffAcme\u200d',
  '株式会社日立製作所',
  '𠀀'.repeat(120),
];

t.test('hostile names are read, listed and decided about', async (t) => {
  for (const name of HOSTILE) {
    const read = readName(name);
    t.ok((read?.key.length ?? 0) <= 200, 'a key is not longer than what is compared');
    t.ok((read?.key ?? '').isWellFormed());
  }
  await bulk([
    // Names of cards have at most 500 characters, also when taken apart; attributes have more.
    ...HOSTILE.filter((name) => name.normalize('NFKD').length <= 500).map((name) => ({ type: 'Provider', name })),
    ...HOSTILE.map((vendor, i) => ({ type: 'Application', name: `Application ${i}`, attributes: { vendor } })),
    { type: 'Application', name: 'Many', attributes: { vendor: `${';'.repeat(500)}A;B|C\nD` } },
  ]);
  await analyse('suppliers');
  const found = await suppliers();
  t.ok(found.length >= 12, `${found.length} suppliers`);
  for (const { id } of found) {
    const { status, body } = await architect.get(`${PATH}/suppliers/${String(id)}`);
    t.equal(status, 200);
    const [first, ...others] = (body['names'] as { key: string }[]).map(({ key }) => key);
    t.equal((await change(String(id), { state: 'confirmed' })).status, 200, `confirm ${first}`);
    if (others.length > 0)
      t.equal((await change(String(id), { split: { keys: [first] } })).status, 200, `split ${first}`);
  }
  t.equal((await architect.get(`${PATH}/suppliers/tree`)).status, 200);
  await analyse('suppliers');
  await analyse('duplicates');
});

t.test('of two who decide at once one succeeds, and merges have no circle', async (t) => {
  await bulk(['Umbrella', 'Soylent', 'Tyrell', 'Weyland'].map((name) => ({ type: 'Provider', name })));
  await analyse('suppliers');
  const [umbrella, soylent, tyrell, weyland] = [
    await named('Umbrella'),
    await named('Soylent'),
    await named('Tyrell'),
    await named('Weyland'),
  ];
  const answers = await Promise.all([change(umbrella, { merge: [soylent] }), change(soylent, { merge: [umbrella] })]);
  const statuses = answers.map(({ status }) => status).sort();
  t.equal(statuses[0], 200, statuses.join());
  t.ok([404, 409, 422].includes(statuses[1]!), statuses.join());
  t.equal((await suppliers()).filter(({ id }) => id === umbrella || id === soylent).length, 1, 'they are one');
  const both = await Promise.all([
    change(tyrell, { name: 'Tyrell Corporation' }),
    change(tyrell, { split: { keys: ['tyrell'] } }),
    change(tyrell, { merge: [weyland] }),
  ]);
  for (const { status } of both) t.ok(status < 500, String(status));
  t.match((await change(weyland, { merge: [weyland] })).body.errors ?? [{ field: '/merge/0' }], [
    { field: '/merge/0' },
  ]);
  // What was merged can be split again, and is then kept apart.
  const one = (await suppliers()).find(({ id }) => id === umbrella || id === soylent)!;
  const { status } = await change(String(one['id']), { split: { keys: ['soylent'] } });
  t.equal(status, 200);
  await analyse('suppliers');
  t.equal((await suppliers()).filter(({ name }) => name === 'Umbrella' || name === 'Soylent').length, 2);
});

t.test('decisions that are taken while a run works are kept, and it can be cancelled in each phase', async (t) => {
  for (const phase of ['names', 'group']) {
    const table = phase === 'names' ? 'insightlens_supplier_mentions' : 'insightlens_suppliers';
    let isReleased = false;
    let tell!: () => void;
    const isLocked = new Promise<void>((resolve) => (tell = resolve));
    // The run waits for this transaction when it stores.
    const lock = app.host().transactions.run(app.host().systemContext('test'), async (uow) => {
      await uow.query({ name: 'test-lock', text: `lock table ${table} in share row exclusive mode` });
      tell();
      while (!isReleased) await uow.query({ name: 'test-hold', text: 'select pg_sleep(0.05)' });
    });
    await isLocked;
    const { body } = await architect.post(`${PATH}/suppliers/analyse`);
    await until(async () => {
      const [row] = await app.query(`select from pg_locks where not granted and relation = $1::regclass`, [table]);
      return row !== undefined;
    }, 20_000);
    const cancelled = architect.post(`${PATH}/runs/${body.id}/cancel`);
    isReleased = true;
    await lock;
    const answer = await cancelled;
    const run = await ended(body.id);
    t.ok(answer.status < 300 || answer.body.code === 'invalid_state', `${phase}: ${answer.status}`);
    if (answer.status < 300) t.equal(run['state'], 'cancelled', phase);
  }
  await bulk([{ type: 'Provider', name: 'Cyberdyne' }]);
  await analyse('suppliers');
  const before = await suppliers();
  const id = await named('Cyberdyne');
  const { body } = await architect.post(`${PATH}/suppliers/analyse`);
  t.equal((await change(id, { name: 'Skynet', state: 'confirmed' })).status, 200);
  t.match(await ended(body.id), { state: 'done' });
  t.equal((await suppliers()).find((one) => one['id'] === id)!['name'], 'Skynet');
  t.equal((await suppliers()).length, before.length);
});

t.test('types of the settings that the metamodel does not have find nothing', async (t) => {
  const settings = {
    ...{ duplicate_types: ['Unknown', 'Application'], capability_types: ['Nothing'], supplier_types: ['Nowhere'] },
    ...{
      supplier_fields: ['vendor', 'missing', 'costTotalAnnual'],
      spend_fields: ['vendor'],
      criticality_field: 'vendor',
    },
  };
  t.equal((await admin.patch('/settings/modules/insightlens', { settings })).status, 200);
  await until(() => (app.host().settings() as { criticality_field: string }).criticality_field === 'vendor');
  for (const kind of ['duplicates', 'suppliers', 'security', 'modernisation']) await analyse(kind);
  for (const path of ['/suppliers', '/suppliers/tree', '/duplicates', '/modernisation', '/compliance', '/findings'])
    t.equal((await architect.get(`${PATH}${path}`)).status, 200, path);
});
