/** Impact of a card: directions, depth, paths, and relations that are not followed; equal results from SQL and from memory. */
import t from 'tap';
import { expectStatus, makeUser, registerAdmin, testApp, type AnyBody } from '../support/app.js';
import { impactOf, inMemory, type Impact, type ImpactQuery } from '../support/impact.js';
import { makeRoleUser } from '../support/roles.js';

const DAY_MS = 86_400_000;
const day = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
const depths = ({ nodes }: Impact): Record<string, number> => Object.fromEntries(nodes.map((n) => [n.name, n.depth]));
const NOWHERE = '01900000-0000-7000-8000-00000000dead';

/** A node with users and some related cards. @param most largest number of relations held in memory */
async function sideOf(name: string, most: number) {
  const node = await testApp({ config: { impactGraphMaxRelations: most } });
  const { origin, close } = node;
  t.teardown(close);
  const admin = await registerAdmin(origin);
  const viewer = await makeUser(admin, 'viewer');
  const unrelated = await makeRoleUser(node, admin, 'unrelated', { like: 'viewer', without: ['relations.view'] });
  const blind = await makeRoleUser(node, admin, 'blind', {
    like: 'viewer',
    types: { DataObject: { 'cards.view': false } },
  });
  const { api } = admin;
  const make = async (name: string, type = 'Application'): Promise<string> =>
    expectStatus(await api.post('/cards', { type, name }), 201, name).body.id;
  const relate = async (source_id: string, target_id: string, more: object = {}): Promise<AnyBody> =>
    expectStatus(await api.post('/relations', { type: 'related', source_id, target_id, ...more }), 201, 'relating')
      .body;
  // a → b → c → d → e, b → d as a shorter path, e → a as a cycle, x → b from another card, c → data.
  const [a, b, c, d, e, x] = [
    await make('a'),
    await make('b'),
    await make('c'),
    await make('d'),
    await make('e'),
    await make('x'),
  ];
  const data = await make('data', 'DataObject');
  const behind = await make('behind data', 'DataObject');
  const [ab, bc, cd, de, bd, ea, xb] = [
    await relate(a, b),
    await relate(b, c),
    await relate(c, d),
    await relate(d, e),
    await relate(b, d),
    await relate(e, a),
    await relate(x, b),
  ];
  const cData = await relate(c, data, { type: 'applicationToDataObject' });
  const dataBehind = await relate(data, behind);
  if (most > 0) await inMemory(node, api, a);
  const cards = { a, b, c, d, e, x, data, behind };
  return {
    name,
    node,
    users: { viewer, unrelated, blind },
    api,
    make,
    relate,
    cards,
    relations: { ab, bc, cd, de, bd, ea, xb, cData, dataBehind },
  };
}

const sides = [await sideOf('from SQL', 0), await sideOf('from memory', 1_000_000)];

for (const side of sides)
  t.test(side.name, async (t) => {
    const {
      node,
      users: { viewer, unrelated, blind },
      api,
      make,
      relate,
    } = side;
    const { a, b, c, d, e, data, behind } = side.cards;
    const { ab, bc, cd, de, bd, ea, xb, cData, dataBehind } = side.relations;
    const impact = (id: string, query: ImpactQuery = {}, by = api): Promise<Impact> => impactOf(by, id, query);

    t.test('downstream, upstream and both, by depth', async (t) => {
      t.same(depths(await impact(a, { depth: 1 })), { b: 1 });
      t.same(depths(await impact(a, { depth: 2 })), { b: 1, c: 2, d: 2 });
      t.same(depths(await impact(a)), { b: 1, c: 2, d: 2, e: 3, data: 3 }, 'downstream to depth 3');
      t.same(
        depths(await impact(a, { depth: 6 })),
        { b: 1, c: 2, d: 2, e: 3, data: 3, 'behind data': 4 },
        'a cycle ends',
      );
      t.same(depths(await impact(b, { direction: 'upstream', depth: 1 })), { a: 1, x: 1 });
      t.same(depths(await impact(b, { direction: 'upstream', depth: 6 })), { a: 1, x: 1, e: 2, d: 3, c: 4 });
      t.same(depths(await impact(a, { direction: 'both', depth: 1 })), { b: 1, e: 1 });
      t.same(depths(await impact(a, { direction: 'both', depth: 2 })), { b: 1, e: 1, c: 2, d: 2, x: 2 });
      t.same(await impact(behind), { nodes: [], edges: [], truncated: false });
    });

    t.test('nodes, paths and edges', async (t) => {
      const { nodes, edges, truncated } = await impact(a, { depth: 6 });
      t.equal(truncated, false);
      const path = Object.fromEntries(nodes.map((n) => [n.id, n.path]));
      t.same(path, {
        [b]: [ab.id],
        [c]: [ab.id, bc.id],
        [d]: [ab.id, bd.id],
        [e]: [ab.id, bd.id, de.id],
        [data]: [ab.id, bc.id, cData.id],
        [behind]: [ab.id, bc.id, cData.id, dataBehind.id],
      });
      t.same(
        nodes.map((n) => n.depth),
        [1, 2, 2, 3, 3, 4],
        'nearest first',
      );
      t.match(
        nodes.find((n) => n.id === data),
        { type: 'DataObject', name: 'data' },
      );
      t.same(
        edges.map((r) => r.id).sort(),
        [ab, bc, cd, de, bd, ea, cData, dataBehind].map((r) => r.id).sort(),
        'every relation followed, that back to the start included',
      );
      t.same(
        edges.find((r) => r.id === cData.id),
        { id: cData.id, type: 'applicationToDataObject', source_id: c, target_id: data },
      );
      const both = await impact(a, { direction: 'both', depth: 6 });
      t.same(
        both.edges.map((r) => r.id).sort(),
        [ab, bc, cd, de, bd, ea, xb, cData, dataBehind].map((r) => r.id).sort(),
        'each once',
      );
      const near = await impact(a, { depth: 2 });
      t.same(near.edges.map((r) => r.id).sort(), [ab.id, bc.id, bd.id].sort(), 'no end that is not there');
    });

    t.test('relation types', async (t) => {
      t.same(depths(await impact(a, { depth: 6, relation_type: 'related' })), { b: 1, c: 2, d: 2, e: 3 });
      t.same(depths(await impact(c, { depth: 6, relation_type: 'applicationToDataObject' })), { data: 1 });
      t.same(depths(await impact(c, { depth: 2, relation_type: 'applicationToDataObject, related' })), {
        data: 1,
        d: 1,
        e: 2,
        'behind data': 2,
      });
    });

    t.test('archived cards and ended relations are not traversed', async (t) => {
      const [s, gone, after, old, future, today] = [
        await make('s'),
        await make('gone'),
        await make('after'),
        await make('old'),
        await make('future'),
        await make('today'),
      ];
      await relate(s, gone);
      await relate(gone, after);
      await relate(s, old, { valid_to: day(-1) });
      await relate(s, today, { valid_to: day(0) });
      await relate(s, future, { valid_from: day(30) });
      t.same(depths(await impact(s)), { gone: 1, after: 2, today: 1, future: 1 });
      await api.post(`/cards/${gone}/archive`);
      const found = await impact(s);
      t.same(depths(found), { today: 1, future: 1 });
      t.equal(found.edges.length, 2, 'and are no edges');
      t.same(await impact(gone), { nodes: [], edges: [], truncated: false }, 'of an archived card: nothing');
    });

    t.test('hidden cards are neither shown nor traversed', async (t) => {
      t.same(depths(await impact(a, { depth: 6 }, viewer.api)), depths(await impact(a, { depth: 6 })));
      const seen = await impact(a, { depth: 6 }, blind.api);
      t.same(depths(seen), { b: 1, c: 2, d: 2, e: 3 });
      t.notOk(JSON.stringify(seen).includes(cData.id));
      t.equal((await blind.api.get(`/cards/${data}/impact`)).status, 404);
      t.match(await unrelated.api.get(`/cards/${a}/impact`), {
        status: 403,
        body: { code: 'forbidden', required_permission: 'relations.view' },
      });
    });

    t.test('invalid parameters', async (t) => {
      for (const id of [NOWHERE, 'abc']) t.equal((await api.get(`/cards/${id}/impact`)).status, 404);
      const refused: Record<string, string>[] = [
        { depth: '0' },
        { depth: '7' },
        { depth: '1.5' },
        { depth: 'x' },
        { direction: 'sideways' },
        { relation_type: 'nope' },
        { relation_type: '' },
        { relation_type: '__proto__' },
        { relation_type: `related' or true --` },
        { bogus: '1' },
      ];
      for (const query of refused) {
        const { status, body } = await api.get(`/cards/${a}/impact`, { query });
        t.match(
          { status, field: body.errors[0]?.field },
          { status: 422, field: Object.keys(query)[0] },
          JSON.stringify(query),
        );
      }
    });

    t.test('names with any characters', async (t) => {
      const s = await make('start of names');
      const names = [
        'quote " and \\ backslash',
        'tab\tand\nline',
        'Ω ß İ 漢字 🙂',
        '\u2028 e\u0301',
        '</script>',
        'n'.repeat(200),
      ];
      const ids: string[] = [];
      for (const [i, name] of names.entries()) {
        const answer = await api.post('/cards', { type: 'Application', name: `plain ${i}` });
        ids.push(answer.body.id);
        await relate(s, answer.body.id);
        const renamed = await api.patch(`/cards/${answer.body.id}`, { name });
        if (renamed.status !== 200) names[i] = `plain ${i}`;
      }
      const byId = new Map((await impact(s, { depth: 1 })).nodes.map((n) => [n.id, n.name]));
      t.same(
        ids.map((id) => byId.get(id)),
        await Promise.all(ids.map(async (id) => (await api.get(`/cards/${id}`)).body.name)),
      );
      t.ok(new Set(byId.values()).size >= 5);
    });

    t.test('a card with many relations: truncated at 5,000 cards, with truncated true', async (t) => {
      const hub = await make('hub');
      let made = 0;
      const spokes = async (count: number): Promise<void> => {
        const operations = Array.from({ length: count }, () => ({
          op: 'create',
          card: { type: 'Application', name: `spoke ${++made}` },
          relations: [{ type: 'related', target: { id: hub } }],
        }));
        expectStatus(await api.post('/cards/bulk', { mode: 'all_or_nothing', operations }), 200, 'spokes');
      };
      const ask = { direction: 'upstream', depth: 1 };
      await spokes(2_500);
      await spokes(2_500);
      const whole = await impact(hub, ask);
      t.match(
        { nodes: whole.nodes.length, edges: whole.edges.length, truncated: whole.truncated },
        { nodes: 5_000, edges: 5_000, truncated: false },
      );
      await spokes(1);
      for (const query of [ask, { depth: 6, direction: 'both' }] as ImpactQuery[]) {
        const cut = await impact(hub, query);
        t.match({ nodes: cut.nodes.length, truncated: cut.truncated }, { nodes: 5_000, truncated: true });
        t.notOk(
          cut.nodes.some((n) => n.name === 'spoke 5001'),
          'the newest cards are omitted',
        );
        const there = new Set([hub, ...cut.nodes.map((n) => n.id)]);
        t.ok(
          cut.edges.every((r) => there.has(r.source_id) && there.has(r.target_id)),
          'no edge to a card that is not there',
        );
      }
    });

    t.test('the source of the results', async (t) => {
      const { answered } = node.app.services.impact;
      if (side.name === 'from SQL') t.match(answered, { memory: 0 });
      else
        t.ok(
          answered.memory > 4 * answered.database,
          `${answered.memory} of memory, ${answered.database} of the database`,
        );
    });
  });
