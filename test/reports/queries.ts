/** Requests for every report of the catalogue, on the workspace of `fillWorld`, and their answers in every format. */
import type { Session } from '../support/app.js';
import { readXlsx } from '../support/xlsx.js';
import { readSvg } from '../../plugins/reports/test/svg.js';

export type Query = Readonly<Record<string, string | number | boolean>>;

/** The formats that have text. */
export const TEXT_FORMATS = ['json', 'csv', 'xlsx', 'svg'] as const;
export type Format = (typeof TEXT_FORMATS)[number] | 'png';

export interface Sent {
  status: number;
  headers: Headers;
  /** What can be read in it: of a picture its texts and links, of a workbook its sheets. */
  text: string;
  bytes: Buffer;
}

/** Asks for a report. @param path below `/api/v1` */
export async function ask(
  { origin, token }: Pick<Session, 'origin' | 'token'>,
  path: string,
  query: Query,
  format: Format = 'json',
  headers: Record<string, string> = {},
): Promise<Sent> {
  const url = new URL(`/api/v1${path}`, origin);
  for (const [name, value] of Object.entries({ ...query, format })) url.searchParams.set(name, String(value));
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}`, ...headers } });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const sent = { status: answer.status, headers: answer.headers, bytes };
  if (answer.status !== 200 || format === 'json' || format === 'csv') return { ...sent, text: bytes.toString() };
  if (format === 'png') return { ...sent, text: '' };
  if (format === 'xlsx') {
    const { parts } = readXlsx(bytes);
    return { ...sent, text: Object.values(parts).join('\n') };
  }
  const { texts, titles, links } = readSvg(bytes.toString());
  const description = /<desc[^>]*>([^<]*)</.exec(bytes.toString())?.[1] ?? '';
  return { ...sent, text: [...texts.map(({ content }) => content), ...titles, ...links, description].join('\n') };
}

const APPLICATIONS = { type: 'Application' };
const COST = 'costTotalAnnual';

/** For each report of the catalogue: queries in which no cost takes part. @param card an application */
export const plainQueries = (card: string): Readonly<Record<string, readonly Query[]>> => ({
  dashboard: [{}, APPLICATIONS, { 'attributes.timeModel': 'invest', lang: 'de' }],
  portfolio: [
    { ...APPLICATIONS, x: 'businessCriticality', y: 'timeModel', color: 'lifecycle_phase' },
    { ...APPLICATIONS, x: 'data_quality', y: 'subtype', size: 'numberOfUsers', group_by: 'timeModel' },
  ],
  cost: [{ field: 'numberOfUsers', group_by: 'applicationToBusinessCapability' }],
  'data-quality': [{}, APPLICATIONS],
  stakeholders: [{}, APPLICATIONS],
  matrix: [
    { row_type: 'Application', col_type: 'Desk', relation_type: 'sits', measure: 'weight' },
    { row_type: 'Application', col_type: 'ITComponent', relation_type: 'applicationToITComponent' },
    { row_type: 'Application', col_type: 'Application', relation_type: 'related' },
  ],
  landscape: [
    { ...APPLICATIONS, parent_type: 'Desk', color_by: 'timeModel' },
    { ...APPLICATIONS, parent_type: 'Desk', relation_type: 'related', level: 1 },
  ],
  dependencies: [{ card_id: card, direction: 'both', depth: 4 }, APPLICATIONS, { ...APPLICATIONS, depth: 2 }],
  lifecycle: [APPLICATIONS, { ...APPLICATIONS, group_by: 'timeModel' }],
  'end-of-life': [{}, { horizon_days: 3_650, dependent_type: 'Application' }],
  'risks.heat-map': [{}, { kind: 'residual' }],
  'adr.decisions': [{}, { interval: 'quarter' }],
  'bpm.dashboard': [{}],
  'bpm.process-map': [{}, { color_by: 'overall' }],
  'bpm.heatmap': [{}],
  'bpm.dependencies': [{}],
  'bpm.capability-process-matrix': [{}],
  'bpm.process-application-matrix': [{}],
  'bpm.element-application-map': [{}, { type: 'ITComponent' }],
  'ppm.dashboard': [{}],
  'ppm.budget-vs-actual': [{}],
  'ppm.gantt': [{}, { from: '2026-01-01', most: 5 }],
  'ppm.resource-load': [{}],
});

/** Queries in which costs are summed, or group, colour, sort or filter. */
export const COST_QUERIES: Readonly<Record<string, readonly Query[]>> = {
  portfolio: [
    { ...APPLICATIONS, x: 'timeModel', y: 'subtype', size: COST },
    { ...APPLICATIONS, x: COST, y: 'subtype' },
    { ...APPLICATIONS, x: 'subtype', y: `attributes.${COST}` },
    { ...APPLICATIONS, x: 'subtype', y: 'timeModel', color: COST },
    { ...APPLICATIONS, x: 'subtype', y: 'timeModel', group_by: COST },
  ],
  cost: [
    { field: COST },
    { field: COST, group_by: 'parent' },
    { field: COST, group_by: 'applicationToBusinessCapability' },
    { field: COST, group_by: 'timeModel', ...APPLICATIONS },
    { field: 'numberOfUsers', group_by: COST },
  ],
  matrix: [
    {
      row_type: 'Application',
      col_type: 'ITComponent',
      relation_type: 'applicationToITComponent',
      measure: COST,
    },
  ],
  landscape: [{ ...APPLICATIONS, parent_type: 'BusinessCapability', color_by: COST }],
  lifecycle: [{ ...APPLICATIONS, group_by: COST }],
  'ppm.budget-vs-actual': [{}, { fiscal_year: 2026, category: 'capex' }],
};
