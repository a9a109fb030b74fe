import t from 'tap';
import { resourceContract, testApp } from '@lintel/sdk/testing';
import module from '../index.js';
import { behaviour, source, tables } from './support/source.js';

const app = await testApp({ modules: [module, source] });
t.teardown(app.close);
const { admin } = app;
const own = ['cards.view', 'cards.create', 'cards.edit', 'relations.view', 'cmdbsync.view', 'cmdbsync.manage'];
for (const [key, permissions] of [
  ['cmdb', own],
  ['reader', ['cmdbsync.view']],
  ['sync', ['cards.view', 'cards.create', 'cards.edit']],
  ['strong', ['cards.view', 'cards.delete', 'costs.view']],
] as const)
  await admin.post('/roles', { key, label: key, permissions });
const manager = await app.asUser('cmdb');
const path = `${app.prefix}/mappings`;
const connection = await admin.post(`${app.prefix}/connections`, {
  name: 'Source',
  connector: 'acme_source',
  config: { url: 'https://one.example.com' },
  secrets: { token: 'first' },
});
const account = async (name: string, role: string): Promise<string> => {
  const { status, body } = await admin.post('/users', {
    email: `${role}@example.org`,
    display_name: name,
    role,
    kind: 'service',
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.id;
};
const [sync, strong] = [await account('Synchronisation', 'sync'), await account('Strong', 'strong')];

let count = 0;
const direct = { kind: 'direct' };
const name = { source: 'name', target: 'name', owner: 'cmdb', transform: direct };
const input = (more: Record<string, unknown> = {}) => ({
  name: `Mapping ${++count}`,
  connection_id: connection.body.id,
  card_type: 'ITComponent',
  table: 'servers',
  fields: [name],
  ...more,
});
type Errors = { field: string; reason: string }[];
const fieldsOf = (body: unknown): string[] =>
  ((body as { errors?: Errors }).errors ?? []).map(({ field }) => field).sort();

for (const { name: check, run } of resourceContract({
  app,
  path,
  kind: 'cmdbsync_mapping',
  writer: 'cmdb',
  reader: 'reader',
  create: (n) => input({ name: `Contract ${n}`, filter: 'a=1' }),
  update: { direction: 'both' },
  nullable: 'filter',
  text: 'filter',
  invalid: [
    {
      body: { ...input(), direction: 'up', delete_ratio: 2, fields: [] },
      fields: ['/direction', '/delete_ratio', '/fields'],
    },
  ],
}))
  t.test(check, run);

t.test('every invalid field is named', async (t) => {
  const { status, body } = await manager.post(
    path,
    input({
      fields: [
        { ...name, target: 'attributes.none' },
        { source: '', target: 'alias', owner: 'cmdb', transform: direct },
        { source: 'a', target: 'description', owner: 'ea', transform: { kind: 'template', template: '{a}' } },
        {
          source: 'b',
          target: 'subtype',
          owner: 'cmdb',
          transform: { kind: 'value_map', values: { 'a/b': 'none', c: 'hardware' }, otherwise: 'x' },
        },
        {
          source: 'c',
          target: 'attributes.version',
          owner: 'cmdb',
          transform: { kind: 'number', factor: 0, template: 'x' },
        },
        {
          source: 'd',
          target: 'lifecycle.active',
          owner: 'cmdb',
          transform: { kind: 'expression', expression: 'unknown.call(' },
        },
        { source: 'e', target: 'lifecycle.never', owner: 'cmdb', transform: { kind: 'date' } },
        { source: 'f', target: 'alias', owner: 'cmdb', transform: { kind: 'value_map' } },
      ],
      identity: [{ target: 'attributes.licenseType' }, { target: 'alias' }],
      relations: [
        { key: 'a', source: 'a', target_table: 't', relation_type: 'none', card_end: 'source' },
        { key: 'a', source: 'a', target_table: 't', relation_type: 'organizationToITComponent', card_end: 'source' },
        { key: 'p', source: 'a', target_table: 't', relation_type: 'parent', card_end: 'target' },
        { key: 'q', source: 'a', target_table: 't', relation_type: 'parent', card_end: 'source' },
      ],
      creates_remote: true,
      schedule: '0 0 30 2 *',
      time_zone: 'Mars/Base',
    }),
  );
  t.equal(status, 422);
  t.same(fieldsOf(body), [
    '/creates_remote',
    '/fields',
    '/fields/0/target',
    '/fields/1/source',
    '/fields/2/owner',
    '/fields/3/transform/otherwise',
    '/fields/3/transform/values/a~1b',
    '/fields/4/transform/factor',
    '/fields/4/transform/template',
    '/fields/5/transform/expression',
    '/fields/6/target',
    '/fields/7/target',
    '/fields/7/transform/values',
    '/identity/0/target',
    '/relations/0/relation_type',
    '/relations/1/card_end',
    '/relations/1/key',
    '/relations/2/card_end',
    '/relations/3/relation_type',
    '/runs_as',
    '/schedule',
    '/time_zone',
  ]);
  const expressions = Array.from({ length: 51 }, () => ({
    ...name,
    transform: { kind: 'expression', expression: 'none' },
  }));
  const many = await manager.post(path, input({ fields: expressions }));
  t.match(many.body.errors, [{ field: '/fields', reason: 'must have at most 50 expressions' }]);
  const flat = await manager.post(
    path,
    input({
      card_type: 'Interface',
      relations: [{ key: 'p', source: 'a', target_table: 't', relation_type: 'parent', card_end: 'source' }],
    }),
  );
  t.same(fieldsOf(flat.body), ['/relations/0/relation_type']);
  t.same(
    fieldsOf((await manager.post(path, input({ card_type: 'None', owner_id: sync.replace(/.$/, '0') }))).body).length >
      0,
    true,
  );
  t.same(fieldsOf((await manager.post(path, input({ connection_id: sync }))).body), ['/connection_id']);
});

t.test('unusual bodies are refused or stored, and never an error of the service', async (t) => {
  const expression = `record.a${' + record.a'.repeat(90)}`;
  for (const body of [
    input({ fields: [{ ...name, source: '\u0000' }] }),
    input({ fields: [{ ...name, source: '\ud800' }] }),
    input({ fields: [{ ...name, transform: { kind: 'value_map', values: { ['__proto__']: 'x', '\u0000': 'y' } } }] }),
    input({
      card_type: '__proto__',
      relations: [{ key: 'a', source: 'a', target_table: 'a', relation_type: 'constructor', card_end: 'source' }],
    }),
    input({ fields: [{ ...name, transform: { kind: 'expression', expression: '"\\ud800"' } }] }),
    input({
      fields: [
        name,
        ...Array.from({ length: 199 }, () => ({
          ...name,
          target: 'alias',
          transform: { kind: 'expression', expression },
        })),
      ],
    }),
    input({ time_zone: '../../etc/passwd' }),
    input({ delete_ratio: 0.12345 }),
  ]) {
    const { status } = await manager.post(path, body);
    t.ok([201, 400, 422].includes(status), `${status}`);
  }
  for (const is_enabled of ['true', 'false'])
    t.equal((await manager.get(`${path}?is_enabled=${is_enabled}`)).status, 200);
});

t.test('runs have the rights of an account whose rights the caller holds', async (t) => {
  const created = await manager.post(path, input({ runs_as: sync }));
  t.equal(created.status, 201, JSON.stringify(created.body));
  t.equal((await manager.post(path, input({ runs_as: strong }))).status, 403);
  t.match(await manager.post(path, input({ runs_as: manager.user.id })), {
    status: 422,
    body: { errors: [{ field: '/runs_as' }] },
  });
  const powerful = await admin.post(path, input({ runs_as: strong }));
  t.equal(powerful.status, 201, JSON.stringify(powerful.body));
  const one = `${path}/${powerful.body.id}`;
  t.equal(
    (await manager.patch(one, { fields: [name, { ...name, target: 'alias' }] })).status,
    403,
    'nor by its fields',
  );
  const moved = { config: { url: 'https://two.example.com' }, secrets: { token: 'second' } };
  t.equal(
    (await manager.patch(`${app.prefix}/connections/${connection.body.id}`, moved)).status,
    403,
    'nor by its source',
  );
  t.equal((await manager.patch(one, { runs_as: sync })).status, 200);
});

t.test('the next run is computed, and a change of what is read needs a full read', async (t) => {
  const { body } = await manager.post(path, input({ runs_as: sync, schedule: '0 2 * * *', time_zone: 'Asia/Kolkata' }));
  t.match(body['next_run_at'], /T20:30:00.000Z$/);
  const one = `${path}/${body.id}`;
  const watermark = async () =>
    (await app.query('select watermark from cmdbsync_mappings where id = $1', [body.id]))[0]!['watermark'];
  await app.query("update cmdbsync_mappings set watermark = 'w' where id = $1", [body.id]);
  t.match((await manager.patch(one, { time_zone: 'UTC' })).body['next_run_at'], /T02:00:00.000Z$/);
  t.equal(await watermark(), 'w');
  t.equal((await manager.patch(one, { is_enabled: false })).body['next_run_at'], null);
  t.equal((await manager.patch(one, { filter: 'x' })).status, 200);
  t.equal(await watermark(), null);
  const fixed = await manager.patch(one, { table: 'other', card_type: 'Application' });
  t.same([fixed.status, fieldsOf(fixed.body)], [422, ['/card_type', '/table']]);
});

t.test('a preview shows what would be read, and stores nothing', async (t) => {
  tables.set('servers', [
    { id: '1', values: { name: 'srv-1', cost: 5, status: '1', site: { id: 7 } } },
    { id: '2', values: { name: 'srv-2', cost: 'much', status: '9', site: null } },
    { id: '3', values: { name: 'srv-3', cost: 7, status: '1', site: {} } },
  ]);
  const card = await manager.post('/cards', { type: 'ITComponent', name: 'SRV-2' });
  const mapping = await manager.post(
    path,
    input({
      fields: [
        name,
        { source: 'cost', target: 'attributes.costTotalAnnual', owner: 'cmdb', transform: { kind: 'number' } },
        {
          source: 'status',
          target: 'subtype',
          owner: 'cmdb',
          transform: { kind: 'value_map', values: { '1': 'hardware' }, otherwise: null },
        },
        {
          source: '',
          target: 'description',
          owner: 'cmdb',
          transform: { kind: 'expression', expression: '"of " + record.name' },
        },
      ],
      identity: [{ target: 'external_id' }, { target: 'name' }],
      relations: [
        {
          key: 'site',
          source: 'site',
          target_table: 'sites',
          relation_type: 'organizationToITComponent',
          card_end: 'target',
        },
      ],
    }),
  );
  t.equal(mapping.status, 201, JSON.stringify(mapping.body));
  const one = `${path}/${mapping.body.id}/preview`;
  const seen = await admin.post(one, { limit: 20 });
  t.strictSame(seen.body.items, [
    {
      external_id: '1',
      raw: { name: 'srv-1', cost: 5, status: '1', site: { id: 7 } },
      values: { name: 'srv-1', 'attributes.costTotalAnnual': 5, subtype: 'hardware', description: 'of srv-1' },
      references: { site: ['7'] },
      errors: [],
      card: null,
    },
    {
      external_id: '2',
      raw: { name: 'srv-2', cost: 'much', status: '9', site: null },
      values: { name: 'srv-2', subtype: null, description: 'of srv-2' },
      references: { site: [] },
      errors: [{ field: 'attributes.costTotalAnnual', reason: 'is not a number' }],
      card: { id: card.body.id, name: 'SRV-2', matched_by: 'name' },
    },
    {
      external_id: '3',
      raw: { name: 'srv-3', cost: 7, status: '1', site: {} },
      values: { name: 'srv-3', 'attributes.costTotalAnnual': 7, subtype: 'hardware', description: 'of srv-3' },
      references: {},
      errors: [{ field: 'site', reason: 'has a reference without an id' }],
      card: null,
    },
  ]);
  const withheld = await manager.post(one, { limit: 2 });
  t.same(withheld.body['withheld'], ['attributes.costTotalAnnual']);
  t.notMatch(JSON.stringify(withheld.body.items), /cost|much/i);
  t.equal(withheld.body.items.length, 2);
  await app.query(
    "insert into cmdbsync_identities (mapping_id, external_id, id, card_id) values ($1, '1', gen_random_uuid(), $2)",
    [mapping.body.id, card.body.id],
  );
  t.match(await manager.post(one, { limit: 1 }), {
    body: { items: [{ card: { id: card.body.id, matched_by: 'identity' } }] },
  });
  behaviour.is = 'failing';
  t.match(await manager.post(one, { limit: 1 }), {
    status: 422,
    body: { code: 'cmdbsync_source_failed', fault: 'authentication' },
  });
  behaviour.is = 'fine';
  t.match(await manager.post(one, { limit: 21 }), { status: 422 });
  const [counts] = await app.query("select count(*)::int as cards from cards where name like 'srv-%'");
  t.match(counts, { cards: 0 });
});

t.test('templates fit the default metamodel', async (t) => {
  const listed = await manager.get(`${app.prefix}/templates`);
  t.match(
    listed.body.items.map(({ key }) => key),
    ['netbox', 'servicenow'],
  );
  t.match(
    await manager.post(`${app.prefix}/connections/${connection.body.id}/mappings/from-template`, {
      template: 'netbox',
    }),
    {
      status: 422,
      body: { errors: [{ field: '/template' }] },
    },
  );
  for (const { key, count: mappings } of [
    { key: 'netbox', count: 7 },
    { key: 'servicenow', count: 3 },
  ]) {
    const { rows } = {
      rows: await app.query('update cmdbsync_connections set connector = $2 where id = $1 returning id', [
        connection.body.id,
        key,
      ]),
    };
    t.equal(rows.length, 1);
    const from = `${app.prefix}/connections/${connection.body.id}/mappings/from-template`;
    const made = await manager.post(from, {
      template: key,
      runs_as: sync,
      schedule: '0 2 * * *',
      time_zone: 'Europe/Berlin',
    });
    t.equal(made.status, 201, JSON.stringify(made.body));
    t.equal((made.body['ids'] as string[]).length, mappings);
    t.match(await manager.get(`${path}/${(made.body['ids'] as string[])[0]}`), {
      body: { runs_as: sync, schedule: '0 2 * * *', time_zone: 'Europe/Berlin' },
    });
    const before = await manager.get(path);
    t.match(await manager.post(from, { template: key }), { status: 409, body: { code: 'cmdbsync_name_taken' } });
    t.equal((await manager.get(path)).body.total, before.body.total, 'all of them or none');
  }
});
