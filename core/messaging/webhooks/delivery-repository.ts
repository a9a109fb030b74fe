import type { Bounded } from '@lintel/sdk';
import type { Database } from '../../foundation/db/database.js';
import { readPage } from '../../foundation/db/list.js';
import { Bindings, named, type ListSpec, type Page } from '../../foundation/db/list-query.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import { scopeSql, type EventScope } from '../events/index.js';
import type { DeliveryQuery, DeliveryState } from './delivery-schemas.js';

const RETENTION_DAYS = 30;
const CLEAN_ROWS = 10_000;

/** One attempt as it is stored. */
export interface LogEntry {
  at: string;
  status: number | null;
  error: string | null;
  duration_ms: number;
  response: string | null;
  /** The user whose permissions were used. */
  owner_id: string | null;
}

export interface DeliveryRow {
  id: string;
  webhook_id: string;
  position: number;
  event_type: string;
  subject_id: string;
  state: DeliveryState;
  attempts: number;
  next_at: Date | null;
  redelivery_of: string | null;
  created_at: Date;
  finished_at: Date | null;
  last_entry: LogEntry | null;
}
type Row<R> = R & Record<string, unknown>;

const COLUMNS = `d.id, d.webhook_id, d.position::float8 as position, d.event_type, d.subject_id, d.state, d.attempts, d.next_at, d.redelivery_of, d.created_at, d.finished_at,
  d.log -> -1 as last_entry`;
const SPEC: ListSpec = {
  table: 'webhook_deliveries d',
  id: 'd.id',
  defaultSort: 'created_at',
  defaultDir: 'desc',
  sorts: { created_at: { sql: 'd.created_at', type: 'timestamptz' } },
};
/** Deliveries that were asked for again and have not ended; the latter are deleted after some days. */
export const REDELIVERIES: Bounded = {
  table: 'webhook_deliveries',
  bounds: [
    {
      per: ['webhook_id'],
      most: 1_000,
      of: 'repeated deliveries of a webhook that have not ended',
      where: "r.redelivery_of is not null and r.state = 'pending'",
    },
  ],
};
const REDELIVER = {
  name: 'webhook-redeliver',
  text: `insert into webhook_deliveries (id, webhook_id, position, event_type, subject_id, next_at, redelivery_of)
    select $1, webhook_id, position, event_type, subject_id, clock_timestamp(), id from webhook_deliveries where id = $2`,
};
const CLEAN = {
  name: 'webhook-deliveries-clean',
  text: `with old as (select id from webhook_deliveries where finished_at < now() - interval '${RETENTION_DAYS} days' limit ${CLEAN_ROWS} for update skip locked),
    gone as (delete from webhook_deliveries d using old where d.id = old.id returning 1) select count(*)::int as n from gone`,
};

/**
 * Deliveries of events visible to the reader; deliveries of events no longer retained are excluded where visibility is
 * restricted.
 */
const seenSql = (scope: EventScope, bindings: Bindings): string =>
  scope.cards
    ? `exists (select from events e where e.position = d.position and ${scopeSql(scope, bindings).join(' and ')})`
    : 'true';

/** @param scope the events visible to the reader */
export async function listDeliveries(
  db: Database,
  webhookId: string,
  { state, type, subject_id, ...params }: DeliveryQuery,
  eventScope: EventScope,
): Promise<Page<DeliveryRow>> {
  const bindings = new Bindings();
  const where = [`d.webhook_id = ${bindings.add(webhookId)}`];
  if (state !== undefined) where.push(`d.state = any(${bindings.add(state.split(','))}::text[])`);
  if (type !== undefined)
    where.push(
      type.endsWith('.') ? `starts_with(d.event_type, ${bindings.add(type)})` : `d.event_type = ${bindings.add(type)}`,
    );
  if (subject_id !== undefined) where.push(`d.subject_id = ${bindings.add(subject_id)}`);
  where.push(seenSql(eventScope, bindings));
  const scope = JSON.stringify([webhookId, state, type, subject_id]);
  return await readPage<Row<DeliveryRow>>(db, { spec: SPEC, params, where, bindings, scope, columns: COLUMNS });
}

/** A delivery with all its attempts. @param scope the events visible to the reader */
export async function findDelivery(
  db: Pick<Database, 'query'> | UnitOfWork,
  webhookId: string,
  id: string,
  scope: EventScope,
): Promise<(DeliveryRow & { log: LogEntry[] }) | undefined> {
  const bindings = new Bindings();
  const text = `select ${COLUMNS}, d.log from webhook_deliveries d where d.webhook_id = ${bindings.add(webhookId)} and d.id = ${bindings.add(id)} and ${seenSql(scope, bindings)}`;
  return (await db.query<Row<DeliveryRow & { log: LogEntry[] }>>(named(text), bindings.values))[0];
}

/** Queues another delivery of the same event, independent of other deliveries of its subject. */
export async function insertRedelivery(uow: UnitOfWork, id: string, of: string): Promise<void> {
  await uow.query(REDELIVER, [id, of]);
}

/** Deletes deliveries completed more than 30 days ago, in batches. @returns the number deleted */
export async function cleanDeliveries(db: Database): Promise<number> {
  for (let total = 0; ; ) {
    const n = (await db.query<{ n: number }>(CLEAN))[0]!.n;
    total += n;
    if (n < CLEAN_ROWS) return total;
  }
}
