/** What depends on a card: directions, depth, ways, and what is not gone through. */
import t from 'tap';
import { expectStatus, makeUser, registerAdmin, sql, testApp, type AnyBody } from '../helper.js';
import { makeRoleUser } from '../helper-roles.js';

interface Impact {
  nodes: { id: string; type: string; name: string; depth: number; path: string[] }[];
  edges: { id: string; type: string; source_id: string; target_id: string }[];
  truncated: boolean;
}

const node = await testApp();
const { origin, database, close } = node;
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
const unrelated = await makeRoleUser(node, admin, 'unrelated', { like: 'viewer', without: ['relations.view'] });
const blind = await makeRoleUser(node, admin, 'blind', { like: 'viewer', types: { DataObject: { 'cards.view': false } } });
const { api } = admin;

const DAY_MS = 86_400_000;
const day = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
const make = async (name: string, type = 'Application'): Promise<string> => expectStatus(await api.post('/cards', { type, name }), 201, name).body.id;
const relate = async (source_id: string, target_id: string, more: object = {}): Promise<AnyBody> =>
  expectStatus(await api.post('/relations', { type: 'related', source_id, target_id, ...more }), 201, 'relating').body;
const impact = async (id: string, query: Record<string, string | number> = {}, by = api): Promise<Impact> =>
  expectStatus(await by.get<Impact>(`/cards/${id}/impact`, { query }), 200, 'impact').body;
const depths = ({ nodes }: Impact): Record<string, number> => Object.fromEntries(nodes.map((n) => [n.name, n.depth]));
const NOWHERE = '01900000-0000-7000-8000-00000000dead';

// a → b → c → d → e, b → d as a shorter way, e → a as a cycle, x → b from aside, c → data.
const [a, b, c, d, e, x] = [await make('a'), await make('b'), await make('c'), await make('d'), await make('e'), await make('x')];
const data = await make('data', 'DataObject');
const behind = await make('behind data', 'DataObject');
const [ab, bc, cd, de, bd, ea, xb] = [await relate(a, b), await relate(b, c), await relate(c, d), await relate(d, e), await relate(b, d), await relate(e, a), await relate(x, b)];
const cData = await relate(c, data, { type: 'applicationToDataObject' });
const dataBehind = await relate(data, behind);

t.test('downstream, upstream and both, by depth', async (t) => {
  t.same(depths(await impact(a, { depth: 1 })), { b: 1 });
  t.same(depths(await impact(a, { depth: 2 })), { b: 1, c: 2, d: 2 });
  t.same(depths(await impact(a)), { b: 1, c: 2, d: 2, e: 3, data: 3 }, 'downstream to depth 3');
  t.same(depths(await impact(a, { depth: 6 })), { b: 1, c: 2, d: 2, e: 3, data: 3, 'behind data': 4 }, 'a cycle ends');
  t.same(depths(await impact(b, { direction: 'upstream', depth: 1 })), { a: 1, x: 1 });
  t.same(depths(await impact(b, { direction: 'upstream', depth: 6 })), { a: 1, x: 1, e: 2, d: 3, c: 4 });
  t.same(depths(await impact(a, { direction: 'both', depth: 1 })), { b: 1, e: 1 });
  t.same(depths(await impact(a, { direction: 'both', depth: 2 })), { b: 1, e: 1, c: 2, d: 2, x: 2 });
  t.same(await impact(behind), { nodes: [], edges: [], truncated: false });
});

t.test('nodes, ways and edges', async (t) => {
  const { nodes, edges, truncated } = await impact(a, { depth: 6 });
  t.equal(truncated, false);
  const path = Object.fromEntries(nodes.map((n) => [n.id, n.path]));
  t.same(path, { [b]: [ab.id], [c]: [ab.id, bc.id], [d]: [ab.id, bd.id], [e]: [ab.id, bd.id, de.id], [data]: [ab.id, bc.id, cData.id], [behind]: [ab.id, bc.id, cData.id, dataBehind.id] });
  t.same(nodes.map((n) => n.depth), [1, 2, 2, 3, 3, 4], 'nearest first');
  t.match(nodes.find((n) => n.id === data), { type: 'DataObject', name: 'data' });
  t.same(edges.map((r) => r.id).sort(), [ab, bc, cd, de, bd, ea, cData, dataBehind].map((r) => r.id).sort(), 'every relation followed, that back to the start included');
  t.same(edges.find((r) => r.id === cData.id), { id: cData.id, type: 'applicationToDataObject', source_id: c, target_id: data });
  const both = await impact(a, { direction: 'both', depth: 6 });
  t.same(both.edges.map((r) => r.id).sort(), [ab, bc, cd, de, bd, ea, xb, cData, dataBehind].map((r) => r.id).sort(), 'each once');
  const near = await impact(a, { depth: 2 });
  t.same(near.edges.map((r) => r.id).sort(), [ab.id, bc.id, bd.id].sort(), 'no end that is not there');
});

t.test('relation types', async (t) => {
  t.same(depths(await impact(a, { depth: 6, relation_type: 'related' })), { b: 1, c: 2, d: 2, e: 3 });
  t.same(depths(await impact(c, { depth: 6, relation_type: 'applicationToDataObject' })), { data: 1 });
  t.same(depths(await impact(c, { depth: 2, relation_type: 'applicationToDataObject, related' })), { data: 1, d: 1, e: 2, 'behind data': 2 });
});

t.test('what is not gone through: archived cards, relations that have ended', async (t) => {
  const [s, gone, after, old, future, today] = [await make('s'), await make('gone'), await make('after'), await make('old'), await make('future'), await make('today')];
  await relate(s, gone);
  await relate(gone, after);
  await relate(s, old, { valid_to: day(-1) });
  await relate(s, today, { valid_to: day(0) });
  await relate(s, future, { valid_from: day(30) });
  t.same(depths(await impact(s)), { gone: 1, after: 2, today: 1, future: 1 });
  await api.post(`/cards/${gone}/archive`);
  const found = await impact(s);
  t.same(depths(found), { today: 1, future: 1 });
  t.equal(found.edges.length, 2, 'nor shown as an edge');
  t.same(await impact(gone), { nodes: [], edges: [], truncated: false }, 'of an archived card: nothing');
});

t.test('what the caller may not see is neither shown nor gone through', async (t) => {
  t.same(depths(await impact(a, { depth: 6 }, viewer.api)), depths(await impact(a, { depth: 6 })));
  const seen = await impact(a, { depth: 6 }, blind.api);
  t.same(depths(seen), { b: 1, c: 2, d: 2, e: 3 });
  t.notOk(JSON.stringify(seen).includes(cData.id));
  t.equal((await blind.api.get(`/cards/${data}/impact`)).status, 404);
  t.match((await unrelated.api.get(`/cards/${a}/impact`)), { status: 403, body: { code: 'forbidden', required_permission: 'relations.view' } });
});

t.test('what cannot be asked', async (t) => {
  for (const id of [NOWHERE, 'abc']) t.equal((await api.get(`/cards/${id}/impact`)).status, 404);
  const refused: Record<string, string>[] = [
    { depth: '0' }, { depth: '7' }, { depth: '1.5' }, { depth: 'x' }, { direction: 'sideways' }, { relation_type: 'nope' }, { relation_type: '' }, { relation_type: '__proto__' }, { relation_type: `related' or true --` }, { bogus: '1' },
  ];
  for (const query of refused) {
    const { status, body } = await api.get(`/cards/${a}/impact`, { query });
    t.match({ status, field: body.errors[0]?.field }, { status: 422, field: Object.keys(query)[0] }, JSON.stringify(query));
  }
});

t.test('a hub: cut off at 5,000 cards, and said so', async (t) => {
  const hub = await make('hub');
  const spokes = async (count: number): Promise<void> => {
    await sql(database, `with made as (insert into cards (id, type, name, name_key, search_name, search_text, created_at, updated_at, version)
        select gen_random_uuid(), 'Application', 'spoke ' || n, 'spoke ' || n, '', '', now(), now(), 1 from (select nextval('spoke') as n from generate_series(1, $2)) s returning id)
      insert into relations (id, type, source_id, target_id, source_type, target_type, rule_source, rule_target, one_source, one_target, allow_self, created_at, updated_at, version)
        select gen_random_uuid(), 'related', $1, made.id, 'Application', 'Application', k.source_type, k.target_type, k.one_source, k.one_target, k.allow_self, now(), now(), 1
        from made, relation_types k where k.key = 'related'`, [hub, count]);
  };
  await sql(database, 'create sequence spoke');
  await spokes(5_000);
  const whole = await impact(hub);
  t.match({ nodes: whole.nodes.length, edges: whole.edges.length, truncated: whole.truncated }, { nodes: 5_000, edges: 5_000, truncated: false });
  await spokes(1);
  for (const query of [{ depth: 1 }, { depth: 6, direction: 'both' }] as Record<string, string | number>[]) {
    const cut = await impact(hub, query);
    t.match({ nodes: cut.nodes.length, truncated: cut.truncated }, { nodes: 5_000, truncated: true });
    const there = new Set([hub, ...cut.nodes.map((n) => n.id)]);
    t.ok(cut.edges.every((r) => there.has(r.source_id) && there.has(r.target_id)), 'no edge to a card that is not there');
  }
});
