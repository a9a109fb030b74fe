/**
 * The service is killed while a job renders the files of a signed document: after a restart and the lease of the job of 15 s, the
 * document has all files, each stored once and complete, with the amounts and without them.
 */
import { createHash } from 'node:crypto';
import t from 'tap';
import { client, createDatabase, expectStatus, makeUser, registerAdmin, sql, until } from '../support/app.js';
import type { Session } from '../support/app.js';
import { urlOf } from '../support/database.js';
import { dataFolder, startService } from '../support/service.js';
import { AMOUNTS, FILES, textOf, type Soaw } from '../../plugins/soaw/test/signing-support.js';

const LIMIT_MS = 60_000;
const SECRET = Buffer.alloc(32, 'crash').toString('base64');
/** The files of a document: three kinds, with the amounts and without them. */
const ALL = FILES.length * 2;
/** Long, so that the rendering of a file takes longer than it takes to see that the file before it is stored. */
const SECTIONS = 12;
const END = 'The last words of the document.';

const database = await createDatabase();
const folder = await dataFolder();
const start = () =>
  startService({ dataDir: folder.path, env: { DATABASE_URL: urlOf(database), LINTEL_SECRET_KEY: SECRET } });
let node = await start();
t.teardown(async () => {
  await node.stop();
  await folder.remove();
});
const admin = await registerAdmin(node.origin);
const [writer, reader] = [await makeUser(admin, 'member'), await makeUser(admin, 'viewer')];
/** The same session at the service that runs now. */
const now = (session: Session): Session => ({ ...session, api: client(node.origin, session.token) });
expectStatus(
  await admin.api.post('/cards', {
    type: 'Application',
    name: 'Shop',
    attributes: { costTotalAnnual: 48261735.25 },
  }),
  201,
  'a card',
);

/** Signs a new document. @returns its id */
async function signed(title: string): Promise<string> {
  const [by, signer] = [now(writer), now(admin)];
  const { id } = expectStatus(
    await by.api.post<Soaw>('/soaw', {
      title,
      sections: Array.from({ length: SECTIONS }, (_, i) => ({
        key: `part_${i}`,
        title: `Part ${i}`,
        text: `${'One **paragraph** of a [long](https://example.com) text.\n\n'.repeat(800)}${i === SECTIONS - 1 ? END : ''}`,
        ...(i === 0 && {
          tables: [{ id: 'costs', kind: 'costs', title: 'Costs', filter: { type: 'Application' } }],
        }),
      })),
    }),
    201,
    'a document',
  ).body;
  expectStatus(
    await by.api.post(`/soaw/${id}/request-signatures`, { user_ids: [admin.user.id] }),
    200,
    'the request for signatures',
  );
  expectStatus(await signer.api.post(`/soaw/${id}/sign`), 200, 'the signature');
  return id;
}

/** The complete files of the module, and those of them that belong to a document. */
const counts = async (): Promise<{ complete: number; kept: number }> =>
  (
    await sql<{ complete: number; kept: number }>(
      database,
      `select count(*) filter (where sha256 is not null)::int as complete,
        count(*) filter (where expires_at = 'infinity')::int as kept from files where module = 'soaw'`,
    )
  )[0]!;

interface Rendition {
  [column: string]: unknown;
  kind: string;
  withheld: boolean;
  sha256: string;
  size: number;
  bytes: Buffer;
}

/** The stored files of a document with their bytes, once it has them. */
const renditions = async (id: string): Promise<Rendition[]> =>
  await until(async () => {
    const rows = await sql<Rendition>(
      database,
      `select r.kind, r.withheld, r.sha256, r.size,
        (select string_agg(c.bytes, ''::bytea order by c.n) from file_chunks c where c.file_id = r.file_id) as bytes
      from soaw_renditions r join files f on f.id = r.file_id and f.expires_at = 'infinity' where r.document_id = $1`,
      [id],
    );
    return rows.length > 0 && rows;
  }, LIMIT_MS);

async function fetched(by: Session, path: string): Promise<Buffer> {
  const response = await fetch(`${node.origin}/api/v1${path}`, { headers: { authorization: `Bearer ${by.token}` } });
  if (response.status !== 200) throw new Error(`${path} gave ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

t.test('a kill after each of the files', async (t) => {
  let documents = 0;
  let interrupted = 0;
  for (let after = 1; after <= ALL; after++) {
    const before = await counts();
    const id = await signed(`Killed after ${after} files`);
    documents++;
    await until(async () => (await counts()).complete >= before.complete + after, LIMIT_MS);
    await node.kill9();
    const left = await counts();
    t.ok(
      [0, ALL].includes(left.kept - before.kept),
      `${after}: ${left.kept - before.kept} files belong to the document`,
    );
    interrupted += Number(left.kept === before.kept);
    node = await start();
    const files = await renditions(id);
    // What one attempt stored is not stored again by the next one, which ends the job.
    await until(
      async () =>
        (
          await sql<{ state: string }>(
            database,
            `select state from jobs where type = 'soaw.render' and payload->>'document_id' = $1`,
            [id],
          )
        )[0]?.state === 'done',
      LIMIT_MS,
    );
    t.strictSame(await renditions(id), files, `${after}: the files are stored once`);
    t.equal(files.length, ALL, `${after}: all files`);
    t.equal((await counts()).kept, before.kept + ALL, `${after}: no other file is kept`);
    for (const kind of FILES)
      for (const withheld of [false, true]) {
        const name = `${after}: ${kind} ${withheld ? 'without' : 'with'} the amounts`;
        const file = files.find((one) => one.kind === kind && one.withheld === withheld)!;
        t.equal(createHash('sha256').update(file.bytes).digest('hex'), file.sha256, `${name} is complete`);
        t.equal(file.bytes.length, file.size, `${name} has its size`);
        t.ok((await fetched(withheld ? reader : writer, `/soaw/${id}.${kind}`)).equals(file.bytes), `${name} is read`);
        const text = textOf(file.bytes, kind);
        t.match(text, END, `${name} goes on to its end`);
        t.equal(AMOUNTS[0]!.test(text), !withheld, name);
      }
    const events = await sql(database, `select from events where subject_id = $1 and type = 'soaw.files_stored'`, [id]);
    t.equal(events.length, 1, `${after}: one event`);
  }
  t.ok(interrupted >= ALL - 1, `${interrupted} of ${documents} kills were before the files belonged to the document`);
  const [unowned] = await sql<{ n: number; soon: number }>(
    database,
    `select count(*)::int as n, count(*) filter (where expires_at <= clock_timestamp() + interval '24 hours')::int as soon
    from files f where module = 'soaw' and not exists (select from soaw_renditions r where r.file_id = f.id)`,
  );
  t.ok(unowned!.n > 0, `${unowned!.n} files of killed jobs`);
  t.equal(unowned!.soon, unowned!.n, 'files of killed jobs are deleted within a day');
});
