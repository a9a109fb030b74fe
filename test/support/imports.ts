import type { Test } from 'tap';
import { until, type Answer, type AnyBody, type Client } from './app.js';

export interface ImportBody {
  id: string;
  state: string;
  format: string;
  file_name: string;
  counts: { card: Record<string, number>; relation: Record<string, number> };
  progress: { done: number; total: number };
  ignored_columns: string[];
  notes: string[];
  errors: { line?: number; reason: string }[];
  version: number;
}

export interface ImportRow {
  row: number;
  kind: string;
  line: number;
  reference: string | null;
  type: string | null;
  name: string | null;
  verdict: string;
  id: string | null;
  diff: { field: string; old: unknown; new: unknown; set_by?: string }[];
  errors: { field: string; reason: string; column?: string }[];
  applied: boolean;
}

export const MEDIA = { csv: 'text/csv', ndjson: 'application/x-ndjson', archimate: 'application/xml' } as const;

const IN_PROGRESS = new Set(['uploaded', 'parsing', 'applying']);

/** Uploads a file as the body of the request. */
export function upload(
  api: Client,
  format: keyof typeof MEDIA,
  content: string | Buffer,
  query: Record<string, string | boolean> = {},
): Promise<Answer<ImportBody>> {
  return api.send<ImportBody>('POST', '/imports', content, { headers: { 'content-type': MEDIA[format] }, query });
}

/** Waits until the import is neither read nor applied any more. */
export async function settled(api: Client, id: string, ms = 60_000): Promise<ImportBody> {
  return await until(async () => {
    const { body } = await api.get<ImportBody>(`/imports/${id}`);
    return IN_PROGRESS.has(body.state) ? undefined : body;
  }, ms);
}

/** Uploads a file and waits until it is read. @throws unless the upload is accepted */
export async function staged(
  api: Client,
  format: keyof typeof MEDIA,
  content: string | Buffer,
  query: Record<string, string | boolean> = {},
): Promise<ImportBody> {
  const { status, body } = await upload(api, format, content, query);
  if (status !== 202) throw new Error(`the upload gave ${status}: ${JSON.stringify(body)}`);
  return await settled(api, body.id);
}

/** Applies an import that was read and waits for the end. */
export async function applied(api: Client, id: string, ms?: number): Promise<ImportBody> {
  const { status, body } = await api.post(`/imports/${id}/apply`);
  if (status !== 202) throw new Error(`applying gave ${status}: ${JSON.stringify(body)}`);
  return await settled(api, id, ms);
}

/** Every row of an import. */
export async function rowsOf(api: Client, id: string, query: Record<string, string> = {}): Promise<ImportRow[]> {
  const rows: ImportRow[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body }: Answer<{ items: ImportRow[]; next_cursor: string | null }> = await api.get(`/imports/${id}/rows`, {
      query: { page_size: 200, ...query, ...(cursor !== undefined && { cursor }) },
    });
    rows.push(...body.items);
    cursor = body.next_cursor;
  }
  return rows;
}

export const lines = (rows: readonly unknown[]): string => rows.map((row) => JSON.stringify(row)).join('\n');
/** Rows that fill a transaction of the import, so that rows before and after them are written in different ones. */
export const filler = (n: number, name: string): { type: string; name: string }[] =>
  Array.from({ length: n }, (_, i) => ({ type: 'Provider', name: `${name} ${i}` }));
export const brief = (rows: readonly ImportRow[]): string[] =>
  rows.map(({ verdict, errors }) => [verdict, ...errors.map(({ field }) => field)].join(' '));

export interface Previewer {
  make(body: Record<string, unknown>): Promise<AnyBody & { id: string }>;
  /** Imports rows and checks that each has the outcome of its preview. @returns the rows of the preview */
  previewed(t: Test, rows: readonly unknown[], what: string): Promise<ImportRow[]>;
}

/** Creates cards, and imports whose preview is compared with their effects. */
export function previewer(api: Client): Previewer {
  return {
    async make(body) {
      const answer = await api.post<AnyBody & { id: string }>('/cards', body);
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer.body;
    },
    async previewed(t, rows, what) {
      const read = await staged(api, 'ndjson', lines(rows));
      t.equal(read.state, 'ready', what);
      const before = await rowsOf(api, read.id);
      const done = await applied(api, read.id);
      t.equal(done.state, 'applied', what);
      t.strictSame(
        await rowsOf(api, read.id, { verdict: 'failed,conflict' }),
        [],
        `${what}: no row fails that the preview accepted`,
      );
      t.strictSame(done.counts, read.counts, what);
      return before;
    },
  };
}
