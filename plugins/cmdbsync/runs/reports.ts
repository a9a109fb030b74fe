import { Readable } from 'node:stream';
import type { ReportCell, RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { findConnection, findMapping } from '../mappings/load-repository.js';
import { countRecords, readRecords } from '../records/repository.js';
import type { RecordView } from '../records/schemas.js';
import { rightsOf, viewRecords, type RecordRights } from '../records/views.js';
import { findRunView } from './repository.js';
import type { RunReport } from './schemas.js';

/** Records in memory at a time, and reasons that a report names. */
const CHUNK = 500;
const MOST_REASONS = 50;
const TITLES = [
  'external_id',
  'card_id',
  'name',
  'action',
  'side',
  'state',
  'field',
  'base',
  'cmdb',
  'ea',
  'take',
  'reason',
];
const COLUMNS = TITLES.map((title) => ({ title, kind: 'text' as const }));

/** Reports of runs. */
export class RunReports {
  constructor(private readonly host: Host) {}

  /** Numbers and reasons. @throws not_found */
  async json(ctx: RequestContext, id: string): Promise<RunReport> {
    const { host } = this;
    const run = await findRunView(host.db, id);
    const mapping = run && (await findMapping(host.db, run.mapping_id));
    const connection = mapping && (await findConnection(host.db, mapping.connection_id));
    if (!run || !mapping || !connection) throw host.problem('not_found');
    const { types } = await rightsOf(host, ctx);
    const rows = await countRecords(host, ctx, types, id);
    const reasons = sums(
      rows.filter(({ reason }) => reason !== null),
      ({ reason }) => [reason!],
    );
    return {
      run,
      connection: connection.name,
      card_type: mapping.card_type,
      table: mapping.table_name,
      records: sums(rows, ({ action, side, state }) => [action, side, state]).map(([[action, side, state], count]) => ({
        action: action!,
        side: side!,
        state: state!,
        count,
      })),
      reasons: reasons.slice(0, MOST_REASONS).map(([[reason], count]) => ({ reason: reason!, count })),
    };
  }

  /** One line for each field of each record, made while it is sent. @throws not_found */
  async csv(ctx: RequestContext, id: string): Promise<Readable> {
    if (!(await findRunView(this.host.db, id))) throw this.host.problem('not_found');
    const rights = await rightsOf(this.host, ctx);
    return Readable.from(this.lines(ctx, id, rights), { objectMode: false });
  }

  private async *lines(ctx: RequestContext, id: string, rights: RecordRights): AsyncGenerator<Buffer> {
    const { host } = this;
    const head = host.spreadsheets.csv({ name: 'records', columns: COLUMNS, rows: [] });
    yield head;
    for (let after: string | undefined; ; ) {
      const rows = await readRecords(host, ctx, rights.types, id, after, CHUNK);
      if (rows.length === 0) return;
      const lines = (await viewRecords(host, ctx, rights, rows)).flatMap(linesOf);
      yield host.spreadsheets.csv({ name: 'records', columns: COLUMNS, rows: lines }).subarray(head.length);
      after = rows.at(-1)!.id;
    }
  }
}

function linesOf(record: RecordView): ReportCell[][] {
  const { external_id, card_id, name, action, side, state, reason } = record;
  const before: ReportCell[] = [external_id, card_id, name, action, side, state];
  if (record.diff.length === 0) return [[...before, null, null, null, null, null, reason]];
  return record.diff.map(({ field, base, cmdb, ea, take }) => [
    ...before,
    field,
    cell(base),
    cell(cmdb),
    cell(ea),
    take,
    reason,
  ]);
}

const cell = (value: unknown): ReportCell => {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value);
};

function sums<T extends { count: number }>(rows: readonly T[], key: (row: T) => string[]): [string[], number][] {
  const found = new Map<string, [string[], number]>();
  for (const row of rows) {
    const parts = key(row);
    const entry = found.get(JSON.stringify(parts));
    if (entry) entry[1] += row.count;
    else found.set(JSON.stringify(parts), [parts, row.count]);
  }
  return [...found.values()].sort((a, b) => b[1] - a[1]);
}
