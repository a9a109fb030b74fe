/** Answers about many decisions are bounded. */
import { strToU8, zipSync } from 'fflate';
import t from 'tap';
import { registerAdmin, sql, testApp } from '../../../test/support/app.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);

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
