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
    statements: 5,
  },
  {
    what: 'POST of a relation',
    write: async (id) => api.post('/relations', { type: 'related', source_id: id, target_id: other.id }),
    status: 201,
    statements: 5,
  },
  {
    what: 'DELETE of a relation',
    on: async () => (await relate()).id,
    write: (id) => api.del(`/relations/${id}`),
    status: 204,
    statements: 4,
  },
];
const other = await make();

for (const { what, on = () => card(), write, status = 200, statements: expected } of WRITES) {
  await t.test(`${what}: ${expected} statements`, async (t) => {
    // The first time, caches are filled.
    await write(await on());
    const id = await on();
    const { answer, statements } = await watch.during(() => write(id));
    t.equal(answer.status, status, JSON.stringify(answer.body));
    const sent = statements.map((s) => s.name ?? s.text);
    t.equal(sent.length, expected, sent.join(', '));
  });
}

await t.test('with an Idempotency-Key: begin, lock and read the key, read, write, commit', async (t) => {
  const id = await card();
  const write = () =>
    api.patch(`/cards/${id}`, { description: name() }, { headers: { 'idempotency-key': `key-${++n}` } });
  await write();
  const { answer, statements } = await watch.during(write);
  t.equal(answer.status, 200);
  t.equal(statements.length, 6, statements.map((s) => s.name ?? s.text).join(', '));
});
