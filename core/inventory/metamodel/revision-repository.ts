import type { LogEvent } from '@lintel/sdk';
import type { Database } from '../../foundation/db/database.js';
import { readPage } from '../../foundation/db/list.js';
import { Bindings, type ListParams, type ListSpec } from '../../foundation/db/list-query.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Page } from '../../foundation/http/respond.js';
import type { ChangedRows, Difference } from './assembly.js';
import { WHOLE, type StoredMetamodel } from './repository.js';

export interface Revision {
  revision: number;
  at: string;
  actor: LogEvent['actor'];
  change_id: string | null;
  summary: string;
}

const SPEC: ListSpec = {
  table: 'metamodel_revisions r',
  id: 'r.revision',
  idType: 'bigint',
  sorts: { revision: { sql: 'r.revision', type: 'bigint' } },
  defaultSort: 'revision',
  defaultDir: 'desc',
};
const COLUMNS = `r.revision::float8 as revision, r.at, r.change_id, r.summary,
  case when r.actor is not null then jsonb_build_object('id', r.actor, 'display_name', coalesce(u.display_name, r.actor_name, ''))
    || case when ch.token is null then '{}' else jsonb_build_object('token', ch.token) end end as actor`;

/**
 * At least one of this many consecutive revisions is stored completely, which bounds the number of differences applied
 * to restore one.
 */
const SNAPSHOT_EVERY = 100;

/** SQL of the current rows of a table by key; null for deleted ones. @param keys placeholder of the keys */
const rowsOf = (table: string, key: string, keys: string): string =>
  `(select coalesce(jsonb_object_agg(k, to_jsonb(t) - 'name_key'), '{}') from unnest(${keys}) as k left join ${table} t on t.${key} = k)`;

const ADD = {
  name: 'metamodel-revision',
  text: `insert into metamodel_revisions (revision, at, actor, actor_name, change_id, summary, changed, doc)
    select revision + 1, clock_timestamp(), $1, $2, $3, $4,
      case when $5::boolean then jsonb_build_object('types', ${rowsOf('card_types', 'key', '$6::text[]')}, 'relation_types', ${rowsOf('relation_types', 'key', '$7::text[]')},
        'tag_groups', ${rowsOf('tag_groups', 'id', '$8::uuid[]')}, 'tags', ${rowsOf('tags', 'id', '$9::uuid[]')}) end,
      case when not $5 or not exists (select from metamodel_revisions m where m.doc is not null and m.revision > r.revision + 1 - ${SNAPSHOT_EVERY}) then ${WHOLE} end
    from revisions r where kind = 'metamodel'`,
};
const SINCE = {
  name: 'metamodel-since',
  text: `select r.revision::text as current, m.revision::text as revision, m.changed from revisions r
    left join lateral (select revision, changed from metamodel_revisions where revision > $1 and revision <= r.revision order by revision limit ${SNAPSHOT_EVERY + 1}) m on true
    where r.kind = 'metamodel' order by m.revision`,
};
const AT = {
  name: 'metamodel-at',
  text: `select m.revision::text as revision, m.changed, case when m.revision = base.revision then m.doc end as doc
    from (select max(revision) as revision from metamodel_revisions where revision <= $1 and doc is not null) base
    join metamodel_revisions m on m.revision >= base.revision and m.revision <= $1 order by m.revision`,
};

/** The keys and ids of what a change created, updated or deleted. */
export interface Touched {
  card_type: string[];
  relation_type: string[];
  tag_group: string[];
  tag: string[];
}

/**
 * Stores the metamodel under the revision it has when this unit of work commits: as a difference, and periodically as a
 * whole.
 * @param touched undefined where everything may have changed
 */
export async function addRevision(uow: UnitOfWork, summary: string, touched?: Touched): Promise<void> {
  const { actor, changeId } = uow.ctx;
  const { card_type = [], relation_type = [], tag_group = [], tag = [] } = touched ?? {};
  await uow.query(ADD, [
    actor?.id ?? null,
    actor?.displayName ?? null,
    changeId,
    summary,
    touched !== undefined,
    card_type,
    relation_type,
    tag_group,
    tag,
  ]);
}

/**
 * The differences from a revision up to the current one, in order.
 * @returns undefined where there are too many, or one of them is stored only as a whole
 */
export async function readSince(on: Pick<Database, 'query'>, revision: string): Promise<Difference[] | undefined> {
  const rows = await on.query<{ current: string; revision: string | null; changed: ChangedRows | null }>(SINCE, [
    revision,
  ]);
  const steps = rows.flatMap((row) =>
    row.revision === null || row.changed === null ? [] : [{ revision: row.revision, changed: row.changed }],
  );
  // One row per revision; otherwise some are missing.
  return BigInt(steps.length) === BigInt(rows[0]!.current) - BigInt(revision) ? steps : undefined;
}

/**
 * A stored revision: the latest complete one before it, and the differences from there.
 * @returns undefined where there was none yet
 */
export async function readRevision(
  on: Pick<Database, 'query'>,
  revision: string,
): Promise<{ whole: StoredMetamodel; differences: Difference[] } | undefined> {
  const [first, ...rest] = await on.query<{
    revision: string;
    changed: ChangedRows | null;
    doc: Omit<StoredMetamodel, 'revision'> | null;
  }>(AT, [revision]);
  if (!first) return undefined;
  return {
    whole: { ...first.doc!, revision: first.revision },
    differences: rest.map((row) => ({ revision: row.revision, changed: row.changed! })),
  };
}

/** The changes of the metamodel, the latest first. */
export async function listRevisions(db: Database, params: ListParams): Promise<Page<Revision>> {
  const page = await readPage<Omit<Revision, 'at'> & { at: Date }>(db, {
    spec: SPEC,
    params,
    where: [],
    bindings: new Bindings(),
    scope: '',
    columns: COLUMNS,
    joins: 'left join users u on u.id = r.actor left join changes ch on ch.id = r.change_id',
  });
  return { ...page, items: page.items.map((r) => ({ ...r, at: r.at.toISOString() })) };
}
