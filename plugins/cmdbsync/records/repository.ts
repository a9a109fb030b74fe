import type { Bindings, ListParams, ModuleServices, PageResult, RequestContext } from '@lintel/sdk';
import type { FieldDiff, RecordDetail } from './definition.js';
import type { RecordQuery, RecordView } from './schemas.js';

type Cards = Pick<ModuleServices, 'cards' | 'db'>;

const COLUMNS = `c.id, c.run_id, r.mapping_id, c.external_id, c.card_id, c.card_type, c.name, c.action, c.side, c.state, c.diff, c.detail, c.reason,
  c.decided_by, c.decided_at, c.applied_at`;
const JOIN = 'join cmdbsync_runs r on r.id = c.run_id';
const SPEC = {
  table: 'cmdbsync_records c',
  id: 'c.id',
  sorts: { id: { sql: 'c.id', type: 'uuid' } },
  defaultSort: 'id',
  defaultDir: 'asc',
} as const;

/** A record as it is stored. */
export interface RecordRow extends Omit<RecordView, 'diff' | 'proposals' | 'decided_at' | 'applied_at'> {
  diff: FieldDiff[];
  detail: RecordDetail;
  decided_at: Date | null;
  applied_at: Date | null;
}
type Row = RecordRow & Record<string, unknown>;

/** Conditions that a record is about a card, or a card to come, that the caller may see. @param types of cards that the caller may see */
function visible(host: Cards, ctx: RequestContext, types: readonly string[], bindings: Bindings): string[] {
  const bind = (value: unknown): string => bindings.add(value);
  return [
    `c.card_type = any(${bind(types)}::text[])`,
    `(c.card_id is null or ${host.cards.visibleSql(ctx, 'c.card_id', bind)})`,
  ];
}

export async function listRecords(
  host: Cards,
  ctx: RequestContext,
  types: readonly string[],
  runId: string,
  query: RecordQuery,
): Promise<PageResult<RecordRow>> {
  const { action, state, side, external_id, card_id, ...params } = query;
  const bindings = host.db.bindings();
  const where = [`c.run_id = ${bindings.add(runId)}::uuid`, ...visible(host, ctx, types, bindings)];
  for (const [column, value] of Object.entries({ action, state }))
    if (value !== undefined) where.push(`c.${column} = any(${bindings.add(value.split(','))}::text[])`);
  if (side !== undefined) where.push(`c.side = ${bindings.add(side)}`);
  if (external_id !== undefined) where.push(`c.external_id = ${bindings.add(external_id)}`);
  if (card_id !== undefined) where.push(`c.card_id = ${bindings.add(card_id)}::uuid`);
  return await host.db.readPage<Row>({
    spec: SPEC,
    params: params as ListParams,
    where,
    bindings,
    scope: JSON.stringify([runId, action, state, side, external_id, card_id]),
    columns: COLUMNS,
    joins: JOIN,
  });
}

/** @returns undefined if it does not exist, or is about a card that the caller may not see */
export async function findRecord(
  host: Cards,
  ctx: RequestContext,
  types: readonly string[],
  id: string,
): Promise<RecordRow | undefined> {
  const bindings = host.db.bindings();
  const where = [`c.id = ${bindings.add(id)}::uuid`, ...visible(host, ctx, types, bindings)];
  const text = `select ${COLUMNS} from cmdbsync_records c ${JOIN} where ${where.join(' and ')}`;
  return (await host.db.query<Row>({ name: 'cmdbsync-record', text }, bindings.values))[0];
}

/** The next records of a run, for its report. @param after id of the last one read */
export async function readRecords(
  host: Cards,
  ctx: RequestContext,
  types: readonly string[],
  runId: string,
  after: string | undefined,
  most: number,
): Promise<RecordRow[]> {
  const bindings = host.db.bindings();
  const where = [`c.run_id = ${bindings.add(runId)}::uuid`, ...visible(host, ctx, types, bindings)];
  if (after !== undefined) where.push(`c.id > ${bindings.add(after)}::uuid`);
  const text = `select ${COLUMNS} from cmdbsync_records c ${JOIN} where ${where.join(' and ')} order by c.id limit ${bindings.add(most)}`;
  return await host.db.query<Row>({ name: 'cmdbsync-records-read', text }, bindings.values);
}

/** Numbers of the records of a run, and the most frequent reasons, as far as the caller may see the cards. */
export async function countRecords(
  host: Cards,
  ctx: RequestContext,
  types: readonly string[],
  runId: string,
): Promise<{ action: string; side: string; state: string; reason: string | null; count: number }[]> {
  const bindings = host.db.bindings();
  const where = [`c.run_id = ${bindings.add(runId)}::uuid`, ...visible(host, ctx, types, bindings)];
  const text = `select c.action, c.side, c.state, left(c.reason, 300) as reason, count(*)::int as count from cmdbsync_records c
    where ${where.join(' and ')} group by 1, 2, 3, 4 order by 5 desc, 1, 2, 3, 4 limit 1000`;
  return await host.db.query({ name: 'cmdbsync-records-count', text }, bindings.values);
}
