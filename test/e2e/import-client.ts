/**
 * Functions to import a file through the public API; their only import of the project is `@lintel/client`: copy the file
 * together with the script.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { LintelClient, type FileImport } from '@lintel/client';

const MEDIA = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;
const AT_WORK = new Set(['uploaded', 'parsing', 'applying']);
const PATIENCE_MS = 120_000;
const PAUSE_MS = 50;

/** Number of rows by verdict. */
export interface Verdicts {
  card: Record<string, number>;
  relation: Record<string, number>;
}

/** A row that was not stored, with its line in the file. */
export interface RefusedRow {
  line: number;
  verdict: string;
  errors: { field: string; reason: string }[];
}

export interface ImportReport {
  id: string;
  /** The verdicts of the preview. */
  verdicts: Verdicts;
  refused: RefusedRow[];
}

/** Imports of one workspace. */
export class ImportClient {
  private readonly lintel: LintelClient;

  /** @param url such as `http://127.0.0.1:8920` */
  constructor(url: string, token: string) {
    this.lintel = new LintelClient({ url, token });
  }

  /**
   * Uploads a file, waits until it is read, applies it and waits for the end.
   * @param fileName name of the import in lists
   * @returns the results of its rows; refused ones are no error
   * @throws if the file cannot be read
   */
  async file(format: keyof typeof MEDIA, content: string, fileName: string): Promise<ImportReport> {
    const sent = await this.lintel.post('/imports', {
      params: { query: { file_name: fileName } },
      headers: { 'content-type': MEDIA[format] },
      body: content,
      bodySerializer: (text) => text,
    });
    const read = await this.settled(sent.id);
    await this.lintel.post('/imports/{id}/apply', { params: { path: { id: sent.id } } });
    await this.settled(sent.id);
    return { id: sent.id, verdicts: read.counts, refused: await this.refused(sent.id) };
  }

  private async refused(id: string): Promise<RefusedRow[]> {
    const rows: RefusedRow[] = [];
    const query = { verdict: 'invalid,failed' };
    for await (const row of this.lintel.all('/imports/{id}/rows', { params: { path: { id }, query } })) rows.push(row);
    return rows;
  }

  private async settled(id: string): Promise<FileImport> {
    for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await delay(PAUSE_MS)) {
      const state = await this.lintel.get('/imports/{id}', { params: { path: { id } } });
      if (state.state === 'failed')
        throw new Error(
          `the file cannot be imported: ${state.errors.map(({ line, reason }) => `${line === undefined ? '' : `line ${line}: `}${reason}`).join('; ')}`,
        );
      if (!AT_WORK.has(state.state)) return state;
    }
    throw new Error(`import ${id} is not done after ${PATIENCE_MS / 1000} s`);
  }
}
