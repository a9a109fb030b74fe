import type { Knex } from 'knex';
import { lifecycle } from '../lifecycle.js';

/** The number is shared by the revisions of a decision from now on. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table adr_decisions drop constraint adr_decisions_number');
  await lifecycle.migration.up(knex);
}

/** Of each number the revision in force stays, or the latest one. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
update adr_decisions set revision_of = null where revision_of is not null;
delete from adr_decisions d using (select distinct on (number) id, number from adr_decisions order by number, status = 'signed' desc, revision desc) stays
  where stays.number = d.number and stays.id <> d.id;
`);
  await lifecycle.migration.down(knex);
  await knex.raw('alter table adr_decisions add constraint adr_decisions_number unique (number)');
}
