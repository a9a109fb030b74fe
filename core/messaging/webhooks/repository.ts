import type { Database } from '../../foundation/db/database.js';
import { readPage } from '../../foundation/db/list.js';
import { Bindings, type ListSpec, type Page } from '../../foundation/db/list-query.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Condition } from './filter.js';
import type { DisabledReason, WebhookQuery } from './schemas.js';

const PREVIOUS_HOURS = 24;
const COUNTED = 10_000;
const NOW = `date_trunc('milliseconds', clock_timestamp())`;
const NEXT = `greatest(updated_at + interval '1 ms', ${NOW})`;

export interface WebhookValues {
  name: string | null;
  url: string;
  types: string[];
  conditions: Condition[];
  is_active: boolean;
}

export interface WebhookRow extends WebhookValues {
  id: string;
  disabled_reason: DisabledReason | null;
  owner_id: string | null;
  owner_name: string | null;
  previous_secret_until: Date | null;
  pending: number;
  failing_since: Date | null;
  last_attempt_at: Date | null;
  last_success_at: Date | null;
  last_status: number | null;
  last_error: string | null;
  created_at: Date;
  updated_at: Date;
  version: number;
}
type Row = WebhookRow & Record<string, unknown>;

const SPEC: ListSpec = {
  table: 'webhooks w',
  id: 'w.id',
  defaultSort: 'created_at',
  sorts: {
    created_at: { sql: 'w.created_at', type: 'timestamptz' },
    updated_at: { sql: 'w.updated_at', type: 'timestamptz' },
    name: { sql: 'w.name', type: 'text', collate: '"C"', nullable: true },
    url: { sql: 'w.url', type: 'text', collate: '"C"' },
  },
};
const COLUMNS = `w.id, w.name, w.url, w.types, w.conditions, w.is_active, w.disabled_reason, w.owner_id, u.display_name as owner_name,
  case when w.previous_secret_until > clock_timestamp() then w.previous_secret_until end as previous_secret_until,
  (select count(*)::int from (select from webhook_deliveries d where d.webhook_id = w.id and d.state = 'pending' limit ${COUNTED}) p) as pending,
  w.failing_since, w.last_attempt_at, w.last_success_at, w.last_status, w.last_error, w.created_at, w.updated_at, w.version`;
const JOINS = 'left join users u on u.id = w.owner_id';
const FIND = { name: 'webhook-find', text: `select ${COLUMNS} from webhooks w ${JOINS} where w.id = $1` };
// FOR NO KEY UPDATE: rows that refer to the webhook can still be inserted, but deliveries that update it wait.
const LOCK = {
  name: 'webhook-lock',
  text: 'select id, name, url, types, conditions, is_active, owner_id, version from webhooks where id = $1 for no key update',
};
const INSERT = {
  name: 'webhook-insert',
  text: `insert into webhooks (id, name, url, types, conditions, is_active, owner_id, from_position, created_at, updated_at)
    select $1, $2, $3, $4::text[], $5::jsonb, $6, $7, h.position, ${NOW}, ${NOW} from event_head h`,
};
const UPDATE = {
  name: 'webhook-update',
  text: `update webhooks set name = $2, url = $3, types = $4::text[], conditions = $5::jsonb, is_active = $6, owner_id = $7,
      disabled_reason = case when $6 then null else disabled_reason end, version = version + 1, updated_at = ${NEXT}
    where id = $1 returning version`,
};
const RESUME = {
  name: 'webhook-resume',
  text: `with due as (update webhook_deliveries set next_at = clock_timestamp()
      where webhook_id = $1 and state = 'pending' and next_at > clock_timestamp() and (lease_until is null or lease_until < clock_timestamp()))
    update webhooks set failing_since = null, from_position = h.position from event_head h where id = $1`,
};
const ROTATED = {
  name: 'webhook-rotated',
  text: `update webhooks set previous_secret_until = ${NOW} + interval '${PREVIOUS_HOURS} hours', version = version + 1, updated_at = ${NEXT} where id = $1 returning version`,
};
const DISABLE = {
  name: 'webhook-disable',
  text: `update webhooks set is_active = false, disabled_reason = $2, version = version + 1, updated_at = ${NEXT}
    where id = $1 and is_active and owner_id is not distinct from $3 and url = $4 returning name`,
};
const OWNED = {
  name: 'webhooks-owned',
  text: 'select id, owner_id, url from webhooks where owner_id = $1 and is_active order by id for no key update',
};
const DELETE = { name: 'webhook-delete', text: 'delete from webhooks where id = $1' };

export async function listWebhooks(db: Database, { is_active, ...params }: WebhookQuery): Promise<Page<WebhookRow>> {
  const bindings = new Bindings();
  const where = is_active === undefined ? [] : [`w.is_active = ${bindings.add(is_active)}`];
  return await readPage<Row>(db, {
    spec: SPEC,
    params,
    where,
    bindings,
    scope: JSON.stringify(['webhooks', is_active]),
    columns: COLUMNS,
    joins: JOINS,
  });
}

export async function findWebhook(db: Database, id: string): Promise<WebhookRow | undefined> {
  return (await db.query<Row>(FIND, [id]))[0];
}

export type LockedWebhook = WebhookValues & Pick<WebhookRow, 'id' | 'owner_id' | 'version'>;

export async function lockWebhook(uow: UnitOfWork, id: string): Promise<LockedWebhook | undefined> {
  return (await uow.query<LockedWebhook & Record<string, unknown>>(LOCK, [id]))[0];
}

const columns = ({ name, url, types, conditions, is_active }: WebhookValues): unknown[] => [
  name,
  url,
  types,
  JSON.stringify(conditions),
  is_active,
];

/** Stores a webhook, which gets events from now on. */
export async function insertWebhook(
  uow: UnitOfWork,
  id: string,
  values: WebhookValues,
  ownerId: string,
): Promise<void> {
  await uow.query(INSERT, [id, ...columns(values), ownerId]);
}

/** @returns the new version */
export async function updateWebhook(
  uow: UnitOfWork,
  id: string,
  values: WebhookValues,
  ownerId: string | null,
): Promise<number> {
  return (await uow.query<{ version: number }>(UPDATE, [id, ...columns(values), ownerId]))[0]!.version;
}

/** Re-enables a webhook: pending deliveries are due at once, and new events are delivered from now on. */
export async function resumeWebhook(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(RESUME, [id]);
}

/** Keeps the previous secret valid for one more day. @returns the new version */
export async function noteRotation(uow: UnitOfWork, id: string): Promise<number> {
  return (await uow.query<{ version: number }>(ROTATED, [id]))[0]!.version;
}

/** The columns on which the decision to disable a webhook is based. */
export type DisableTarget = Pick<WebhookRow, 'id' | 'owner_id' | 'url'>;

/**
 * Disables a webhook that is still enabled and has the same owner and URL. @returns its name; undefined where this is
 * not the case
 */
export async function disableUnchanged(
  uow: UnitOfWork,
  { id, owner_id, url }: DisableTarget,
  reason: DisabledReason,
): Promise<{ name: string | null } | undefined> {
  return (await uow.query<{ name: string | null }>(DISABLE, [id, reason, owner_id, url]))[0];
}

/** The enabled webhooks of a user, locked until the unit of work ends. */
export async function lockOwned(uow: UnitOfWork, userId: string): Promise<DisableTarget[]> {
  return await uow.query<DisableTarget & Record<string, unknown>>(OWNED, [userId]);
}

/** Deletes a webhook and its deliveries. */
export async function deleteWebhook(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(DELETE, [id]);
}
