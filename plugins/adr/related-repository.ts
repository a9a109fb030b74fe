import { jsonBatches, type ModuleServices, type UnitOfWork } from '@lintel/sdk';
import { NOW } from './columns-repository.js';
import type { RelatedInput } from './schemas.js';

type Db = ModuleServices['db'];

const SET = {
  name: 'adr-related-set',
  text: `with wanted as (select w.type, w.adr_id from jsonb_to_recordset($2::jsonb) as w(type text, adr_id uuid)),
      gone as (delete from adr_related r where r.adr_id = $1 and r.type <> 'superseded_by' and not exists (select from wanted w where w.type = r.type and w.adr_id = r.target_id))
    insert into adr_related (adr_id, target_id, type, is_imported) select $1, w.adr_id, w.type, false from wanted w on conflict do nothing`,
};
const ADD_IMPORTED = {
  name: 'adr-related-imported',
  text: `insert into adr_related (adr_id, target_id, type, is_imported)
    select n.adr_id, n.target_id, n.type, true from jsonb_to_recordset($1::jsonb) as n(adr_id uuid, target_id uuid, type text)
    where n.adr_id <> n.target_id on conflict do nothing`,
};
const TARGETS = {
  name: 'adr-related-targets',
  text: 'select id, number from adr_decisions where id = any($1::uuid[])',
};
// Serialised: two concurrent changes that each add half of a cycle would not detect it.
const ONE_AT_A_TIME = {
  name: 'adr-related-lock',
  text: `select pg_advisory_xact_lock(hashtextextended('adr_related', 0))`,
};
// Relations are compared by number; superseded decisions are ignored.
const CIRCLE = {
  name: 'adr-related-circle',
  text: `with recursive reached(number) as (
      select t.number from adr_links r join adr_decisions t on t.id = r.target_id where r.source_id = $1 and r.type = 'supersedes'
      union select t.number from reached x join adr_decisions d on d.number = x.number and d.status <> 'superseded'
        join adr_links r on r.source_id = d.id and r.type = 'supersedes' join adr_decisions t on t.id = r.target_id)
    select exists (select from reached where number = (select number from adr_decisions where id = $1)) as is_circle`,
};
const SUPERSEDE = {
  name: 'adr-related-supersede',
  text: `with by as (select t.number, min(r.source_id::text) as superseded_by from adr_links r join adr_decisions t on t.id = r.target_id
        where r.source_id = any($1::uuid[]) and r.type = 'supersedes' group by t.number),
      old as (select d.id, by.superseded_by from adr_decisions d join by on by.number = d.number
        where d.status = 'signed' order by d.id for no key update of d)
    update adr_decisions d set status = 'superseded', version = d.version + 1, updated_at = greatest(d.updated_at + interval '1 ms', ${NOW})
      from old where d.id = old.id and d.status = 'signed' returning d.id, d.title, d.version, old.superseded_by`,
};
const HOLDING = {
  name: 'adr-related-holding',
  text: `select d.id, d.number from adr_related r join adr_decisions d on d.id = r.adr_id where r.target_id = $1 and d.status <> 'draft' order by d.number limit 1`,
};

/** Replaces the relations of a decision; those read from a file are kept. */
export async function setRelated(uow: UnitOfWork, id: string, related: readonly RelatedInput[]): Promise<void> {
  await uow.query(SET, [id, JSON.stringify(related)]);
}

/** @param related relations stated in files */
export async function addImported(
  uow: UnitOfWork,
  related: readonly { adr_id: string; target_id: string; type: string }[],
): Promise<void> {
  for await (const batch of jsonBatches(related)) await uow.query(ADD_IMPORTED, [batch]);
}

/** Numbers of the existing decisions among these, by id. */
export async function findNumbers(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  return new Map(
    (await db.query<{ id: string; number: number }>(TARGETS, [ids])).map(({ id, number }) => [id, number]),
  );
}

export async function lockRelations(uow: UnitOfWork): Promise<void> {
  await uow.query(ONE_AT_A_TIME);
}

/** Whether a decision supersedes itself through a chain of others. */
export async function isInCircle(uow: UnitOfWork, id: string): Promise<boolean> {
  return (await uow.query<{ is_circle: boolean }>(CIRCLE, [id]))[0]!.is_circle;
}

/** Puts the decisions superseded by these out of force, with events. @param ids decisions that have just been signed */
export async function supersedeTargets(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  for (const { id, title, version, superseded_by } of await uow.query<{
    id: string;
    title: string;
    version: number;
    superseded_by: string;
  }>(SUPERSEDE, [ids])) {
    uow.emit({
      type: 'adr.superseded',
      subject: { kind: 'adr', id, name: title },
      data: { version, changes: [{ field: 'status', old: 'signed', new: 'superseded' }], superseded_by },
    });
  }
}

/** A decision that is no longer a draft and refers to this one, so that deleting this one would change its content. */
export async function findHolder(uow: UnitOfWork, id: string): Promise<{ id: string; number: number } | undefined> {
  return (await uow.query<{ id: string; number: number }>(HOLDING, [id]))[0];
}
