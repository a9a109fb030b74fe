import type { ModuleMigration } from '@lintel/sdk';
import { lifecycle } from '../documents/resource.js';

/** The columns of the lifecycle, and a guard: what was signed cannot be changed by any statement. */
export const life: ModuleMigration = {
  async up(knex) {
    await lifecycle.migration.up(knex);
    await knex.raw(`
alter table soaw_documents add constraint soaw_documents_frozen check (status = 'draft' or frozen is not null);
create function soaw_kept() returns trigger language plpgsql as $$
begin
  if old.status in ('signed', 'superseded')
    and (new.sections, new.frozen, new.title, new.number, new.revision, new.content_hash) is distinct from
      (old.sections, old.frozen, old.title, old.number, old.revision, old.content_hash) then
    raise exception 'a signed statement of architecture work cannot be changed';
  end if;
  return new;
end $$;
create trigger soaw_documents_kept before update on soaw_documents for each row execute function soaw_kept();
`);
  },
  async down(knex) {
    await knex.raw(`
drop trigger soaw_documents_kept on soaw_documents;
drop function soaw_kept();
alter table soaw_documents drop constraint soaw_documents_frozen;
`);
    await lifecycle.migration.down(knex);
  },
};
