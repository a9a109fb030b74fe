import type { Knex } from '../knex.js';
import type { ModuleMigration } from '../module.js';

/**
 * The tables of a document's lifecycle: columns added to the module's own table, which must exist and may have a status
 * already, and the table of signatures. Unique indexes ensure that a number has at most one open and one signed revision.
 */
export function lifecycleMigration({
  prefix,
  table,
  number,
}: {
  prefix: string;
  table: string;
  number: string;
}): ModuleMigration {
  return {
    async up(knex: Knex): Promise<void> {
      await knex.raw(`
alter table ${table} add column if not exists status text not null default 'draft';
alter table ${table}
  add column revision integer not null default 1,
  add column revision_of uuid constraint ${prefix}_revision_of references ${table}(id),
  add column content_hash text,
  add column requested_by uuid references users(id) on delete set null,
  add column signed_at timestamptz(3),
  add constraint ${prefix}_life_status check (status in ('draft', 'in_review', 'signed', 'superseded')),
  add constraint ${prefix}_life_frozen check ((status = 'draft') = (content_hash is null)),
  add constraint ${prefix}_revision unique (${number}, revision);
create unique index ${prefix}_one_open on ${table} (${number}) where status in ('draft', 'in_review');
create unique index ${prefix}_one_signed on ${table} (${number}) where status = 'signed';
create index ${prefix}_by_revised on ${table} (revision_of) where revision_of is not null;

create table ${prefix}_signatures (
  document_id uuid not null references ${table}(id) on delete cascade,
  position integer not null,
  -- gone with the account; the name stays
  user_id uuid references users(id) on delete set null,
  display_name text not null,
  status text not null default 'pending' check (status in ('pending', 'signed')),
  signed_at timestamptz(3),
  comment text,
  -- of what was signed
  content_hash text,
  primary key (document_id, position),
  constraint ${prefix}_signatures_once unique (document_id, user_id),
  constraint ${prefix}_signatures_whole check ((status = 'signed') = (signed_at is not null and content_hash is not null))
);
create index ${prefix}_signatures_by_user on ${prefix}_signatures (user_id, status);
`);
    },
    async down(knex: Knex): Promise<void> {
      await knex.raw(`
drop table ${prefix}_signatures;
drop index ${prefix}_one_open, ${prefix}_one_signed, ${prefix}_by_revised;
alter table ${table}
  drop constraint ${prefix}_life_status, drop constraint ${prefix}_life_frozen, drop constraint ${prefix}_revision,
  drop column revision, drop column revision_of, drop column content_hash, drop column requested_by, drop column signed_at;
`);
    },
  };
}
