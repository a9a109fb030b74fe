import { isDeepStrictEqual } from 'node:util';
import {
  Nullable,
  Timestamp,
  Type,
  resource,
  type RequestContext,
  type ResourceChange,
  type ResourceRow,
} from '@lintel/sdk';
import type { Host } from '../basics.js';
import { knownConnections } from '../connections/repository.js';
import { MANAGE, VIEW } from '../permissions.js';
import type { Settings } from '../settings.js';
import { accountFaults } from './account.js';
import { mappingFaults } from './check.js';
import { readMetamodel, type Metamodel } from './metamodel.js';
import { nextRun } from './schedule.js';
import { MAPPING_EXAMPLE, MAPPING_FIELDS } from './schemas.js';

const ASSIGNED = {
  next_run_at: Nullable(Timestamp()),
  watermark: Nullable(Type.String()),
};
type Row = ResourceRow<typeof MAPPING_FIELDS, typeof ASSIGNED>;

/** By request, the metamodel that its mappings are checked against: a transaction must not wait for another connection. */
const metamodels = new WeakMap<RequestContext, Metamodel>();

/** Reads what mappings are checked against; required before one is created or changed. */
export async function prepareMappings(host: Host, ctx: RequestContext): Promise<void> {
  if (!metamodels.has(ctx)) metamodels.set(ctx, await readMetamodel(host, ctx));
}

/** Fields whose change makes a full read necessary: what was read before may have to be read in another way. */
const READ = ['filter', 'direction', 'fields', 'identity', 'relations'] as const;
/** Fields that do not determine what is written. */
const HARMLESS: readonly string[] = ['name', 'owner_id'];
const TIMED = ['schedule', 'time_zone', 'is_enabled'] as const;

async function prepared({ host, uow, ctx, before, next }: ResourceChange<Row, Settings>): Promise<Partial<Row>> {
  const metamodel = metamodels.get(ctx);
  if (!metamodel) throw new Error('the metamodel was not read before the transaction');
  const faults = mappingFaults({ ...next, filter: next.filter } as Parameters<typeof mappingFaults>[0], metamodel);
  const differs = (fields: readonly (keyof Row)[]): boolean =>
    !before || fields.some((field) => !isDeepStrictEqual(before[field], next[field]));
  // Every other change counts: the fields determine what is written with the rights of the account.
  const decisive = (Object.keys(MAPPING_FIELDS) as (keyof Row)[]).filter(
    (field) => !HARMLESS.includes(field) && (field !== 'is_enabled' || next.is_enabled),
  );
  if (next.runs_as !== null && differs(decisive))
    faults.push(...(await accountFaults(host as Host, uow, next.runs_as, '/runs_as')));
  if (faults.length > 0) throw host.invalid(...faults);
  const isDue = next.is_enabled && next.schedule !== null;
  return {
    name: next.name.trim(),
    ...(differs(READ) && { watermark: null }),
    ...(differs(TIMED) && {
      next_run_at: isDue ? (nextRun(next.schedule!, next.time_zone, new Date())?.toISOString() ?? null) : null,
    }),
  };
}

/** Mappings between tables of other systems and card types. */
export const mappings = resource<typeof MAPPING_FIELDS, typeof ASSIGNED, Record<never, never>, Settings>({
  kind: 'cmdbsync_mapping',
  table: 'cmdbsync_mappings',
  tag: 'cmdbsync',
  operation: 'CmdbsyncMapping',
  label: 'a mapping between a table and a card type',
  labels: 'mappings between tables and card types',
  permissions: { view: VIEW, manage: MANAGE },
  fields: MAPPING_FIELDS,
  fixed: ['connection_id', 'card_type', 'table'],
  bounds: [{ most: 1_000 }],
  assigned: ASSIGNED,
  hidden: ['watermark'],
  derived: ['next_run_at', 'watermark'],
  columns: { table: 'table_name' },
  types: { fields: 'jsonb', identity: 'jsonb', relations: 'jsonb' },
  computed: { name_key: ({ name }, host) => host.nameKey(name) },
  references: {
    owner_id: 'user',
    connection_id: async (host, _ctx, ids) => await knownConnections(host.db, ids),
  },
  filters: { connection_id: 'any', card_type: 'any', is_enabled: 'any' },
  sorts: {
    name: { column: 'name_key', type: 'text' },
    next_run_at: { column: 'next_run_at', type: 'timestamptz', nullable: true },
  },
  defaultSort: 'name',
  example: MAPPING_EXAMPLE,
  prepare: prepared,
});
export type Mappings = ReturnType<typeof mappings.service>;
