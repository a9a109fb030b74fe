/**
 * The number of statements that each write of one card or relation waits for. The numbers are part of the design: a
 * change that needs another number must change them here.
 */
import t from 'tap';
import { registerAdmin, testApp, type AnyBody } from '../support/app.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
const { origin, close } = await testApp();
t.teardown(close);
const { api } = await registerAdmin(origin);

let n = 0;
const name = () => `Card ${++n}`;
const make = async (): Promise<AnyBody> => (await api.post('/cards', { type: 'TechCategory', name: name() })).body;
const relate = async (): Promise<AnyBody> =>
  (await api.post('/relations', { type: 'related', source_id: (await make()).id, target_id: (await make()).id })).body;

type Write = (id: string) => Promise<{ status: number; body: AnyBody }>;
interface Counted {
  what: string;
  /** Makes what is written, before the count. @returns its id */
  on?: () => Promise<string>;
  write: Write;
  status?: number;
  statements: number;
}

const card = async (...steps: Write[]): Promise<string> => {
  const { id } = await make();
  for (const step of steps) await step(id);
  return id;
};
const post =
  (path: (id: string) => string, body?: object): Write =>
  (id) =>
    api.post(path(id), body);
const approval = (action: string): Write => post((id) => `/cards/${id}/approval`, { action });
const act = (action: string): Write => post((id) => `/cards/${id}/${action}`);
const patch =
  (body: () => object): Write =>
  (id) =>
    api.patch(`/cards/${id}`, body());

const WRITES: Counted[] = [
  {
    what: 'PATCH of an attribute',
    on: async () => (await api.post('/cards', { type: 'Application', name: name() })).body.id,
    write: patch(() => ({ attributes: { productName: name() } })),
    statements: 2,
  },
  { what: 'PATCH of the description', write: patch(() => ({ description: name() })), statements: 2 },
  { what: 'PATCH of the name', write: patch(() => ({ name: name() })), statements: 2 },
  { what: 'approve', write: approval('approve'), statements: 2 },
  { what: 'reject', write: approval('reject'), statements: 2 },
  { what: 'reset', on: () => card(approval('approve')), write: approval('reset'), statements: 2 },
  {
    what: 'a change that breaks an approval',
    on: () => card(approval('approve')),
    write: patch(() => ({ description: name() })),
    statements: 2,
  },
  { what: 'archive', write: act('archive'), statements: 2 },
  { what: 'restore', on: () => card(act('archive')), write: act('restore'), statements: 2 },
  {
    what: 'PATCH of a relation',
    on: async () => (await relate()).id,
    write: (id) => api.patch(`/relations/${id}`, { description: name() }),
    statements: 2,
  },
  {
    what: 'POST of a relation',
    write: async (id) => api.post('/relations', { type: 'related', source_id: id, target_id: other.id }),
    status: 201,
    statements: 2,
  },
  {
    what: 'DELETE of a relation',
    on: async () => (await relate()).id,
    write: (id) => api.del(`/relations/${id}`),
    status: 204,
    statements: 2,
  },
];
const other = await make();

async function count({ what, on = () => card(), write, status = 200, statements: expected }: Counted): Promise<void> {
  await t.test(`${what}: ${expected} statements`, async (t) => {
    // The first time, caches are filled.
    await write(await on());
    const id = await on();
    const { answer, statements } = await watch.during(() => write(id));
    t.equal(answer.status, status, JSON.stringify(answer.body));
    const sent = statements.map((s) => s.name ?? s.text);
    t.equal(sent.length, expected, sent.join(', '));
    const isTransaction = sent.includes('begin');
    t.equal(isTransaction, expected > 2);
    if (isTransaction)
      t.ok(sent.indexOf('begin') < sent.findIndex((s) => /-(insert|update|delete)/.test(s)), sent.join(', '));
  });
}
for (const counted of WRITES) await count(counted);

// Begin, lock and read the key, read, write, commit.
await count({
  what: 'PATCH with an Idempotency-Key',
  write: (id) => api.patch(`/cards/${id}`, { description: name() }, { headers: { 'idempotency-key': `key-${++n}` } }),
  statements: 6,
});

// The last ones: from here on, relations count in scores, which are written in the same transaction.
await api.post('/metamodel/relation-types', {
  key: 'demanded',
  label: 'demands',
  reverse_label: 'is demanded by',
  source_type: 'TechCategory',
  target_type: 'TechCategory',
  cardinality: 'n:m',
  source_mandatory: true,
});
const demand = async (id: string) =>
  api.post('/relations', { type: 'demanded', source_id: id, target_id: (await make()).id });
const MANDATORY: Counted[] = [
  // Read, begin, write, related cards, commit.
  { what: 'archive without a relation that counts', write: act('archive'), statements: 5 },
  {
    what: 'POST of a relation that counts',
    write: (id) => api.post('/relations', { type: 'demanded', source_id: id, target_id: other.id }),
    status: 201,
    statements: 7,
  },
  {
    what: 'DELETE of a relation that counts',
    on: async () => (await demand(await card())).body.id,
    write: (id) => api.del(`/relations/${id}`),
    status: 204,
    statements: 7,
  },
];
for (const counted of MANDATORY) await count(counted);
