/** Revisions of the metamodel are stored as differences: adding a tag does not depend on the number of tags. */
import pg from 'pg';
import t from 'tap';
import { boundKnex } from '../../core/foundation/db/bound-knex.js';
import { advance, compile } from '../../core/inventory/metamodel/assembly.js';
import type { Metamodel } from '../../core/inventory/metamodel/index.js';
import { readMetamodel } from '../../core/inventory/metamodel/repository.js';
import { readRevision } from '../../core/inventory/metamodel/revision-repository.js';
import * as migration from '../../migrations/0023_metamodel_revisions.js';
import { client, createDatabase, expectStatus, makeUser, registerAdmin, sql, testApp, until } from '../support/app.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
t.teardown(() => watch.stop());
const one = await testApp();
const two = await testApp({ database: one.database });
t.teardown(async () => {
  await Promise.all([one.close(), two.close()]);
});
const { database, app } = one;
const admin = await registerAdmin(one.origin);
const { api } = admin;
const there = client(two.origin, admin.token);
const viewer = await makeUser(admin, 'viewer');
const GROUPS = '/metamodel/tag-groups';

const make = async (path: string, body: object): Promise<string> =>
  expectStatus(await api.post(path, body), 201, path).body.id;
/** The whole content of a metamodel in its order, as JSON. */
const contentOf = ({ revision, types, relationTypes, tagGroups, tags }: Metamodel) =>
  JSON.parse(
    JSON.stringify({
      revision,
      tagGroups: [...tagGroups.values()],
      tags: [...tags].sort(),
      types: [...types.values()].map((x) => [x.key, x.version, x.updatedAt, x.definition]),
      relationTypes: [...relationTypes.values()].map((x) => [x.key, x.version, x.updatedAt, x.definition]),
    }),
  ) as Record<string, unknown>;
const whole = async (): Promise<Metamodel> => compile(await readMetamodel(app.services.db));
const at = async (revision: string): Promise<Metamodel> => (await app.services.metamodel.at(Number(revision)))!;

/** Makes one change of every kind after the other. */
async function* changes(round: number): AsyncGenerator<number> {
  let step = 0;
  const done = async (answer: Promise<{ status: number; body: unknown }>): Promise<void> => {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  };
  const [kind, link] = [`Kind${round}`, `link${round}`];
  await done(
    api.post('/metamodel/types', {
      key: kind,
      label: kind,
      sort_order: round % 2 ? 5 : undefined,
      sections: [
        {
          key: 's',
          fields: [
            { key: 'a', kind: 'cost' },
            { key: 'b', kind: 'text', default: 'x' },
          ],
        },
      ],
    }),
  );
  yield ++step;
  await done(there.post('/metamodel/relation-types', { key: link, label: link, source_type: kind, target_type: '*' }));
  yield ++step;
  const first = await make(GROUPS, { name: `ẞtraße ${round}`, restrict_to_types: [kind] });
  yield ++step;
  const second = await make(GROUPS, { name: `another ${round}`, mode: 'single' });
  yield ++step;
  const tags: string[] = [];
  for (const name of ['b', 'Ä', 'a', '\u{1f600}', '\ue000', 'ж']) {
    tags.push(await make(`${GROUPS}/${first}/tags`, { name, color: '#123456' }));
    yield ++step;
  }
  await make(`${GROUPS}/${second}/tags`, { name: 'kept' });
  yield ++step;
  await done(there.patch(`${GROUPS}/${first}/tags/${tags[1]}`, { name: 'zz', description: 'moved to the end' }));
  yield ++step;
  await done(api.del(`${GROUPS}/${first}/tags/${tags[0]}`));
  yield ++step;
  await done(api.patch(`${GROUPS}/${second}`, { name: `zebra ${round}`, mandatory: true }));
  yield ++step;
  await done(
    there.patch(`/metamodel/types/${kind}`, {
      label: 'Renamed',
      sort_order: 1,
      sections: [{ key: 's', fields: [{ key: 'b', kind: 'multiline' }] }],
    }),
  );
  yield ++step;
  await done(api.patch(`/metamodel/relation-types/${link}`, { reverse_label: 'back', sort_order: -3 }));
  yield ++step;
  await done(api.del(`${GROUPS}/${first}`));
  yield ++step;
  await done(api.del(`/metamodel/relation-types/${link}`));
  yield ++step;
  await done(api.del(`/metamodel/types/${kind}`));
  yield ++step;
}

await t.test('any revision can be restored, and every node has the stored metamodel', async (t) => {
  const before = new Map([[app.services.metamodel.current.revision, contentOf(await whole())]]);
  const from = Number(app.services.metamodel.current.revision);
  for (let round = 0; round < 3; round++) {
    for await (const step of changes(round)) {
      const stored = await whole();
      before.set(stored.revision, contentOf(stored));
      await until(() => app.services.metamodel.current.revision === stored.revision);
      t.strictSame(contentOf(app.services.metamodel.current), contentOf(stored), `round ${round}, step ${step}`);
    }
    // Enough changes to reach the next revision that is stored completely.
    const group = await make(GROUPS, { name: `Between ${round}` });
    await Promise.all(Array.from({ length: 40 }, (_, i) => make(`${GROUPS}/${group}/tags`, { name: `tag ${i}` })));
  }
  const { revision } = app.services.metamodel.current;
  await until(() => two.app.services.metamodel.current.revision === revision);
  t.strictSame(
    contentOf(two.app.services.metamodel.current),
    contentOf(app.services.metamodel.current),
    'the other node',
  );
  for (const [number, then] of before) t.strictSame(contentOf(await at(number)), then, `revision ${number}`);
  t.equal(await app.services.metamodel.at(0), undefined, 'there is no revision before the first');
  t.equal((await at(String(Number(revision) + 1_000))).revision, revision);
  const all = Number(revision) - from + 1;
  t.match((await viewer.api.get('/metamodel/revisions')).body, {
    total: all,
    items: [{ revision: Number(revision), actor: { id: admin.user.id } }],
  });
  const [{ n }] = (await sql<{ n: number }>(
    database,
    'select count(*)::int as n from metamodel_revisions where doc is not null',
  )) as [{ n: number }];
  t.equal(n, Math.ceil(all / 100), 'every hundredth revision is stored completely');
  t.ok(n > 1, `${all} revisions`);
});

await t.test('a tag is stored, read and propagated to nodes without the others', async (t) => {
  const group = await make(GROUPS, { name: 'Many' });
  const add = (name: string) => make(`${GROUPS}/${group}/tags`, { name });
  const size = async () =>
    (
      await sql<{ bytes: number }>(
        database,
        'select sum(length(changed::text))::int as bytes from metamodel_revisions where doc is null',
      )
    )[0]!.bytes;
  const one = await watch.during(() => add('tag 0'));
  const from = await size();
  let next = 1;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (next <= 100) await add(`tag ${next++}`);
    }),
  );
  const bytes = (await size()) - from;
  t.ok(bytes < 100 * 1_000, `100 tags take ${bytes} bytes of revisions`);
  const last = await watch.during(() => add('tag last'));
  // These statements depend on timing: a node may read several changes at once, and jobs are claimed independently.
  const names = ({ statements }: typeof last) =>
    statements.map((s) => s.name ?? s.text).filter((name) => !['metamodel-since', 'job-claim'].includes(name));
  t.strictSame(names(last), names(one), 'the statements of the first');
  t.notOk(
    last.statements.some((s) => s.name === 'metamodel'),
    'none reads the whole metamodel',
  );
  t.strictSame(contentOf(await whole()), contentOf(app.services.metamodel.current));
  await until(() => two.app.services.metamodel.current.tags.size === app.services.metamodel.current.tags.size);
  t.strictSame(contentOf(two.app.services.metamodel.current), contentOf(app.services.metamodel.current));
});

await t.test('unchanged objects remain the same, with their validators', async (t) => {
  const { types } = app.services.metamodel.current;
  await make(GROUPS, { name: 'Beside' });
  t.equal(app.services.metamodel.current.types.get('Application'), types.get('Application'));
});

await t.test('a node with a gap in its revisions reads the whole metamodel', async (t) => {
  await sql(
    database,
    `update card_types set doc = jsonb_set(doc, '{label}', '"By hand"'), version = version + 1 where key = 'Provider'`,
  );
  await sql(database, `update revisions set revision = revision + 1 where kind = 'metamodel'`);
  await app.services.revisions.refresh();
  t.equal(app.services.metamodel.current.types.get('Provider')!.definition.label, 'By hand');
  await make(GROUPS, { name: 'After a gap' });
  t.strictSame(contentOf(app.services.metamodel.current), contentOf(await whole()));
});

await t.test('the migration turns existing revisions into differences, and back', async (t) => {
  const copy = await createDatabase();
  const connection = new pg.Client({ ...copy });
  await connection.connect();
  t.teardown(() => connection.end());
  const inTransaction = async (work: () => Promise<void>): Promise<void> => {
    await connection.query('begin');
    await work();
    await connection.query('commit');
  };
  const type = (key: string, n: number) => ({
    key,
    sort_order: n,
    version: n,
    updated_at: '2025-01-01T00:00:00+00:00',
    doc: {
      key,
      sort_order: n,
      label: `${key} ${n}`,
      sections: [],
      stakeholder_roles: [],
      subtypes: [],
      allowed_parent_types: [],
    },
  });
  const tag = (n: number) => ({
    id: `01900000-0000-7000-8000-0000000${String(n).padStart(5, '0')}`,
    name: `tag ${String(n).padStart(4, '0')}`,
    color: null,
    description: null,
    version: 1,
    created_at: '2025-01-01T00:00:00+00:00',
    updated_at: '2025-01-01T00:00:00+00:00',
  });
  const group = (id: string, tags: object[]) => ({
    id,
    name: id,
    mode: 'multi',
    mandatory: false,
    restrict_to_types: [],
    version: 1,
    created_at: '2025-01-01T00:00:00+00:00',
    updated_at: '2025-01-01T00:00:00+00:00',
    tags,
  });
  const doc = (n: number) => ({
    types: [...(n % 3 === 0 ? [] : [type('Sometimes', 1)]), type('Always', 1 + Math.floor(n / 10))],
    relation_types: [],
    tag_groups: [
      group(
        '01900000-0000-7000-8000-00000000aaaa',
        Array.from({ length: n % 30 }, (_, i) => tag(i)),
      ),
      ...(n % 5 === 0 ? [] : [group('01900000-0000-7000-8000-00000000bbbb', [tag(90_000)])]),
    ],
  });
  await inTransaction(async () => migration.down(await boundKnex(connection)));
  await connection.query(
    `insert into metamodel_revisions (revision, at, summary, doc) select n, now(), 'old', doc from jsonb_array_elements($1) with ordinality as d(doc, n)`,
    [JSON.stringify(Array.from({ length: 250 }, (_, i) => doc(i + 1)))],
  );
  await inTransaction(async () => migration.up(await boundKnex(connection)));
  t.strictSame(
    (
      await connection.query('select revision::int as n from metamodel_revisions where doc is not null order by 1')
    ).rows.map((r: { n: number }) => r.n),
    [1, 101, 201],
  );
  t.ok(
    (await connection.query('select max(length(changed::text)) as most from metamodel_revisions')).rows[0].most < 2_500,
    'differences contain only changes',
  );
  const on = {
    query: async (statement: { text: string }, values: unknown[] = []) =>
      (await connection.query(statement.text, values)).rows,
  } as never;
  for (const n of [1, 2, 99, 100, 101, 102, 200, 201, 250]) {
    const { whole, differences } = (await readRevision(on, String(n)))!;
    t.strictSame(
      contentOf(differences.reduce(advance, compile(whole))),
      contentOf(compile({ ...doc(n), revision: String(n) } as never)),
      `revision ${n}`,
    );
  }
  await inTransaction(async () => migration.down(await boundKnex(connection)));
  for (const n of [1, 57, 100, 250])
    t.strictSame(
      (await connection.query('select doc from metamodel_revisions where revision = $1', [n])).rows[0].doc.tag_groups,
      doc(n).tag_groups,
      `revision ${n} is stored completely again`,
    );
});
