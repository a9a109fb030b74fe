import { isDeepStrictEqual } from 'node:util';
import type { Test } from 'tap';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';
import { sql } from './database.js';

/** About so many histories of cards, and of relations, are kept: those with several versions, drawn by a hash of the id. */
const SAMPLED = 400;
const KINDS = [
  {
    versions: 'card_versions',
    deletions: 'card_deletions',
    rows: 'card_rows',
    fields: ['name', 'subtype', 'description', 'alias', 'external_id', 'parent_id', 'status', 'approval_status'],
    maps: ['lifecycle', 'attributes'],
  },
  {
    versions: 'relation_versions',
    deletions: 'relation_deletions',
    rows: 'relations',
    fields: ['description', 'valid_from', 'valid_to'],
    maps: ['attributes'],
  },
] as const;
type Kind = (typeof KINDS)[number];
type Doc = Record<string, unknown>;

interface Version {
  version: number;
  /** Times as in JSON; `until` is null for the current one. */
  from: string;
  until: string | null;
  doc: Doc;
}
interface Kept extends Record<string, unknown> {
  id: string;
  versions: Version[];
}
interface Stored extends Record<string, unknown> {
  id: string;
  latest: Doc;
  deleted: string | null;
  versions: { version: number; at: string; changes: { field: string; old: unknown }[] | null }[];
}

/** Copies histories of whole documents to tables of a separate schema, before they are migrated to lists of changes. */
export async function keepSample(database: DatabaseConnection): Promise<void> {
  await sql(database, 'create schema kept');
  for (const { versions } of KINDS)
    await sql(
      database,
      `create table kept.${versions} as select v.id, v.version, to_json(v.valid_from) #>> '{}' as from, to_json(v.valid_to) #>> '{}' as until, v.doc from ${versions} v
        join (select id, row_number() over (order by md5(id::text)) as place from (select id from ${versions} group by id having count(*) > 1) several) s using (id)
        where s.place % greatest(1, (select count(distinct id) from ${versions} where version > 1) / ${SAMPLED}) = 0`,
    );
}

/** Reconstructs the kept histories from the lists of changes, in this process, and compares each version with its document. */
export async function checkHistories(t: Test, database: DatabaseConnection): Promise<void> {
  for (const kind of KINDS) {
    const kept = await sql<Kept>(
      database,
      `select id, jsonb_agg(jsonb_build_object('version', version, 'from', "from", 'until', until, 'doc', doc) order by version) as versions
        from kept.${kind.versions} group by id order by id`,
    );
    const stored = await sql<Stored>(
      database,
      `select id, coalesce(d.doc, (select to_jsonb(r) from ${kind.rows} r where r.id = v.id)) as latest, to_json(d.at) #>> '{}' as deleted,
          jsonb_agg(jsonb_build_object('version', v.version, 'at', to_json(v.at) #>> '{}', 'changes', v.changes) order by v.version) as versions
        from ${kind.versions} v left join ${kind.deletions} d using (id) where id in (select id from kept.${kind.versions}) group by id, d.doc, d.at order by id`,
    );
    const expected = kept.map(({ id, versions }) => ({
      id,
      versions: versions.map((version) => ({ ...version, doc: versioned(kind, version.doc) })),
    }));
    const rebuilt = stored.map((history) => ({ id: history.id, versions: rebuild(kind, history) }));
    const wrong = expected.flatMap((wanted, i) =>
      isDeepStrictEqual(rebuilt[i], wanted) ? [] : [{ wanted, found: rebuilt[i] }],
    );
    t.strictSame(wrong.slice(0, 1), [], `${kind.versions}: ${kept.length} histories are as before`);
    const deleted = stored.filter((history) => history.deleted !== null).length;
    t.ok(deleted > 0 && deleted < kept.length, `${deleted} of them are of deleted ones`);
  }
}

/** The part of a document that versions have. */
function versioned({ fields, maps }: Kind, doc: Doc): Doc {
  return Object.fromEntries([...fields, ...maps].map((field) => [field, doc[field] ?? null]));
}

/** The versions of one card or relation, from the latest state and the old values of later versions. */
function rebuild(kind: Kind, { latest, deleted, versions }: Stored): Version[] {
  let doc = versioned(kind, latest);
  let until = deleted;
  const rebuilt: Version[] = [];
  for (const { version, at, changes } of [...versions].reverse()) {
    rebuilt.unshift({ version, from: at, until, doc });
    doc = (changes ?? []).reduce(undo, doc);
    until = at;
  }
  return rebuilt;
}

/** The document before a change; a key of a map without an old value was not there. */
function undo(doc: Doc, { field, old }: { field: string; old: unknown }): Doc {
  const dot = field.indexOf('.');
  if (dot < 0) return { ...doc, [field]: old };
  const [map, key] = [field.slice(0, dot), field.slice(dot + 1)];
  const { [key]: _, ...rest } = doc[map] as Doc;
  return { ...doc, [map]: old === null ? rest : { ...rest, [key]: old } };
}
