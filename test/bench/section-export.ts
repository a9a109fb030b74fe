import { get } from 'node:http';
import type pg from 'pg';
import type { Bench } from './bench.js';
import { copyOut } from './copy.js';
import { watchMemory } from './cpu.js';
import { median } from './load.js';
import { short } from './report.js';
import { requestBytes, Wire } from './wire.js';

const SHARE = 0.7;
const MEGABYTES = 100;
const ROUNDS = 3;
/** A pool in which an export gets only one connection, so that it is one statement, like the COPY it is compared with. */
const ONE_CONNECTION = { DATABASE_POOL_MAX: '4' };

const STORED = `id, type, subtype, name, description, parent_id, path_ids, lifecycle, attributes, status, approval_status, data_quality, external_id,
  alias, created_by, updated_by, archived_at, created_at, updated_at, version`;
/** The limit: the stored columns unchanged, in the text format of PostgreSQL that is closest to the export's. */
const FORMATS = {
  csv: `copy (select ${STORED} from card_rows where status = 'ACTIVE') to stdout (format csv)`,
  ndjson: `copy (select ${STORED} from card_rows where status = 'ACTIVE') to stdout`,
};

/** Export of all active cards as CSV and NDJSON, compared with COPY of the stored columns and with the service's own COPY. */
export async function exported({ service: { port, pid }, connect, record, cpu, admin, add }: Bench): Promise<void> {
  const client = await connect();
  let wire: Wire | undefined;
  try {
    await client.query(`set work_mem = '32MB'; set jit = off`);
    const {
      rows: [count],
    } = await client.query<{ n: number }>(`select count(*)::int as n from cards where status = 'ACTIVE'`);
    const n = count!.n;
    for (const [format, stored] of Object.entries(FORMATS)) {
      const path = `/cards/export?format=${format}`;
      const { statements } = await record(
        (recorder) => recorder.statements(() => drained(`${recorder.origin}/api/v1${path}`, admin.token)),
        ONE_CONNECTION,
      );
      // Opened after the recording, which may take longer than the service keeps an idle connection.
      wire?.close();
      const open = (wire = await Wire.open(port));
      const own = statements.find(({ text }) => text.startsWith('copy ('))!.text;
      const request = requestBytes('GET', `/api/v1${path}`, admin.token);
      const grown = watchMemory(pid);
      const [served, bare, same]: [number[], number[], number[]] = [[], [], []];
      const uses: { node: number; postgres: number }[] = [];
      let bytes = 0;
      for (let i = 0; i < ROUNDS; i++) {
        const stop = cpu.start();
        served.push(
          await rate(n, async () => {
            const reply = await open.send(request);
            if (reply.status !== 200) throw new Error(`the export gave ${reply.status}`);
            bytes = reply.bytes;
          }),
        );
        const use = stop();
        if (use) uses.push(use);
        bare.push(await rate(n, () => copyOut(client as pg.Client, stored)));
        same.push(await rate(n, () => copyOut(client as pg.Client, own)));
      }
      const megabytes = grown();
      const share = median(served.map((perSecond, i) => perSecond / bare[i]!));
      const ofOwn = median(served.map((perSecond, i) => perSecond / same[i]!));
      add({
        work: `export ${short(n)} cards, ${format}`,
        figure: median(served),
        unit: 'rows/s',
        limit: { name: 'COPY TO STDOUT', value: median(bare), unit: 'rows/s' },
        ratio: share,
        target: { text: `≥ ${SHARE * 100} %`, holds: share >= SHARE },
        note: `${short(bytes / 1024 / 1024)} MB; ${Math.round(ofOwn * 100)} % of its own COPY driven bare`,
        ...(uses.length > 0 && {
          node: median(uses.map((u) => u.node)) / n,
          postgres: median(uses.map((u) => u.postgres)) / n,
        }),
      });
      if (megabytes !== undefined)
        add({
          work: `export, ${format}: memory of the service above the start`,
          figure: megabytes,
          unit: 'MB',
          target: { text: `≤ ${MEGABYTES} MB`, holds: megabytes <= MEGABYTES },
        });
    }
  } finally {
    wire?.close();
    await client.end();
  }
}

/** Reads an answer and discards it: that of a million cards exceeds the longest string, and `fetch` takes minutes for it. */
async function drained(url: string, token: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${token}` } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`the export gave ${answer.statusCode}`));
      answer.on('error', reject).on('end', resolve).resume();
    }).on('error', reject);
  });
}

async function rate(n: number, work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return n / ((performance.now() - began) / 1_000);
}
