/**
 * What a script needs to import a file through the public API, and nothing else of the project: copy it together with
 * the script.
 */
import { setTimeout as delay } from 'node:timers/promises';

const MEDIA = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;
const AT_WORK = new Set(['uploaded', 'parsing', 'applying']);
const PAGE = 200;
const PATIENCE_MS = 120_000;
const PAUSE_MS = 50;

/** How many rows of each verdict. */
export interface Verdicts {
  card: Record<string, number>;
  relation: Record<string, number>;
}

/** A row that was not stored, with the line of the file it stands in. */
export interface RefusedRow {
  line: number;
  verdict: string;
  errors: { field: string; reason: string }[];
}

export interface ImportReport {
  id: string;
  /** As the file was read, before anything was stored. */
  verdicts: Verdicts;
  refused: RefusedRow[];
}

interface Import {
  id: string;
  state: string;
  counts: Verdicts;
  errors: { line?: number; reason: string }[];
}

interface Rows {
  items: RefusedRow[];
  next_cursor: string | null;
}

/** Imports of one workspace. */
export class ImportClient {
  /** @param url such as `http://127.0.0.1:8920` */
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /**
   * Sends a file, waits until it is read, applies it and waits for the end.
   * @param fileName how the import is called in lists
   * @returns what became of its rows; refused ones are no error
   * @throws when the file as a whole cannot be read
   */
  async file(format: keyof typeof MEDIA, content: string, fileName: string): Promise<ImportReport> {
    const query = new URLSearchParams({ file_name: fileName });
    const sent = await this.call<Import>('POST', `/imports?${query.toString()}`, content, MEDIA[format]);
    const read = await this.settled(sent.id);
    await this.call('POST', `/imports/${sent.id}/apply`);
    await this.settled(sent.id);
    return { id: sent.id, verdicts: read.counts, refused: await this.refused(sent.id) };
  }

  private async refused(id: string): Promise<RefusedRow[]> {
    const rows: RefusedRow[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = new URLSearchParams({
        verdict: 'invalid,failed',
        page_size: String(PAGE),
        ...(cursor !== undefined && { cursor }),
      });
      const page: Rows = await this.call<Rows>('GET', `/imports/${id}/rows?${query.toString()}`);
      rows.push(...page.items);
      cursor = page.next_cursor;
    }
    return rows;
  }

  private async settled(id: string): Promise<Import> {
    for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await delay(PAUSE_MS)) {
      const state = await this.call<Import>('GET', `/imports/${id}`);
      if (state.state === 'failed')
        throw new Error(
          `the file cannot be imported: ${state.errors.map(({ line, reason }) => `${line === undefined ? '' : `line ${line}: `}${reason}`).join('; ')}`,
        );
      if (!AT_WORK.has(state.state)) return state;
    }
    throw new Error(`import ${id} is not done after ${PATIENCE_MS / 1000} s`);
  }

  private async call<T>(method: string, path: string, body?: string, type?: string): Promise<T> {
    const headers = { authorization: `Bearer ${this.token}`, ...(type !== undefined && { 'content-type': type }) };
    const response = await fetch(new URL(`/api/v1${path}`, this.url), {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} gave ${response.status}: ${text.slice(0, 2_000)}`);
    return JSON.parse(text) as T;
  }
}
