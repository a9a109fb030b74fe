/** Answers about many or large decisions are bounded, and read in parts. */
import { strToU8, unzipSync, zipSync } from 'fflate';
import t from 'tap';
import { expectStatus, registerAdmin, sql, testApp } from '../support/app.js';
import { watchStatements } from '../support/statements.js';

const watch = watchStatements();
const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);

const fetched = async (path: string): Promise<Uint8Array> => {
  const answer = await fetch(`${origin}/api/v1${path}`, { headers: { authorization: `Bearer ${admin.token}` } });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
};

await t.test('a graph has at most 20,000 edges, those of the latest numbers', async (t) => {
  // Each of 150 files names all others: 22,350 edges.
  const nameOf = (n: number): string => `${String(n).padStart(4, '0')}-x.md`;
  const numbers = Array.from({ length: 150 }, (_, i) => i + 1);
  const files = numbers.map((n) => {
    const links = numbers.filter((other) => other !== n).map((other) => `* relates to [x](${nameOf(other)})`);
    const text = `# Decision ${n}\n\n## Status\n\naccepted\n\n## Links\n\n${links.join('\n')}\n`;
    return [nameOf(n), strToU8(text)] as const;
  });
  const form = new FormData();
  form.append('files', new File([zipSync(Object.fromEntries(files)) as Uint8Array<ArrayBuffer>], 'all.zip'));
  const imported = await fetch(`${origin}/api/v1/adr/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form,
  });
  t.equal(imported.status, 200);
  const [related] = await sql<{ n: number }>(database, 'select count(*)::int as n from adr_related');
  t.equal(related?.n, 150 * 149);

  interface Graph {
    nodes: { id: string; number: string }[];
    edges: { source: string; target: string }[];
    is_truncated: boolean;
  }
  const { body } = await admin.api.get<Graph>('/adr/graph');
  t.equal(body.nodes.length, 150);
  t.equal(body.edges.length, 20_000);
  t.equal(body.is_truncated, true);
  const sources = new Set(body.edges.map(({ source }) => source));
  // 134 times 149 edges, and some of one more.
  t.strictSame(
    body.nodes.filter(({ id }) => sources.has(id)).map(({ number }) => number),
    body.nodes.slice(-135).map(({ number }) => number),
  );

  await sql(database, 'delete from adr_related where adr_id in (select id from adr_decisions where number <= 50)');
  const fewer = await admin.api.get<Graph>('/adr/graph');
  t.equal(fewer.body.is_truncated, false);
  t.equal(fewer.body.edges.length, 100 * 149);
  await sql(database, 'delete from adr_decisions');
});

await t.test('an export reads large decisions one by one, and small ones together', async (t) => {
  const create = async (title: string, length: number): Promise<unknown> =>
    expectStatus(
      await admin.api.post('/adr', { title, context: 'x'.repeat(length), decision: 'y'.repeat(length) }),
      201,
      title,
    );
  for (let i = 1; i <= 4; i++) await create(`Large ${i}`, 100_000);
  for (let i = 1; i <= 20; i++) await create(`Small ${i}`, 100);
  const { answer, statements } = await watch.during(() => fetched('/adr/export.zip'));
  t.equal(Object.keys(unzipSync(answer)).length, 24);
  const read = statements
    .filter(({ name }) => name?.startsWith('adr-export-chunk'))
    .map(({ values }) => (values[0] as string[]).length);
  t.strictSame(read, [1, 1, 1, 21]);
});
