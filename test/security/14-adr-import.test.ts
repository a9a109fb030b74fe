/** An import changes only the decisions that it creates or updates: a statement about another decision is not stored with that one. */
import t from 'tap';
import { makeUser, registerAdmin, sql, testApp, type AnyBody, type Session } from '../support/app.js';
import * as statements from '../../plugins/adr/migrations/0004_statements.js';

const { app, origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [member, viewer] = [await makeUser(admin, 'member'), await makeUser(admin, 'viewer')];

interface Adr {
  id: string;
  number: string;
  status: string;
  version: number;
  content_hash: string | null;
  related: AnyBody[];
  related_by: AnyBody[];
}
async function upload(files: Record<string, string>, by: Session): Promise<Record<string, string>> {
  const form = new FormData();
  for (const [name, content] of Object.entries(files)) form.append('files', new File([content], name));
  const answer = await fetch(`${origin}/api/v1/adr/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}` },
    body: form,
  });
  const body = (await answer.json()) as { results: { file: string; id: string; outcome: string }[] };
  if (answer.status !== 200) throw new Error(JSON.stringify(body));
  return Object.fromEntries(body.results.map(({ file, id }) => [file, id]));
}
const record = (title: string, status: string, more = ''): string =>
  `---\nstatus: ${status}\n---\n\n# ${title}\n\n## Context and Problem Statement\n\nWhy.\n${more}`;
const read = async (id: string) => (await viewer.api.get<Adr>(`/adr/${id}`)).body;
const stateOf = async (id: string) => {
  const [adr, markdown, etag] = [
    await viewer.api.get<Adr>(`/adr/${id}`),
    await viewer.api.get<string>(`/adr/${id}.md`),
    (await viewer.api.get(`/adr/${id}.md`)).headers.get('etag'),
  ];
  const { related_by: _derived, ...own } = adr.body;
  return {
    own,
    markdown: markdown.body,
    etag,
    events: (await admin.api.get('/events', { query: { subject_id: id } })).body.total,
  };
};

t.test('a member’s import adds nothing to decisions of others', async (t) => {
  const first = {
    '0001-signed.md': record('Signed', 'accepted'),
    '0002-waits.md': record('Waits', 'accepted', '\n## More Information\n\n* Supersedes [ADR-0009](0009-mine.md)\n'),
  };
  const ids = await upload(first, admin);
  const [signed, waits] = [ids['0001-signed.md']!, ids['0002-waits.md']!];
  t.match(
    [await read(signed), await read(waits)],
    [
      { status: 'signed', related: [] },
      { status: 'signed', related: [] },
    ],
  );
  const before = [await stateOf(signed), await stateOf(waits)];
  // One file states that it is superseded by a signed decision; another one is the file to which an unchanged signed decision refers.
  const mine = await upload(
    {
      ...first,
      '0008-fake.md': record('Fake', 'superseded by [ADR-0001](0001-signed.md)'),
      '0009-mine.md': record('Mine', 'proposed'),
    },
    member,
  );
  const fake = mine['0008-fake.md']!;
  t.strictSame(
    [await stateOf(signed), await stateOf(waits)],
    before,
    'content, file, version, hash and history are unchanged',
  );
  t.match(
    await read(fake),
    { status: 'draft', related: [], related_by: [{ type: 'supersedes', adr_id: signed }] },
    'the statement of the file belongs to its decision',
  );
  t.match(
    (await read(signed)).related_by,
    [{ type: 'superseded_by', adr_id: fake }],
    'and is derived for the other one',
  );
  const {
    body: { edges },
  } = await viewer.api.get<{ edges: AnyBody[] }>('/adr/graph');
  t.ok(
    edges.some((edge) => edge['source'] === signed && edge['target'] === fake && edge['type'] === 'supersedes'),
    'the graph contains it',
  );
  t.equal((await admin.api.del(`/adr/${fake}`)).status, 204, 'decisions of others do not prevent deleting it');
  t.strictSame((await read(signed)).related_by, []);
  t.strictSame([await stateOf(signed), await stateOf(waits)], before);
});

t.test('relations stored with the wrong decision are moved to the one that states them', async (t) => {
  const ids = await upload(
    {
      '0020-old.md': record('Old', 'superseded by [ADR-0021](0021-new.md)'),
      '0021-new.md': record('New', 'accepted'),
      '0022-next.md': record('Next', 'accepted', '\n## More Information\n\n* Supersedes [ADR-0021](0021-new.md)\n'),
    },
    admin,
  );
  const [old, now, next] = ['0020-old.md', '0021-new.md', '0022-next.md'].map((file) => ids[file]!) as [
    string,
    string,
    string,
  ];
  const rows = async () =>
    await sql(database, 'select adr_id, target_id, type from adr_related order by adr_id, target_id');
  const sound = await rows();
  const { knex } = app.services.db;
  await statements.down(knex);
  t.match(
    await rows(),
    [
      { adr_id: now, target_id: old, type: 'supersedes' },
      { adr_id: next, target_id: now, type: 'supersedes' },
    ],
    'as it was stored before',
  );
  await statements.up(knex);
  t.strictSame(await rows(), sound);
  t.match(sound, [
    { adr_id: old, target_id: now, type: 'superseded_by' },
    { adr_id: next, target_id: now, type: 'supersedes' },
  ]);
  t.match(await read(old), { related: [], related_by: [{ type: 'supersedes', adr_id: now }] });
});

t.test('a changed draft keeps the relations of its file', async (t) => {
  const ids = await upload(
    { '0030-a.md': record('A', 'superseded by [ADR-0031](0031-b.md)'), '0031-b.md': record('B', 'proposed') },
    member,
  );
  const [a, b] = [ids['0030-a.md']!, ids['0031-b.md']!];
  t.match(await member.api.patch(`/adr/${a}`, { related: [{ type: 'relates_to', adr_id: b }] }), {
    status: 200,
    body: { related: [{ type: 'relates_to', adr_id: b }], related_by: [{ type: 'supersedes', adr_id: b }] },
  });
  t.match((await member.api.patch<Adr>(`/adr/${a}`, { related: [] })).body, {
    related: [],
    related_by: [{ type: 'supersedes', adr_id: b }],
  });
  t.match(
    await member.api.post('/adr', { title: 'x', related: [{ type: 'superseded_by', adr_id: a }] }),
    { status: 422 },
    'it cannot be set by a request',
  );
});
