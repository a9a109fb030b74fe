/** Data sets on which the pictures of reports are judged, and their figures checked: the demo, and public data. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DemoClient } from '../../config/demo/client.js';
import { storeLandscape } from '../../config/demo/demo.js';
import { buildLandscape } from '../../config/demo/landscape.js';
import { Progress } from '../../config/demo/progress.js';
import { BulkClient } from '../e2e/client.js';
import { ImportClient } from '../e2e/import-client.js';
import { loadCapabilities } from '../e2e/load-capabilities.js';
import { loadFedramp } from '../e2e/load-fedramp.js';
import { landscapeFile, readLandscape } from '../e2e/load-landscape.js';
import { DATA_DIR, expectStatus, sql, until, type Session, type TestApp } from '../support/app.js';

/** A data set that fills an empty workspace. */
export interface DataSet {
  key: 'demo' | 'technology' | 'capabilities';
  title: string;
  /** Why it cannot be loaded; undefined if it can. */
  absent: string | undefined;
  /** Fills the workspace of the administrator. */
  fill(app: TestApp, admin: Session): Promise<void>;
}

/** Days before today whose figures are stored. */
const TREND_DAYS = 60;

/** Stores the figures of today by the job of the reports module, run now. */
export async function takeSnapshot({ database }: TestApp, { api }: Session): Promise<void> {
  const { body } = expectStatus(await api.post('/settings/jobs/schedules/reports.snapshot/run'), 202, 'the snapshot');
  await until(async () => {
    const [job] = await sql<{ state: string }>(database, 'select state from jobs where id = $1', [body.id]);
    if (job!.state === 'failed') throw new Error('the snapshot failed');
    return job!.state === 'done';
  }, 30_000);
}

/** Stores figures of earlier days, as smaller ones than those of today, so that there are trends. */
async function inventTrend(app: TestApp, admin: Session): Promise<void> {
  await takeSnapshot(app, admin);
  await sql(
    app.database,
    `insert into reports_snapshots (day, type, total, approved, quality, open_quality, costs)
      select s.day - n, s.type, greatest(1, round(s.total * (1 - n / 150.0)))::int,
        round(s.approved * greatest(0, 1 - n / 70.0))::int, round(s.quality * (1 - n / 120.0), 1),
        round(s.open_quality * (1 - n / 120.0), 1),
        (select coalesce(jsonb_object_agg(key, round(value::numeric * (1 - n / 300.0 + (n % 7) / 400.0), 2)), '{}')
          from jsonb_each_text(s.costs))
      from reports_snapshots s, generate_series(1, ${TREND_DAYS}) n`,
  );
}

const PROBABILITY = ['low', 'medium', 'high', 'very_high'];
const IMPACT = ['low', 'medium', 'high', 'critical'];
/** Title, category, probability and impact from 1 to 4, both at first and after mitigation. */
const RISKS = [
  ['Unsupported database version', 'technology', 4, 3, 2, 1],
  ['Loss of the only signalling expert', 'operational', 2, 4, 1, 3],
  ['Ticket prices are published late', 'operational', 2, 1, 1, 1],
  ['Personal data kept for too long', 'compliance', 3, 3, 1, 3],
  ['Supplier of the planning system is sold', 'strategic', 1, 3, 1, 2],
  ['Card payments are refused at peak times', 'technology', 1, 4, 1, 4],
  ['Currency losses in contracts for rolling stock', 'financial', 2, 2, 2, 1],
  ['Backups are not restored in tests', 'technology', 3, 4, 1, 4],
  ['Access rights of leavers remain', 'security', 3, 2, 1, 2],
  ['Ransomware in the office network', 'security', 2, 4, 1, 3],
] as const;
const DECISIONS = [
  'One ticket store for all channels',
  'Events between dispatching and passenger information',
  'PostgreSQL for new services',
  'Timetables are planned in the standard product',
  'Single sign-on for suppliers',
  'Depots keep their own maintenance records',
];

/** Adds risks and decisions about the first cards of the demo. */
async function addRegisters({ api }: Session): Promise<void> {
  const { body } = await api.get('/cards', { query: { type: 'Application', page_size: 60, sort_by: 'name' } });
  const ids = body.items.map(({ id }) => id);
  for (const [i, [title, category, ...scores]] of RISKS.entries()) {
    const [initial_probability, residual_probability] = [scores[0], scores[2]].map((n) => PROBABILITY[n - 1]);
    const [initial_impact, residual_impact] = [scores[1], scores[3]].map((n) => IMPACT[n - 1]);
    expectStatus(
      await api.post('/risks', {
        title,
        category,
        initial_probability,
        initial_impact,
        residual_probability,
        residual_impact,
        cards: [{ card_id: ids[i * 3], role: 'affected' }],
      }),
      201,
      `the risk ${title}`,
    );
  }
  for (const [i, title] of DECISIONS.entries())
    expectStatus(
      await api.post('/adr', { title, context: 'See the demo.', card_ids: ids.slice(i * 4, i * 4 + 1 + (i % 3)) }),
      201,
      `the decision ${title}`,
    );
}

/** Gives some relations of the demo costs, which it does not have. */
async function addCosts({ api }: Session): Promise<void> {
  const { body } = await api.get<{ items: { id: string; version: number }[] }>('/relations', {
    query: { type: 'applicationToITComponent', page_size: 200 },
  });
  for (const [i, { id, version }] of body.items.entries())
    if (i % 4 > 0)
      expectStatus(
        await api.patch(
          `/relations/${id}`,
          { attributes: { costTotalAnnual: 4_000 + ((i * 7_919) % 90) * 1_000 } },
          { headers: { 'if-match': `"${version}"` } },
        ),
        200,
        'the costs of a relation',
      );
}

const missing = (...folders: string[]): string | undefined =>
  folders.every((folder) => existsSync(join(DATA_DIR, folder))) ? undefined : 'TEST_DATA_DIR is absent';

/** All data sets, in the order of the gallery. */
export const DATA_SETS: readonly DataSet[] = [
  {
    key: 'demo',
    title: 'Aldermoor Rail, the demo',
    absent: undefined,
    async fill(app, admin) {
      const api = new DemoClient(admin.origin);
      await api.logIn(admin.user.email, admin.password);
      const { refused } = await storeLandscape(api, buildLandscape(), new Progress({ write: () => true }, 1));
      if (refused.length > 0) throw new Error(`the demo was refused: ${refused[0]}`);
      await addRegisters(admin);
      await addCosts(admin);
      await inventTrend(app, admin);
    },
  },
  {
    key: 'technology',
    title: 'Cloud services of US agencies (FedRAMP) and cloud native technology (CNCF)',
    absent: missing('inventory-fedramp', 'landscape-cncf'),
    async fill(_app, { origin, token }) {
      await loadFedramp(new BulkClient(origin, token), join(DATA_DIR, 'inventory-fedramp'));
      const file = landscapeFile(readLandscape(join(DATA_DIR, 'landscape-cncf')));
      await new ImportClient(origin, token).file('ndjson', file, 'landscape.ndjson');
    },
  },
  {
    key: 'capabilities',
    title: 'A catalogue of business capabilities and value streams',
    absent: missing('capabilities'),
    async fill(_app, { origin, token }) {
      await loadCapabilities(new BulkClient(origin, token), join(DATA_DIR, 'capabilities'));
    },
  },
];
