import type { Bench } from './bench.js';
import { compare, httpLanes, warmUp, type Lane } from './load.js';
import type { RecordedStatement } from './record.js';
import { latencyRow } from './rows.js';
import { requestBytes } from './wire.js';

/** A report, and its longest median in ms with 100,000 and with more cards. */
interface Measured {
  work: string;
  path: (first: string) => string;
  ms: number;
}
const LARGE_MS = 2_000;
const LARGE = 500_000;
const APPLICATIONS = 'type=Application';
const REPORTS: readonly Measured[] = [
  { work: 'dashboard', path: () => 'dashboard', ms: 20 },
  {
    work: 'portfolio',
    path: () => `portfolio?${APPLICATIONS}&x=businessCriticality&y=timeModel&size=costTotalAnnual`,
    ms: 150,
  },
  { work: 'cost by type', path: () => 'cost?field=costTotalAnnual', ms: 150 },
  {
    work: 'cost by related cards',
    path: () => `cost?field=costTotalAnnual&group_by=applicationToBusinessCapability&${APPLICATIONS}`,
    ms: 150,
  },
  {
    work: 'matrix',
    path: () => 'matrix?row_type=Application&col_type=BusinessCapability&relation_type=applicationToBusinessCapability',
    ms: 500,
  },
  {
    work: 'landscape',
    path: () =>
      'landscape?type=Application&parent_type=BusinessCapability&relation_type=applicationToBusinessCapability&color_by=timeModel',
    ms: 300,
  },
  { work: 'dependencies, depth 3', path: (id) => `dependencies?card_id=${id}&depth=3`, ms: 100 },
  { work: 'data quality', path: () => 'data-quality', ms: 200 },
  { work: 'life cycle', path: () => `lifecycle?${APPLICATIONS}`, ms: 200 },
  { work: 'stakeholders', path: () => 'stakeholders', ms: 200 },
  { work: 'end of life', path: () => 'end-of-life', ms: 200 },
];

/** Each report, one request at a time, beside its statements sent directly. */
export async function reports({ service, cpu, admin, filled, scale, record, connect, add }: Bench): Promise<void> {
  for (const { work, path, ms } of REPORTS) {
    const url = `/reports/${path(filled.ids[0]!)}`;
    const { answer, statements } = await record(async (recorder) => recorder.statements((api) => api.get(url)));
    if (answer.status !== 200) throw new Error(`${url} gave ${answer.status}: ${JSON.stringify(answer.body)}`);
    const lanes = (): Promise<Lane[]> =>
      httpLanes(service.port, 1, 200, () => requestBytes('GET', `/api/v1${url}`, admin.token));
    await warmUp(await lanes(), 0.5);
    // With the transaction, because its settings change the plans.
    const reads = statements.filter(({ text }) => /^(\/\* report|begin\b|commit$)/.test(text));
    const [over, bare] = await compare([await lanes(), [await bareLane(connect, reads)]], scale.seconds, cpu);
    const most = scale.cards > LARGE ? LARGE_MS : ms;
    add(
      latencyRow(`report: ${work}`, over!, 'p50', 'its SQL', bare!, {
        text: `≤ ${most} ms`,
        holds: (found) => found <= most,
      }),
    );
  }
}

/** The statements of a report, one after another on one connection. */
async function bareLane(connect: Bench['connect'], statements: readonly RecordedStatement[]): Promise<Lane> {
  const client = await connect();
  return {
    once: async () => {
      for (const { text, values } of statements) await client.query(text, [...values]);
    },
    close: () => client.end(),
  };
}
