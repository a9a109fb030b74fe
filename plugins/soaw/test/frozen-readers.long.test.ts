/**
 * What a reader is shown of frozen and live tables is the same whether cards, relations, amounts and stakeholders exist that the reader
 * may not see: the rows, their order, their number, sums, notes and files, for all filters and limits that an author can choose.
 */
import t from 'tap';
import { canonicalJson } from '@lintel/sdk';
import {
  expectStatus,
  makeUser,
  openStream,
  registerAdmin,
  sql,
  testApp,
  type Session,
} from '../../../test/support/app.js';
import { FILES, KINDS, textOf } from './signing-support.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const make = async (path: string, body: object, by = admin): Promise<string> =>
  expectStatus(await by.api.post(path, body), 201, path).body.id;
const patch = async (path: string, body: object) => expectStatus(await admin.api.patch(path, body), 200, path);

const fields = [
  { key: 'twin', label: 'Twin', kind: 'card_reference' },
  { key: 'fee', label: 'Fee', kind: 'cost' },
  { key: 'note', label: 'Note', kind: 'text' },
];
const sections = [{ key: 'main', label: 'Main', fields }];
const type = { has_hierarchy: true, sections };
for (const key of ['Vault', 'Desk']) await make('/metamodel/types', { key, label: key, ...type });
for (const key of ['Vault', 'Desk'])
  await patch(`/metamodel/types/${key}`, { allowed_parent_types: ['Vault', 'Desk'] });
const ends = { source_type: 'Vault', target_type: 'Desk' };
for (const relation of [
  { key: 'touches', source_type: '*', target_type: '*' },
  { key: 'feeds', ...ends, target_mandatory: true },
  { key: 'vaultToDeskSuccessor', ...ends },
])
  await make('/metamodel/relation-types', { label: relation.key, ...relation });

const all = ['cards.view', 'relations.view', 'stakeholders.view', 'costs.view', 'risks.view', 'adr.view'];
const reader = async (key: string, missing?: string, rules = {}): Promise<Session> => {
  const permissions = [...all.filter((permission) => permission !== missing), 'soaw.view', 'soaw.manage', 'soaw.sign'];
  expectStatus(await admin.api.post('/roles', { key, label: key, permissions, types: rules }), 201, key);
  return await makeUser(admin, key);
};
const blind = await reader('blind', undefined, { Vault: { 'cards.view': false } });
const loose = await reader('loose', undefined, { Vault: { 'relations.view': false } });
const lonely = await reader('lonely', 'relations.view');
const poor = await reader('poor', 'costs.view');
const partly = await reader('partly', undefined, { Desk: { 'costs.view': false } });
const unaware = await reader('unaware', 'stakeholders.view');

const desks: string[] = [];
for (const [i, name] of ['Desk b', 'Desk c', 'Desk d', 'Desk e', 'Desk f', 'Desk g'].entries())
  desks.push(
    await make('/cards', {
      type: 'Desk',
      name,
      description: i % 2 === 0 ? 'harbour' : 'meadow',
      attributes: { fee: 10 * i, note: `n${i}`, ...(i > 3 && { twin: desks[0] }) },
      lifecycle: { active: '2020-01-01', [i < 3 ? 'endOfLife' : 'phaseOut']: `2021-0${i + 1}-01` },
      ...(i === 1 && { parent_id: desks[0] }),
    }),
  );
const [b, c, d, e] = desks as [string, string, string, string];
await make('/relations', { type: 'touches', source_id: b, target_id: c });
await make('/risks', {
  title: 'Damp',
  category: 'technology',
  cards: [b, c, d].map((card_id) => ({ card_id, role: 'affected' })),
});
await make('/adr', { title: 'Move', card_ids: [c, d, e] });
const vaults = [
  await make('/cards', {
    type: 'Vault',
    name: 'Zz vault',
    attributes: { fee: 7 },
    lifecycle: { active: '2022-01-01' },
  }),
];

const FILTERS: Record<string, string>[] = [
  {},
  { type: 'Desk' },
  { type: 'Desk,Vault' },
  { search: 'harbour' },
  { search: 'Desk' },
  { search: 'secret' },
  { 'subtype[empty]': 'true' },
  { parent_id: 'null' },
  { parent_id: b },
  { root_id: b },
  { ids: desks.join(',') },
  { has_relation: 'touches' },
  { lacks_relation: 'touches' },
  { has_relation: 'none' },
  { lacks_relation: 'feeds', type: 'Desk' },
  { related_to: b },
  { related_root_id: b, relation_type: 'touches' },
  { 'attributes.twin': b },
  { 'attributes.twin[empty]': 'true' },
  { 'attributes.twin[empty]': 'false' },
  { 'attributes.twin[ne]': b },
  { 'attributes.fee[gte]': '15' },
  { 'attributes.fee[empty]': 'true' },
  { 'attributes.note[contains]': 'n' },
  { 'stakeholder_role[empty]': 'any' },
  { stakeholder_role: 'responsible' },
  { approval_status: 'DRAFT', lifecycle_phase: 'endOfLife' },
];
const LIMITS = [1, 3, 500];
/** Cards with each filter, and two of the other kinds. */
const TABLES = FILTERS.flatMap((filter, i) =>
  ['cards', KINDS[1 + (i % 5)]!, KINDS[1 + ((i + 2) % 5)]!].map((kind, k) => ({
    filter,
    kind,
    limit: LIMITS[(Math.floor(i / 3) + i + k) % 3]!,
  })),
).map((table, i) => ({ ...table, id: `t${i}`, title: `Table ${i}` }));
const DOCUMENTS = Array.from({ length: Math.ceil(TABLES.length / 20) }, (_, i) => TABLES.slice(20 * i, 20 * i + 20));
/** References are compared by the list of cards, which has tests of its own for those to hidden cards. */
const DRAFTS = DOCUMENTS.map((tables) =>
  tables.filter(({ filter }) => !Object.keys(filter).some((key) => key.startsWith('attributes.twin['))),
);

interface Document {
  id: string;
  number: string;
}
/** A document for each part of the tables, frozen, and one that stays a draft. */
async function written(by: Session): Promise<Document[]> {
  const documents: Document[] = [];
  for (const [i, tables] of [...DOCUMENTS, ...DRAFTS].entries()) {
    const text = { key: 'overview', title: 'Overview', text: 'The cellar is left.' };
    // Those filters that the author may not use are refused, which is the same in both worlds.
    const answer = await by.api.post<Document & { errors?: { field: string }[] }>('/soaw', {
      title: 'Leave',
      sections: [{ ...text, tables }],
    });
    const refused = new Set(answer.body.errors?.map(({ field }) => Number(/tables\/(\d+)/.exec(field)?.[1])));
    const allowed = tables.filter((_, k) => !refused.has(k));
    const document =
      answer.status === 201
        ? answer.body
        : expectStatus(
            await by.api.post<Document>('/soaw', { title: 'Leave', sections: [{ ...text, tables: allowed }] }),
            201,
            'a document',
          ).body;
    documents.push(document);
    if (i < DOCUMENTS.length)
      expectStatus(
        await by.api.post(`/soaw/${document.id}/request-signatures`, { user_ids: [admin.user.id] }),
        200,
        'requesting',
      );
  }
  return documents;
}

/** All that a reader is shown of documents, without what is different in each document. */
async function shown(by: Session, documents: readonly Document[], hasFiles: boolean): Promise<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const [i, { id, number }] of documents.entries()) {
    const { content_hash: hash } = (await by.api.get<{ content_hash: string | null }>(`/soaw/${id}`)).body;
    const paths = [
      '/tables',
      `/diff?with=${documents[0]!.id}`,
      ...(hasFiles && i % 4 === 0 ? FILES.map((kind) => `.${kind}`) : []),
    ];
    for (const path of ['', ...paths]) {
      const answer = await fetch(`${origin}/api/v1/soaw/${id}${path}`, {
        headers: { authorization: `Bearer ${by.token}` },
      });
      const text = textOf(Buffer.from(await answer.arrayBuffer()), path.slice(1));
      result[`${i}${path.replace(/=.*/, '')}`] = `${answer.status} ${text
        .replaceAll(id, 'ID')
        .replaceAll(documents[0]!.id, 'FIRST')
        .replaceAll(number, 'NUMBER')
        .replaceAll(hash ?? 'no hash', 'HASH')
        .replaceAll(hash?.slice(0, 12) ?? 'no hash', 'HASH')
        .replace(/"content_hash":"\w+"/g, '"content_hash":"HASH"')
        .replace(/"nonce":"[^"]*"/g, '"nonce":"N"')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replace(/"serial":\d+/g, '')}`;
    }
  }
  return result;
}

interface Tap {
  ok(value: unknown, message: string): unknown;
  equal(a: unknown, b: unknown, message: string): unknown;
}
type View = Record<string, string>;
/** Compares what readers see of documents of an author, before and after a change that is hidden from them. */
async function unchanged(
  t: Tap,
  readers: Record<string, [reader: Session, author: Session]>,
  change: () => Promise<void>,
  hasFiles = false,
): Promise<void> {
  const look = async (): Promise<Record<string, View>> => {
    const views: Record<string, View> = {};
    for (const [name, [by, author]] of Object.entries(readers))
      views[name] = await shown(by, await written(author), hasFiles);
    return views;
  };
  const before = await look();
  await change();
  const after = await look();
  for (const [name, view] of Object.entries(before)) {
    t.ok(
      Object.values(view).every((text) => text.startsWith('200')),
      `${name}: all are read`,
    );
    for (const [key, text] of Object.entries(view)) {
      if (text === after[name]![key]) continue;
      t.equal(after[name]![key], text, `${name}: ${key}`);
    }
    t.ok(Object.keys(view).length > DOCUMENTS.length, `${name}: ${Object.keys(view).length} answers are the same`);
  }
}

t.test('hidden cards, however many, and what is related to them', async (t) => {
  const readers = { 'of the own documents': [blind, blind], 'of documents of others': [blind, admin] } as const;
  await unchanged(
    t,
    { ...readers } as never,
    async () => {
      for (const [i, name] of ['Aa', 'Desk a secret', 'Desk cc', 'Desk dd harbour', 'Zz'].entries())
        vaults.push(
          await make('/cards', {
            type: 'Vault',
            name,
            description: 'secret harbour',
            attributes: { fee: 100 + i, note: `n${i}`, twin: b },
            lifecycle: { active: '2019-01-01', phaseOut: '2020-05-01' },
            ...(i === 2 && { parent_id: b }),
          }),
        );
      const [aa, other] = [vaults[1]!, vaults[2]!];
      for (const [target, relation] of [
        [b, 'touches'],
        [d, 'touches'],
        [e, 'feeds'],
        [b, 'vaultToDeskSuccessor'],
      ])
        await make('/relations', { type: relation, source_id: aa, target_id: target });
      await patch(`/cards/${d}`, { attributes: { twin: other } });
      await patch(`/cards/${e}`, { parent_id: aa });
      const cards = vaults.slice(1).map((card_id) => ({ card_id, role: 'affected' }));
      await make('/risks', { title: 'Flood', category: 'technology', cards });
      await make('/adr', { title: 'Dig', card_ids: vaults.slice(1) });
    },
    true,
  );
  const [first] = await written(blind);
  const stream = await openStream(origin, blind.token, { lastEventId: 0 });
  await stream.waitFor(
    ({ event, data }) => event === 'soaw.signatures_requested' && JSON.stringify(data).includes(first!.id),
  );
  const events = JSON.stringify(stream.events.filter(({ event }) => event?.startsWith('soaw')));
  t.notMatch(events, new RegExp(vaults.slice(1).join('|')), 'nothing of them in events');
  stream.close();
});

t.test('hidden relations, amounts and stakeholders', async (t) => {
  await unchanged(t, { loose: [loose, admin], lonely: [lonely, admin], 'lonely, own': [lonely, lonely] }, async () => {
    for (const [i, relation] of ['touches', 'feeds', 'vaultToDeskSuccessor'].entries())
      await make('/relations', { type: relation, source_id: vaults[3], target_id: desks[i + 2] });
  });
  await unchanged(t, { poor: [poor, admin], 'poor, own': [poor, poor], partly: [partly, admin] }, async () => {
    for (const [i, id] of desks.entries())
      await patch(`/cards/${id}`, { attributes: { fee: i === 0 ? null : 100 - i } });
  });
  await unchanged(t, { unaware: [unaware, admin], 'unaware, own': [unaware, unaware] }, async () => {
    for (const id of [b, d]) await make(`/cards/${id}/stakeholders`, { user_id: admin.user.id, role: 'responsible' });
  });
});

t.test('a reader sees as many rows of visible cards as a limit permits, in their order', async (t) => {
  const [{ id }] = (await written(admin)) as [Document];
  const { tables } = (
    await blind.api.get<{ tables: { id: string; rows: { cells: unknown[] }[]; note: unknown }[] }>(`/soaw/${id}/tables`)
  ).body;
  const names = (key: string) => tables.find((table) => table.id === key)!.rows.map(({ cells }) => cells[0]);
  t.strictSame(
    TABLES.slice(0, 20).flatMap(({ kind, filter, limit, id: key }) =>
      kind === 'cards' && ['', 'type'].includes(Object.keys(filter).join()) ? [[limit, names(key)]] : [],
    ),
    [
      [1, ['Desk b']],
      [3, ['Desk b', 'Desk c', 'Desk d']],
      [500, ['Desk b', 'Desk c', 'Desk d', 'Desk e', 'Desk f', 'Desk g']],
    ],
  );
});

t.test('a table that was cut with all rights before is shown to those who see all of its card types', async (t) => {
  const documents = await written(admin);
  for (const { id } of documents.slice(0, DOCUMENTS.length)) {
    const [{ frozen }] = (await sql(database, 'select frozen from soaw_documents where id = $1', [id])) as unknown as [
      { frozen: { tables: { limit?: number; rows: unknown[] }[] } },
    ];
    for (const table of frozen.tables) {
      table.rows = table.rows.slice(0, table.limit);
      delete table.limit;
    }
    await sql(database, 'update soaw_documents set frozen = $2 where id = $1', [id, canonicalJson(frozen)]);
    const { tables } = (
      await blind.api.get<{ tables: { id: string; rows: unknown[]; note: string | null }[] }>(`/soaw/${id}/tables`)
    ).body;
    for (const { id: key, rows, note } of tables) {
      const { filter, kind } = TABLES.find((table) => table.id === key)!;
      if (filter['type'] === 'Desk' && kind !== 'gaps' && Object.keys(filter).length === 1) t.ok(rows.length > 0, key);
      if (filter['type'] !== 'Desk' || kind === 'gaps')
        t.match({ rows: rows.length, note }, { rows: 0, note: 'not_permitted' }, `${kind} ${JSON.stringify(filter)}`);
    }
    const whole = (await admin.api.get<{ tables: { rows: unknown[] }[] }>(`/soaw/${id}/tables`)).body.tables;
    t.ok(whole.some(({ rows }) => rows.length > 0));
  }
});

t.test('a document with very many card types', async (t) => {
  const table = { kind: 'cards', limit: 500 };
  const many = Array.from({ length: 20 }, (_, i) => ({
    ...table,
    id: `t${i}`,
    title: `T${i}`,
    filter: i === 0 ? { type: 'Desk' } : {},
  }));
  const id = await make('/soaw', { title: 'Wide', sections: [{ key: 'overview', title: 'Overview', tables: many }] });
  expectStatus(
    await admin.api.post(`/soaw/${id}/request-signatures`, { user_ids: [admin.user.id] }),
    200,
    'requesting',
  );
  const { tables } = (await blind.api.get<{ tables: { rows: unknown[]; note: string | null }[] }>(`/soaw/${id}/tables`))
    .body;
  t.match(tables[0], { rows: { length: 6 }, note: null }, 'of one type');
  for (const { rows, note } of tables.slice(1))
    t.match({ rows, note }, { rows: [], note: 'not_permitted' }, 'of all types');
  t.match(
    (await admin.api.get<{ tables: { rows: unknown[] }[] }>(`/soaw/${id}/tables`)).body.tables[1]!.rows.length,
    12,
  );
});
