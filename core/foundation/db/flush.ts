import type { EventInput, RequestContext } from '@lintel/sdk';

/** The timestamp of a change, in milliseconds, taken when the statement runs. */
export const CLOCK = `date_trunc('milliseconds', clock_timestamp())`;

/** The rows written by a unit of work (change, events, idempotency key), as columns of its JSON parameter. */
export const FLUSH_COLUMNS = `change_id uuid, kind text, actor uuid, actor_name text, token jsonb, origin text, request_id text, key text, fingerprint text, result jsonb,
  events jsonb`;

/** Writes the change row and the events of each row of `flush`, which has FLUSH_COLUMNS and `clock`. */
export const FLUSH_LOG = `change_row as (insert into changes (id, kind, actor, token, origin, request_id, at)
  select change_id, kind, actor, token, origin, request_id, clock from flush where kind is not null
  on conflict (id) do nothing),
outbox as (insert into event_outbox (type, occurred_at, actor_id, actor_name, token, origin, request_id, change_id,
    subject_kind, subject_id, subject_type, subject_name, data)
  select e.type, coalesce(e.at, flush.clock), flush.actor, flush.actor_name, flush.token, flush.origin, flush.request_id, flush.change_id,
    e.kind, e.id, e.subtype, e.name, coalesce(e.data, '{}')
  from flush, rows from (jsonb_to_recordset(flush.events) as (type text, at timestamptz, kind text, id text, subtype text, name text, data jsonb))
    with ordinality as e(type, at, kind, id, subtype, name, data, n)
  order by e.n)`;

/**
 * Common table expressions that write the change row, the events and the Idempotency-Key of a unit of work from one
 * JSON parameter, `$1`. A statement that writes rows includes them, so that a small write is one round trip. `now` is
 * the timestamp of the change: milliseconds, taken when the statement runs, after the row locks.
 */
export const FLUSH = `
now as materialized (select ${CLOCK} as at),
flush as materialized (select f.*, now.at as clock from now, jsonb_to_record($1::jsonb) as f(${FLUSH_COLUMNS})),
${FLUSH_LOG},
key_row as (insert into idempotency_keys (user_id, key, fingerprint, result)
  -- The JSON value null, of work without a result, arrives as SQL null.
  select actor, key, decode(fingerprint, 'hex'), coalesce(result, 'null') from flush where key is not null
  on conflict (user_id, key) do update set fingerprint = excluded.fingerprint, result = excluded.result, created_at = clock_timestamp())`;

/**
 * For statements with rows of several units of work, each with its own flush: `input`, from `$1`, an array of results of
 * `rowWithFlush`.
 * @param columns of the rows
 */
export const inputWithFlush = (columns: string): string =>
  `input as materialized (select * from jsonb_to_recordset($1::jsonb) as r(${FLUSH_COLUMNS}, revision bigint, ${columns}))`;

/** The `flush` of each row of `input` that was written, as `row_id`. @param written SQL of `id` and `clock`, the time */
export const flushOf = (written: string): string =>
  `flush as materialized (select r.id as row_id, r.change_id, r.kind, r.actor, r.actor_name, r.token, r.origin, r.request_id, r.events, r.revision, w.clock
      from (${written}) w join input r using (id))`;

/** The JSON of one row. @param flush of its unit of work, from `flushed` */
export function rowWithFlush(row: Record<string, unknown>, metamodelRevision: string, flush: string): string {
  return `${flush.slice(0, -1)},"revision":${metamodelRevision},${JSON.stringify(row).slice(1)}`;
}

interface Flush {
  /** Kind of the change row; null when the row has already been written. */
  kind: string | null;
  events: EventInput[];
  /** The result returned when the request is replayed with the same Idempotency-Key. */
  key: { result: unknown } | undefined;
}

/** The JSON value of the flush parameter. */
export function flushValue(ctx: RequestContext, { kind, events, key }: Flush): string {
  return JSON.stringify({
    change_id: ctx.changeId,
    kind,
    actor: ctx.actor?.id,
    actor_name: ctx.actor?.displayName,
    token: ctx.actor?.token,
    origin: ctx.origin,
    request_id: ctx.requestId,
    ...(key &&
      ctx.idempotency && {
        key: ctx.idempotency.key,
        fingerprint: ctx.idempotency.fingerprint.toString('hex'),
        result: key.result,
      }),
    events: events.map(({ type, at, subject, data }) => ({
      type,
      at,
      kind: subject.kind,
      id: subject.id,
      subtype: subject.type,
      name: subject.name,
      data,
    })),
  });
}
