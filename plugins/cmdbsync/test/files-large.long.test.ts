/** Files of 200,000 rows are read in pages with little memory. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { files } from '../connectors/files/index.js';
import { openConnector } from './support/connection.js';

const ROWS = 200_000;
/** MiB in use above those before, after a collection of garbage. */
const MOST_MEMORY = 20;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const used = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 / 1024;
};

const importDir = await mkdtemp(join(tmpdir(), 'lintel-large-'));
t.teardown(() => rm(importDir, { recursive: true, force: true }));
const lines = {
  csv: (i: number) => `${i},Server ${i},"Zürich, hall ${i % 40}",10.0.${i % 256}.${i % 199},active\n`,
  ndjson: (i: number) =>
    `${JSON.stringify({ id: i, name: `Server ${i}`, site: `Zürich ${i % 40}`, status: 'active' })}\n`,
};

for (const [kind, line] of Object.entries(lines))
  t.test(kind, async (t) => {
    function* text(): Iterable<string> {
      if (kind === 'csv') yield 'id,name,site,ip,status\n';
      for (let i = 0; i < ROWS; i += 1_000) yield Array.from({ length: 1_000 }, (_, k) => line(i + k)).join('');
    }
    await pipeline(Readable.from(text()), createWriteStream(join(importDir, `servers.${kind}`)));
    const config = { folder: '', id: 'id', separator: 'auto', encoding: 'utf-8', settle_seconds: 0, tables: [] };
    const before = used();
    const start = performance.now();
    let [count, most, sum] = [0, 0, 0];
    for (let cursor: string | undefined; ; ) {
      // Each page with another connection, as after a crash.
      const page = await openConnector(files, config, { importDir }).read({
        table: 'servers',
        fields: [],
        limit: 1_000,
        cursor,
      });
      count += page.records.length;
      for (const { id } of page.records) sum += Number(id);
      if (count % 20_000 === 0) most = Math.max(most, used());
      cursor = page.next;
      if (cursor === undefined) break;
    }
    const [rate, memory] = [(count / (performance.now() - start)) * 1_000, most - before];
    t.comment(`${kind}: ${Math.round(rate)} records/s, ${Math.round(memory)} MiB`);
    t.equal(count, ROWS);
    t.equal(sum, (ROWS * (ROWS - 1)) / 2, 'each once');
    t.ok(memory < MOST_MEMORY, `${Math.round(memory)} MiB`);
    await rm(join(importDir, `servers.${kind}`));
  });
