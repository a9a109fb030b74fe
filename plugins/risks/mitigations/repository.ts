import type { ModuleServices, PageResult, UnitOfWork } from '@lintel/sdk';
import type { Status as RiskStatus } from '../moves.js';
import type { Frequency } from './recurrence.js';
import type { OccurrenceQuery, OccurrenceView } from './resource.js';

type Db = ModuleServices['db'];
type Row<T> = T & Record<string, unknown>;
const NOW = "date_trunc('milliseconds', clock_timestamp())";

const RISKS = { name: 'risks-existing', text: 'select id from risks_register where id = any($1::uuid[])' };
const OPEN = {
  name: 'risks-open-occurrences',
  text: `select mitigation_id, id, number, due_date::text as due_date, coalesce(due_date < (statement_timestamp() at time zone 'UTC')::date, false) as is_overdue
    from risks_occurrences where mitigation_id = any($1::uuid[]) and status = 'open'`,
};
// A shared lock: a transaction that closes the risk waits, or its change is visible here.
const SHARE_RISK = { name: 'risks-share-risk', text: 'select status from risks_register where id = $1 for share' };
const LOCK = {
  name: 'risks-mitigation-lock',
  text: `select id, version, title, status, owner_id, due_date::text as due_date, recurrence, recurrence_interval, ends_on::text as ends_on, series_start::text as series_start
    from risks_mitigations where id = $1 and risk_id = $2 for update`,
};
const BEGIN = {
  name: 'risks-occurrence-begin',
  text: `insert into risks_occurrences (id, mitigation_id, number, due_date, status, created_at)
    select $1, $2, coalesce(max(number), 0) + 1, $3::date, 'open', ${NOW} from risks_occurrences where mitigation_id = $2 returning id, number, due_date::text as due_date`,
};
const POSTPONE = {
  name: 'risks-occurrence-postpone',
  text: `update risks_occurrences set due_date = $2::date where mitigation_id = $1 and status = 'open'`,
};
const END = {
  name: 'risks-occurrence-end',
  text: `update risks_occurrences set status = $2, comment = $3, ended_by = $4, ended_at = ${NOW} where mitigation_id = $1 and status = 'open' returning id, number, due_date::text as due_date`,
};
const FIND = {
  name: 'risks-occurrence-find',
  text: 'select status from risks_occurrences where id = $1 and mitigation_id = $2',
};
const SPEC = {
  table: 'risks_occurrences o',
  id: 'o.id',
  defaultSort: 'number',
  sorts: { number: { sql: 'o.number', type: 'integer' } },
} as const;

export interface LockedMitigation {
  id: string;
  version: number;
  title: string;
  status: 'planned' | 'in_progress' | 'done' | 'cancelled';
  owner_id: string | null;
  due_date: string | null;
  recurrence: Frequency;
  recurrence_interval: number;
  ends_on: string | null;
  series_start: string | null;
}

interface Occurrence {
  id: string;
  number: number;
  due_date: string | null;
}

/** Those of these risks that exist. */
export async function findRisks(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await db.query<{ id: string }>(RISKS, [ids])).map(({ id }) => id));
}

/** The open occurrence, by mitigation. */
export async function openOccurrences(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, Occurrence & { is_overdue: boolean }>> {
  const rows = await db.query<Row<Occurrence & { mitigation_id: string; is_overdue: boolean }>>(OPEN, [ids]);
  return new Map(rows.map(({ mitigation_id, ...occurrence }) => [mitigation_id, occurrence]));
}

export async function shareRisk(uow: UnitOfWork, id: string): Promise<RiskStatus | undefined> {
  return (await uow.query<{ status: RiskStatus }>(SHARE_RISK, [id]))[0]?.status;
}

export async function lockMitigation(
  uow: UnitOfWork,
  id: string,
  riskId: string,
): Promise<LockedMitigation | undefined> {
  return (await uow.query<Row<LockedMitigation>>(LOCK, [id, riskId]))[0];
}

export async function beginOccurrence(
  uow: UnitOfWork,
  id: string,
  mitigationId: string,
  due: string | null,
): Promise<Occurrence> {
  return (await uow.query<Row<Occurrence>>(BEGIN, [id, mitigationId, due]))[0]!;
}

/** Changes the date of the open occurrence. */
export async function postponeOccurrence(uow: UnitOfWork, mitigationId: string, due: string | null): Promise<void> {
  await uow.query(POSTPONE, [mitigationId, due]);
}

/** Ends the open occurrence. @returns it, if there was one */
export async function endOccurrence(
  uow: UnitOfWork,
  mitigationId: string,
  status: 'done' | 'skipped' | 'cancelled',
  comment: string | null,
): Promise<Occurrence | undefined> {
  return (await uow.query<Row<Occurrence>>(END, [mitigationId, status, comment, uow.ctx.actor?.id ?? null]))[0];
}

export async function occurrenceStatus(uow: UnitOfWork, id: string, mitigationId: string): Promise<string | undefined> {
  return (await uow.query<{ status: string }>(FIND, [id, mitigationId]))[0]?.status;
}

export async function listOccurrences(
  db: Db,
  query: OccurrenceQuery,
  mitigationId: string,
): Promise<PageResult<OccurrenceView>> {
  const bindings = db.bindings();
  const where = [`o.mitigation_id = ${bindings.add(mitigationId)}`];
  if (query.status !== undefined) where.push(`o.status = any(${bindings.add(query.status.split(','))}::text[])`);
  const page = await db.readPage<
    Row<Omit<OccurrenceView, 'ended_at' | 'created_at'> & { ended_at: Date | null; created_at: Date }>
  >({
    spec: SPEC,
    params: query,
    where,
    bindings,
    scope: JSON.stringify([mitigationId, query.status]),
    columns:
      'o.id, o.mitigation_id, o.number, o.due_date::text as due_date, o.status, o.comment, o.ended_by, o.ended_at, o.created_at',
  });
  return {
    ...page,
    items: page.items.map((row) => ({
      ...row,
      ended_at: row.ended_at?.toISOString() ?? null,
      created_at: row.created_at.toISOString(),
    })),
  };
}
