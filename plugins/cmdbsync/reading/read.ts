import { ConnectorError, type Connector, type ConnectorPage } from '@lintel/sdk';
import type { Run } from '../runs/definition.js';
import type { RunWork } from '../runs/lifecycle.js';
import { isStorable } from '../transforms/values.js';
import { stageMissing } from './missing.js';
import { mapInSlices, stagePage } from './page.js';
import type { Reading } from './stage.js';

/** Characters of an id of a record. */
const MOST_ID = 500;
/** Characters of a cursor or watermark. */
const MOST_MARK = 2_000;

/**
 * Reads all pages from the position of the run, and stores what is to be done. The next page is requested while one is stored.
 * @returns the run when it is read
 * @throws ConnectorError, RunEnded
 */
export async function readAll(work: RunWork, start: Run, connector: Connector, reading: Reading): Promise<Run> {
  const { host, mapping, job } = work;
  const limit = host.settings().page_size;
  const request = async (run: Run, cursor: string | null): Promise<ConnectorPage> => {
    const page = await connector.read({
      table: mapping.table_name,
      filter: mapping.filter ?? undefined,
      fields: reading.reader.sources,
      since: run.since ?? undefined,
      cursor: cursor ?? undefined,
      limit,
    });
    check(page, cursor, limit);
    return page;
  };
  let run = start;
  let next: Promise<ConnectorPage> = request(run, run.cursor);
  // Where storing fails, the request that is under way is not waited for.
  next.catch(() => undefined);
  while (!run.is_read) {
    const page = await next;
    job.signal.throwIfAborted();
    const isLast = page.next === undefined;
    if (!isLast) {
      next = request(run, page.next!);
      next.catch(() => undefined);
    }
    const mapped = await mapInSlices(reading, page.records);
    run = await work.step(['reading'], async (uow, locked) => {
      const counts = await stagePage(work, uow, locked, reading, mapped);
      const changes: Partial<Run> = {
        counts,
        cursor: page.next ?? null,
        pages: locked.pages + 1,
        total: page.total ?? locked.total,
        // The mark of the first page: what changes during the read is read again by the next one.
        watermark: locked.watermark ?? page.watermark ?? null,
      };
      if (!isLast) return changes;
      return await stageMissing(work, uow, { ...locked, ...changes });
    });
  }
  return run;
}

/** @throws ConnectorError for a page that no connector may return */
function check(page: ConnectorPage, cursor: string | null, limit: number): void {
  const invalid = (text: string): ConnectorError => new ConnectorError('invalid_answer', text);
  if (page.next !== undefined && page.next === cursor) throw invalid('The next page is the same page.');
  for (const text of [page.next, page.watermark])
    if (text !== undefined && (typeof text !== 'string' || text.length > MOST_MARK || !isStorable(text)))
      throw invalid('The mark of a page is not a valid text.');
  if (page.records.length > limit) throw invalid(`A page has more than ${limit} records.`);
  for (const { id } of page.records) if (!isRecordId(id)) throw invalid('A record has no valid id.');
}

/** Whether a value of a connector may be the id of a record. */
export const isRecordId = (id: unknown): id is string =>
  typeof id === 'string' && id !== '' && id.length <= MOST_ID && isStorable(id);
