import type { TestApp, TestUser } from '@lintel/sdk/testing';

export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  removed: number;
  kept: number;
}
export interface Imported {
  items: Counts;
  dependencies: Counts;
  calendar_changed: boolean;
  start_date_changed: boolean;
  changes: { line: number | null; outcome: string; id: string | null; title: string; changed: string[] }[];
  notes: string[];
  code?: string;
  problems?: { line: number; reason: string }[];
}
export interface Row {
  id: string;
  title: string;
  outline: string;
  start_date: string;
  finish_date: string;
  total_float: number;
  free_float: number;
  critical: boolean;
  duration_days: number;
  completion: number;
  baseline: { start_date: string; finish_date: string } | null;
}
export type Query = Record<string, string | number | boolean>;

/** A platform with users, and plans made from files. */
export interface World {
  app: TestApp;
  member: TestUser;
  viewer: TestUser;
}

let made = 0;
/** A new initiative with the plan of a CSV file. */
export async function planIn({ app, member, viewer }: World, csv?: string) {
  const { body: card } = await app.admin.post('/cards', { type: 'Initiative', name: `Move ${++made}` });
  const path = `${app.prefix}/initiatives/${card.id}`;
  const importer = (
    by: TestUser,
    body: string | Uint8Array,
    query: Query = {},
    type = 'text/csv',
    headers: Record<string, string> = {},
  ) => by.send<Imported>('POST', `${path}/plan/import`, body, { query, headers: { 'content-type': type, ...headers } });
  if (csv !== undefined) {
    const { status, body } = await importer(member, csv);
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
  const rows = async (what: string, query: Query = {}): Promise<Map<string, Row>> => {
    const { body } = await viewer.get<{ items?: Row[]; rows?: Row[] }>(`${path}/${what}`, { query });
    return new Map((body.items ?? body.rows)!.map((row) => [row.title, row]));
  };
  return { id: card.id as string, path, importer, rows };
}

/** A plan with all kinds of items, constraints and dependencies. */
export const PLAN = [
  'number,outline,title,milestone,start_date,end_date,duration_days,completion,constraint_type,constraint_date,predecessors,planned_cost,planned_currency,description',
  '1,1,Prepare,,,,,,,,,,,"Two\nlines, ""quoted"""',
  '2,1.1,Gather,,2026-03-02,2026-03-06,,100,,,,1000.00,EUR,',
  '3,1.2,Select,,,,8,33.33,,,2,2500.50,USD,',
  '4,1.3,Signed,true,2026-03-20,,,,,,3,,,',
  '5,2,Build,,,,,,start_no_earlier_than,2026-03-16,,,,',
  '6,2.1,=Interfaces,,,,10,,,,4FS+2d,0.00,EUR,',
  "7,2.2,''=Data,,,,7,,must_start_on,2026-03-17,4;6FF+1d,,,",
  '8,2.3,Train,,,,4,,as_late_as_possible,,,,,',
  '9,3,Go-live,true,,,,,finish_no_later_than,2026-04-01,6;7;8SS-1d,,,',
  '10,4,Öffnen & <prüfen>,,2026-04-07,,,,,,9SF+3d,,,',
].join('\r\n');
export const XML = 'application/xml';
