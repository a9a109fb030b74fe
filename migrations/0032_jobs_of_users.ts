import type { Knex } from 'knex';

/** Jobs that run on behalf of a user, their status for that user, and calls of `ended` that are due. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
update jobs set created_by = null where created_by is not null and not exists (select from users u where u.id = created_by);
alter table jobs
  add constraint jobs_created_by_fkey foreign key (created_by) references users(id) on delete set null,
  -- Runs with the current permissions of created_by. It fails where that is null, because the account was deleted.
  add column on_behalf boolean not null default false,
  -- Begin of the first attempt.
  add column started_at timestamptz(3),
  -- The error as its user may read it: {code, detail}
  add column problem jsonb,
  -- Of an ended job: when "ended" of its type is called next; null: no call is due, or it was made.
  add column end_due_at timestamptz(3);
-- For the deletion of accounts.
create index jobs_created_by on jobs (created_by) where created_by is not null;
create index jobs_end_due on jobs (end_due_at) where end_due_at is not null;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index jobs_end_due;
drop index jobs_created_by;
alter table jobs drop constraint jobs_created_by_fkey, drop column on_behalf, drop column started_at, drop column problem,
  drop column end_due_at;
`);
}
