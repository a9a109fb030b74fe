import { posix } from 'node:path';
import type { Knex } from 'knex';
import { parseRecord } from '../madr/parse.js';
import { numberOfFile, type Reference } from '../madr/status.js';

const CHUNK = 200;

interface Pair {
  adr_id: string;
  target_id: string;
  by_path: string | null;
  by_markdown: string | null;
  of_path: string | null;
  of_markdown: string | null;
}

/** Whether a record says so of the file of another one of its collection: by path, or by number within the folder. */
function names(markdown: string | null, path: string | null, type: Reference['type'], other: string | null): boolean {
  if (markdown === null || path === null || other === null) return false;
  const folder = posix.dirname(path);
  return parseRecord(markdown, path).references.some(
    (reference) =>
      reference.type === type &&
      ((reference.path !== undefined &&
        (posix.join(folder, reference.path) === other ||
          posix.join(folder, posix.basename(reference.path)) === other)) ||
        (reference.number !== undefined &&
          posix.dirname(other) === folder &&
          numberOfFile(other) === reference.number)),
  );
}

/**
 * A relation is stored with the decision that states it: "superseded by" was stored as one of the decision it names,
 * whose content it changed. What a file states so becomes its own again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table adr_related drop constraint adr_related_type_check;
alter table adr_related add constraint adr_related_type check (type in ('supersedes', 'relates_to') or (type = 'superseded_by' and is_imported));

-- What follows from what decisions state: who supersedes whom, whichever of the two says so.
create view adr_links as
  select adr_id as source_id, target_id, type from adr_related where type <> 'superseded_by'
  union select target_id, adr_id, 'supersedes' from adr_related where type = 'superseded_by';
`);
  for (let after = ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000']; ; ) {
    const { rows } = await knex.raw<{ rows: Pair[] }>(
      `
select r.adr_id, r.target_id, s.source_path as by_path, s.source_markdown as by_markdown, t.source_path as of_path, t.source_markdown as of_markdown
  from adr_related r join adr_decisions s on s.id = r.adr_id join adr_decisions t on t.id = r.target_id
  where r.type = 'supersedes' and r.is_imported and (r.adr_id, r.target_id) > (?::uuid, ?::uuid) order by r.adr_id, r.target_id limit ${CHUNK}`,
      after,
    );
    const turned = rows.filter(
      (row) =>
        !names(row.by_markdown, row.by_path, 'supersedes', row.of_path) &&
        names(row.of_markdown, row.of_path, 'superseded_by', row.by_path),
    );
    await knex.raw(
      `
with gone as (delete from adr_related r using jsonb_to_recordset(?::jsonb) as n(adr_id uuid, target_id uuid)
    where r.adr_id = n.adr_id and r.target_id = n.target_id and r.type = 'supersedes' and r.is_imported returning r.adr_id, r.target_id)
  insert into adr_related (adr_id, target_id, type, is_imported) select target_id, adr_id, 'superseded_by', true from gone on conflict do nothing`,
      [JSON.stringify(turned.map(({ adr_id, target_id }) => ({ adr_id, target_id })))],
    );
    const last = rows.at(-1);
    if (!last || rows.length < CHUNK) return;
    after = [last.adr_id, last.target_id];
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop view adr_links;
insert into adr_related (adr_id, target_id, type, is_imported) select target_id, adr_id, 'supersedes', true from adr_related where type = 'superseded_by' on conflict do nothing;
delete from adr_related where type = 'superseded_by';
alter table adr_related drop constraint adr_related_type;
alter table adr_related add constraint adr_related_type_check check (type in ('supersedes', 'relates_to'));
`);
}
