/** Filters of cards and relations for links of reports: each one compared with the computation from what the reader sees. */
import t from 'tap';
import type { RequestContext } from '@lintel/sdk';
import { systemContext } from '../../core/foundation/context.js';
import { Database } from '../../core/foundation/db/database.js';
import { CardReads, type CardFilters } from '../../core/inventory/cards/index.js';
import {
  expectStatus,
  makeUser,
  registerAdmin,
  sql,
  testApp,
  type AnyBody,
  type Answer,
  type Session,
} from '../support/app.js';
import { makeRoleUser } from '../support/roles.js';
import { randomNumbers } from '../bench/words.js';

const node = await testApp();
const { app, origin, database, close } = node;
const db = new Database({ connection: database, max: 2 });
t.teardown(async () => {
  await db.close();
  await close();
});
const admin = await registerAdmin(origin);
const { api } = admin;
const random = randomNumbers(20_261_123);
const chance = (share: number): boolean => random() < share;
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const some = <T>(list: readonly T[], most: number): T[] => [
  ...new Set(Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(list))),
];
const make = async (path: string, body: object): Promise<AnyBody> =>
  expectStatus(await api.post(path, body), 201, `POST ${path}`).body;

const TYPES = ['Desk', 'Vault', 'Shelf'];
const ROLES = ['own', 'watch', 'unused'];
const KINDS = ['touches', 'feeds', 'idle'];
for (const key of TYPES)
  await make('/metamodel/types', {
    key,
    label: key,
    has_hierarchy: true,
    allowed_parent_types: TYPES.slice(0, TYPES.indexOf(key) + 1),
    stakeholder_roles: ROLES.map((role) => ({
      key: role,
      permissions: role === 'own' ? ['card.view_costs'] : [],
    })),
    sections: [
      {
        key: 'main',
        label: 'Main',
        fields: [
          { key: 'fee', kind: 'cost', weight: 3 },
          { key: 'note', kind: 'text', weight: 1 },
        ],
      },
    ],
  });
for (const key of TYPES)
  expectStatus(await api.patch(`/metamodel/types/${key}`, { allowed_parent_types: TYPES }), 200, 'nesting');
for (const key of KINDS)
  await make('/metamodel/relation-types', { key, label: key, source_type: '*', target_type: '*', allow_self: true });

/** A reader, and the types for which it sees no relations and no stakeholders. */
interface View {
  who: Session;
  relationless: readonly string[];
  unheld: readonly string[];
}
const seesAll = { relationless: [], unheld: [] };
const viewer = await makeUser(admin, 'viewer');
const readers: Record<string, View> = {
  admin: { who: admin, ...seesAll },
  viewer: { who: viewer, ...seesAll },
  withoutVault: {
    who: await makeRoleUser(node, admin, 'without_vault', {
      like: 'viewer',
      types: { Vault: { 'cards.view': false } },
    }),
    relationless: ['Vault'],
    unheld: [],
  },
  withoutShelf: {
    who: await makeRoleUser(node, admin, 'without_shelf', {
      like: 'viewer',
      types: { Shelf: { 'relations.view': false, 'stakeholders.view': false } },
    }),
    relationless: ['Shelf'],
    unheld: ['Shelf'],
  },
};
const blind = await makeRoleUser(node, admin, 'blind', {
  like: 'viewer',
  without: ['relations.view', 'stakeholders.view'],
});

const days = ['2001-01-01', '2019-05-05', '2024-02-29', '2998-01-01', '2999-12-31'];
const phasesOf = (): object =>
  chance(0.2)
    ? {}
    : Object.fromEntries(
        ['plan', 'phaseIn', 'active', 'phaseOut', 'endOfLife'].flatMap((phase, i) =>
          chance(0.5) ? [[phase, days[i]!]] : [],
        ),
      );
const ids: string[] = [];
for (let n = 0; n < 70; n++) {
  const { id } = await make('/cards', {
    type: pick(TYPES),
    name: `Card ${n}`,
    lifecycle: phasesOf(),
    attributes: { ...(chance(0.5) && { fee: n }), ...(chance(0.5) && { note: 'n' }) },
    ...(ids.length > 0 && chance(0.7) && { parent_id: pick(ids.slice(-25)) }),
  });
  ids.push(id);
}
for (let n = 0; n < 110; n++) {
  const { status } = await api.post('/relations', {
    type: pick(KINDS.slice(0, 2)),
    // The last cards have no relations.
    source_id: pick(ids.slice(0, -8)),
    target_id: pick(ids.slice(0, -8)),
  });
  if (status !== 201 && status !== 409) throw new Error(`relating gave ${status}`);
}
const users = [viewer.user.id, admin.user.id, blind.user.id];
for (let n = 0; n < 60; n++)
  await api.post(`/cards/${pick(ids)}/stakeholders`, { user_id: pick(users), role: pick(ROLES.slice(0, 2)) });
const everything = expectStatus(await api.get('/cards', { query: { page_size: 200 } }), 200, 'all').body.items;
const parents = new Map(everything.map((card) => [card.id, card['parent_id'] as string | null]));
for (const id of ids.filter((one) => ![...parents.values()].includes(one)).slice(0, 6))
  expectStatus(await api.post(`/cards/${id}/archive`, {}), 200, 'archiving');
// Times that differ by hours, in a known order.
for (const [i, id] of ids.entries())
  await sql(
    database,
    `with c as (update cards set created_at = '2026-01-01T00:00:00Z'::timestamptz + $2::int * interval '1 hour' where id = $1)
      update card_contents set updated_at = '2026-02-01T00:00:00Z'::timestamptz + $2::int * interval '1 hour' where id = $1`,
    [id, i],
  );

type Query = Record<string, string | number>;
interface Stake {
  user_id: string;
  role: string;
}
type Card = AnyBody & {
  status: string;
  lifecycle_phase: string | null;
  data_quality: number;
  stakeholders?: Stake[];
  created_at: string;
  updated_at: string;
};
type Relation = AnyBody & { source_id: string; target_id: string; source: AnyBody; target: AnyBody };

/** All pages of a list by its cursors. */
async function pages<T>({ who }: View, path: string, query: Query, page_size: number): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | null = null;
  do {
    const answer: Answer = await who.api.get(path, { query: { ...query, page_size, ...(cursor && { cursor }) } });
    const { body } = expectStatus(answer, 200, `${path} ${JSON.stringify(query)}`);
    found.push(...(body.items as T[]));
    cursor = body.next_cursor;
    if (cursor === null && query['total'] === 'exact' && body.total !== found.length)
      throw new Error(`${JSON.stringify(query)} has ${body.total} hits, and ${found.length} were listed`);
  } while (cursor !== null);
  return found;
}

/** What a reader sees, by the plain lists. */
class World {
  readonly byId: ReadonlyMap<string, Card>;

  constructor(
    readonly view: View,
    readonly cards: readonly Card[],
    readonly relations: readonly Relation[],
  ) {
    this.byId = new Map(cards.map((card) => [card.id, card]));
  }

  /** The cards of the subtrees of visible cards. */
  below(roots: readonly string[]): Set<string> {
    const seen = new Set(roots.filter((id) => this.byId.has(id)));
    const isBelow = (id: string | null | undefined): boolean =>
      typeof id === 'string' && (seen.has(id) || isBelow(parents.get(id)));
    return new Set(ids.filter(isBelow));
  }

  /** The relations of a card in a direction, with the card at the other end. */
  of(id: string, direction = 'both'): { type: string; other: string }[] {
    return this.relations.flatMap(({ type, source_id, target_id }) => [
      ...(direction !== 'incoming' && source_id === id ? [{ type, other: target_id }] : []),
      ...(direction !== 'outgoing' && target_id === id ? [{ type, other: source_id }] : []),
    ]);
  }
}
const worlds: World[] = [];
for (const view of Object.values(readers))
  worlds.push(
    new World(
      view,
      await pages<Card>(view, '/cards', { status: 'ACTIVE,ARCHIVED' }, 200),
      await pages<Relation>(view, '/relations', {}, 200),
    ),
  );

type Match = (card: Card, world: World, query: Query) => boolean;
const list = (query: Query, name: string): string[] => String(query[name]).split(',');
const linked = (card: Card, world: World, query: Query, others: ReadonlySet<string>): boolean =>
  world
    .of(card.id, query['direction'] as string | undefined)
    .some(
      ({ type, other }) =>
        others.has(other) && (query['relation_type'] === undefined || list(query, 'relation_type').includes(type)),
    );
const lacks = (card: Card, world: World, query: Query, types: readonly string[] | undefined): boolean =>
  !world.view.relationless.includes(card.type) &&
  !world
    .of(card.id, query['direction'] as string | undefined)
    .some(({ type }) => types === undefined || types.includes(type));

const MATCHES: Record<string, Match> = {
  status: (card, _, query) => list(query, 'status').includes(card.status),
  type: (card, _, query) => list(query, 'type').includes(card.type),
  lifecycle_phase: (card, _, query) => list(query, 'lifecycle_phase').includes(card.lifecycle_phase ?? 'none'),
  'data_quality[gte]': (card, _, query) => card.data_quality >= Number(query['data_quality[gte]']),
  'data_quality[lt]': (card, _, query) => card.data_quality < Number(query['data_quality[lt]']),
  created_since: (card, _, query) => card.created_at >= String(query['created_since']),
  created_before: (card, _, query) => card.created_at < String(query['created_before']),
  updated_since: (card, _, query) => card.updated_at >= String(query['updated_since']),
  updated_before: (card, _, query) => card.updated_at < String(query['updated_before']),
  related_to: (card, world, query) =>
    linked(card, world, query, new Set(list(query, 'related_to').map((id) => id.toLowerCase()))),
  related_root_id: (card, world, query) => linked(card, world, query, world.below(list(query, 'related_root_id'))),
  has_relation: (card, world, query) =>
    query['has_relation'] === 'none'
      ? lacks(card, world, query, undefined)
      : world
          .of(card.id, query['direction'] as string | undefined)
          .some(({ type }) => list(query, 'has_relation').includes(type)),
  lacks_relation: (card, world, query) => lacks(card, world, query, list(query, 'lacks_relation')),
  stakeholder_id: (card, world, query) =>
    held(card, world, (stake) => isWanted(stake, query, world) && hasRole(stake, query)),
  stakeholder_role: (card, world, query) =>
    held(card, world, (stake) => isWanted(stake, query, world) && hasRole(stake, query)),
  'stakeholder_role[empty]': (card, _, query) =>
    card.stakeholders !== undefined &&
    !card.stakeholders.some(
      ({ role }) => query['stakeholder_role[empty]'] === 'any' || list(query, 'stakeholder_role[empty]').includes(role),
    ),
};
/** The caller's own roles are known also where stakeholders are not shown. */
const own = new Map<string, Stake[]>(everything.map((card) => [card.id, card['stakeholders'] as Stake[]]));
const held = (card: Card, { view }: World, fits: (stake: Stake) => boolean): boolean =>
  (card.stakeholders ?? own.get(card.id)!.filter(({ user_id }) => user_id === view.who.user.id)).some(fits);
const isWanted = ({ user_id }: Stake, query: Query, { view }: World): boolean =>
  query['stakeholder_id'] === undefined ||
  list(query, 'stakeholder_id').some((id) => (id === 'me' ? view.who.user.id : id) === user_id);
const hasRole = ({ role }: Stake, query: Query): boolean =>
  query['stakeholder_role'] === undefined || list(query, 'stakeholder_role').includes(role);

function expected(world: World, query: Query): string[] {
  // Roles of others are only matched on cards whose stakeholders are shown.
  const isOwn = query['stakeholder_id'] === 'me';
  const asks = query['stakeholder_id'] !== undefined || query['stakeholder_role'] !== undefined;
  return world.cards
    .filter((card) => query['status'] !== undefined || card.status === 'ACTIVE')
    .filter((card) => isOwn || !asks || card.stakeholders !== undefined)
    .filter((card) => Object.keys(query).every((name) => MATCHES[name]?.(card, world, query) ?? true))
    .map(({ id }) => id)
    .sort();
}

const time = (month: string): string =>
  `2026-0${month}-0${1 + Math.floor(random() * 3)}T${pick(['00', '12'])}:00:00.000Z`;
/** A random clause: one filter, with those that belong to it. */
const CLAUSES: (() => Query)[] = [
  () => ({ lifecycle_phase: some(['plan', 'phaseIn', 'active', 'phaseOut', 'endOfLife', 'none'], 3).join() }),
  () => ({ 'data_quality[gte]': pick([0, 12.5, 25, 33.3, 50, 75, 100]) }),
  () => ({ 'data_quality[lt]': pick([0, 12.5, 25, 33.3, 50, 75, 100]) }),
  () => ({ created_since: time('1') }),
  () => ({ created_before: time('1') }),
  () => ({ updated_since: time('2') }),
  () => ({ updated_before: time('2') }),
  () => ({ related_to: some(ids, 6).join() }),
  () => ({ related_to: some(ids, 6).join(), relation_type: some(KINDS, 2).join() }),
  () => ({ related_to: pick(ids), direction: pick(['incoming', 'outgoing', 'both']) }),
  () => ({ related_root_id: some(ids.slice(0, 20), 2).join() }),
  () => ({
    related_root_id: pick(ids.slice(0, 20)),
    relation_type: pick(KINDS),
    direction: pick(['incoming', 'outgoing']),
  }),
  () => ({ has_relation: some(KINDS, 2).join() }),
  () => ({ has_relation: pick(['none', ...KINDS]), direction: pick(['incoming', 'outgoing']) }),
  () => ({ has_relation: 'none' }),
  () => ({ lacks_relation: some(KINDS, 2).join() }),
  () => ({ lacks_relation: pick(KINDS), direction: pick(['incoming', 'outgoing']) }),
  () => ({ stakeholder_role: some(ROLES, 2).join() }),
  () => ({ stakeholder_role: pick(ROLES), stakeholder_id: pick(['me', ...users]) }),
  () => ({ 'stakeholder_role[empty]': some(ROLES, 2).join() }),
  () => ({ 'stakeholder_role[empty]': 'any' }),
];
const STATUS: Query[] = [{}, {}, { status: 'ACTIVE,ARCHIVED' }, { status: 'ARCHIVED' }, { type: 'Desk,Shelf' }];
const queries: Query[] = [
  ...CLAUSES.flatMap((clause) => STATUS.map((status) => ({ ...clause(), ...status }))),
  ...Array.from({ length: 40 }, () => ({ ...pick(CLAUSES)(), ...pick(CLAUSES)(), ...pick(STATUS) })),
];
/** Few cards a page, to follow cursors, or all of them; no common divisor with the number of sorts or of statuses. */
const PAGE_SIZES = [15, 200, 200, 7, 200, 200, 200];
const SORTS = ['name', 'created_at', 'updated_at', 'data_quality', 'attributes.fee', 'type'];

/** The context of a request of the user. */
function contextOf({ user }: Session): RequestContext {
  const actor = { id: user.id, displayName: user.display_name, email: user.email, role: user.role, sessionId: user.id };
  return { ...systemContext('api'), actor, permissions: app.services.rbac.permissionsOf(user.role) };
}

await t.test('the data has hits and misses for each filter and reader', async (t) => {
  for (const world of worlds)
    for (const name of Object.keys(MATCHES).filter((one) => one !== 'status' && one !== 'type')) {
      const counts = queries.filter((query) => name in query).map((query) => expected(world, query).length);
      t.ok(
        counts.some((n) => n > 0) && counts.some((n) => n < 60),
        `${world.view.who.user.role} ${name}: ${counts.join(' ')}`,
      );
    }
});

await t.test('lists, facets and exports contain exactly the cards that match', async (t) => {
  for (const world of worlds) {
    const { view } = world;
    const wrong: string[] = [];
    for (const [i, query] of queries.entries()) {
      const wanted = expected(world, query);
      const sort = { sort_by: SORTS[i % SORTS.length]!, sort_dir: pick(['asc', 'desc']) };
      const size = PAGE_SIZES[i % PAGE_SIZES.length]!;
      const listed = (await pages<Card>(view, '/cards', { ...query, ...sort, total: 'exact' }, size)).map(
        ({ id }) => id,
      );
      if (listed.sort().join() !== wanted.join()) wrong.push(`list ${JSON.stringify(query)}`);
      const facets = await view.who.api.get('/cards/facets', { query });
      if (facets.status !== 200 || facets.body.total !== wanted.length) wrong.push(`facets ${JSON.stringify(query)}`);
      if (i % 3 > 0) continue;
      const file = await view.who.api.get<unknown>('/cards/export', { query: { ...query, format: 'json' } });
      const exported = file.status === 200 ? (file.body as Card[]).map(({ id }) => id).sort() : [];
      if (exported.join() !== wanted.join()) wrong.push(`export ${file.status} ${JSON.stringify(query)}`);
    }
    t.strictSame(wrong, [], view.who.user.role);
  }
});

await t.test('cached facets are those of the filters and of the reader', async (t) => {
  const reads = new CardReads(db, app.services.metamodel, { cards: 0, ageMs: 3_600_000, most: 10_000 });
  for (const round of ['counted', 'cached'])
    for (const world of worlds) {
      const ctx = contextOf(world.view.who);
      const wrong: string[] = [];
      for (const query of queries) {
        const { total } = await reads.facets(ctx, query as CardFilters);
        if (total !== expected(world, query).length) wrong.push(JSON.stringify(query));
      }
      t.strictSame(wrong, [], `${world.view.who.user.role}, ${round}`);
    }
});

await t.test('a cursor belongs to its filters', async (t) => {
  const a: Query = { status: 'ACTIVE', page_size: 1 };
  const others: Query[] = [
    { lifecycle_phase: 'none,active,endOfLife,plan' },
    { 'data_quality[gte]': 0 },
    { 'data_quality[lt]': 100 },
    { created_since: '2020-01-01T00:00:00Z' },
    { updated_before: '2030-01-01T00:00:00Z' },
    { related_to: ids.join() },
    { related_root_id: ids.join() },
    { has_relation: KINDS.join() },
    { has_relation: KINDS.join(), direction: 'outgoing' },
    { lacks_relation: 'idle' },
    { related_to: ids.join(), relation_type: KINDS.join() },
    { stakeholder_role: 'own,watch' },
    { 'stakeholder_role[empty]': 'unused' },
  ];
  const cursors: string[] = [];
  for (const query of [{}, ...others]) {
    const { body } = expectStatus(await api.get('/cards', { query: { ...a, ...query } }), 200, JSON.stringify(query));
    cursors.push(body.next_cursor!);
  }
  for (const [i, query] of [{}, ...others].entries())
    for (const [n, cursor] of cursors.entries()) {
      const { status } = await api.get('/cards', { query: { ...a, ...query, cursor } });
      t.equal(status, i === n ? 200 : 422, `${JSON.stringify(query)} with cursor ${n}`);
    }
});

await t.test('relations: subtrees and types of the ends', async (t) => {
  const clauses: (() => Query)[] = [
    () => ({ source_root_id: some(ids.slice(0, 25), 3).join() }),
    () => ({ target_root_id: some(ids.slice(0, 25), 3).join() }),
    () => ({ source_type: some(TYPES, 2).join() }),
    () => ({ target_type: some(TYPES, 2).join() }),
    () => ({ type: pick(KINDS) }),
  ];
  const all = Array.from({ length: 60 }, () => ({ ...pick(clauses)(), ...(chance(0.4) && pick(clauses)()) }));
  for (const world of worlds) {
    const wrong: string[] = [];
    for (const [i, query] of all.entries()) {
      const among = (name: string, id: string): boolean =>
        query[name] === undefined || world.below(list(query, name)).has(id);
      const isOf = (name: string, type: string): boolean =>
        query[name] === undefined || list(query, name).includes(type);
      const wanted = world.relations
        .filter(
          ({ type, source, target }) =>
            among('source_root_id', source.id) &&
            among('target_root_id', target.id) &&
            isOf('source_type', source.type) &&
            isOf('target_type', target.type) &&
            isOf('type', type),
        )
        .map(({ id }) => id);
      const listed = await pages<Relation>(
        world.view,
        '/relations',
        { ...query, total: 'exact' },
        i % 4 === 0 ? 7 : 200,
      );
      if (
        listed
          .map(({ id }) => id)
          .sort()
          .join() !== wanted.sort().join()
      )
        wrong.push(JSON.stringify(query));
    }
    t.strictSame(wrong, [], world.view.who.user.role);
  }
  const { body } = await api.get('/relations', { query: { source_type: 'Desk', page_size: 1 } });
  for (const query of [{ source_type: 'Vault' }, { target_type: 'Desk' }, { source_root_id: ids[0]! }] as Query[])
    t.equal((await api.get('/relations', { query: { ...query, cursor: body.next_cursor! } })).status, 422);
  t.match(await api.get('/relations', { query: { source_type: 'x', target_root_id: 'y', 'attributes.z': 1 } }), {
    status: 422,
    body: { errors: [{ field: 'target_root_id' }, { field: 'source_type' }, { field: 'attributes.z' }] },
  });
});

await t.test('without the permissions the filters are a 403', async (t) => {
  for (const path of ['/cards', '/cards/facets', '/cards/export'])
    for (const [query, permission] of [
      [{ related_to: ids[0]! }, 'relations.view'],
      [{ related_root_id: ids[0]! }, 'relations.view'],
      [{ has_relation: 'touches' }, 'relations.view'],
      [{ has_relation: 'none' }, 'relations.view'],
      [{ lacks_relation: 'touches' }, 'relations.view'],
      [{ stakeholder_role: 'own' }, 'stakeholders.view'],
      [{ 'stakeholder_role[empty]': 'own' }, 'stakeholders.view'],
      [{ 'stakeholder_role[empty]': 'any', stakeholder_id: 'me' }, 'stakeholders.view'],
      [{ stakeholder_role: 'own', stakeholder_id: viewer.user.id }, 'stakeholders.view'],
    ] as [Query, string][])
      t.match(
        await blind.api.get(path, { query }),
        { status: 403, body: { required_permission: permission } },
        `${path} ${JSON.stringify(query)}`,
      );
  const mine = await blind.api.get('/cards', { query: { stakeholder_role: 'own', stakeholder_id: 'me' } });
  const wanted = everything.filter((card) =>
    (card['stakeholders'] as Stake[]).some(({ user_id, role }) => user_id === blind.user.id && role === 'own'),
  );
  t.ok(mine.status === 200 && mine.body.total <= wanted.length && mine.body.total > 0, 'own roles are known');
});

await t.test('every invalid filter is reported', async (t) => {
  const invalid: Query = {
    lifecycle_phase: 'active,soon',
    related_to: 'x',
    related_root_id: '',
    relation_type: 'nothing',
    has_relation: 'none,touches',
    lacks_relation: 'constructor',
    stakeholder_role: 'nothing',
    'stakeholder_role[empty]': 'any,own',
    type: 'Nothing',
  };
  const { status, body } = await api.get('/cards', { query: invalid });
  t.equal(status, 422);
  t.strictSame(body.errors.map(({ field }) => field).sort(), Object.keys(invalid).sort());
  for (const [query, field] of [
    [{ direction: 'outgoing' }, 'direction'],
    [{ direction: 'sideways', has_relation: 'none' }, 'direction'],
    [{ relation_type: 'touches' }, 'relation_type'],
    [{ relation_type: 'touches', has_relation: 'feeds' }, 'relation_type'],
    [{ 'data_quality[gte]': 101 }, 'data_quality[gte]'],
    [{ 'data_quality[lt]': 'x' }, 'data_quality[lt]'],
    [{ 'data_quality[gt]': 1 }, 'data_quality[gt]'],
    [{ data_quality: 1 }, 'data_quality'],
    [{ updated_before: 'yesterday' }, 'updated_before'],
  ] as [Query, string][])
    t.match(await api.get('/cards', { query }), { status: 422, body: { errors: [{ field }] } }, JSON.stringify(query));
});

await t.test('hostile texts are a 422 or find nothing unexpected, never an error of the service', async (t) => {
  const hostile = [
    '',
    ',',
    'null',
    'none,none',
    "' or 1=1 --",
    '%',
    '\\',
    '{}',
    '{a,b}',
    '$1',
    '__proto__',
    'constructor',
    '🚀',
    '\ud800',
    '\0',
    '1e999',
    'NaN',
    '-0',
    '9'.repeat(400),
    'x'.repeat(1_900),
    '00000000-0000-0000-0000-000000000000',
    'urn:uuid:00000000-0000-0000-0000-000000000000',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:60Z',
    'infinity',
  ];
  const answers = new Set<number>();
  const ask = async (path: string, query: Query): Promise<void> => {
    const { status } = await api.get<unknown>(path, { query });
    answers.add(status);
    t.ok(status === 200 || status === 422, `${path} ${JSON.stringify(query)}: ${status}`);
  };
  // The three read their filters by the same code: each value of each filter is sent to one of them, and each filter to all.
  const paths = ['/cards', '/cards/facets', '/cards/export'];
  for (const [i, value] of hostile.entries()) {
    for (const [j, name] of [...Object.keys(MATCHES), 'relation_type', 'direction'].entries())
      await ask(paths[(i + j) % paths.length]!, {
        [name]: value,
        ...(name === 'relation_type' && { related_to: ids[0]! }),
      });
    for (const name of ['source_root_id', 'target_root_id', 'source_type', 'target_type', 'total'])
      await ask('/relations', { [name]: value });
  }
  t.strictSame([...answers].sort(), [200, 422]);
});
