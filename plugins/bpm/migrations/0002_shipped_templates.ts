import type { ModuleMigration } from '@lintel/sdk';

/** Templates that ship with the module: their files are in the module, in the language of the reader, until another file is sent. */
export const up: ModuleMigration['up'] = async (knex) => {
  await knex.raw(`
alter table bpm_templates add column shipped text constraint bpm_templates_shipped check (shipped is null or file_id is null);
insert into bpm_templates (id, created_at, updated_at, name, name_key, description, search_text, shipped)
select gen_random_uuid(), date_trunc('milliseconds', clock_timestamp()), date_trunc('milliseconds', clock_timestamp()),
  name, lower(name), description, lower(name || ' ' || translate(description, '.,', '')), shipped
from (values
  ('Approval with four eyes', 'A request is prepared, checked by another person, and carried out, revised or rejected.', 'four_eyes'),
  ('Incident handling', 'An incident is recorded, solved by a known solution or by specialists, and confirmed before it is closed.', 'incident')
) as t (name, description, shipped)
on conflict (name_key) do nothing;
`);
};

export const down: ModuleMigration['down'] = async (knex) => {
  await knex.raw(`
delete from bpm_templates where shipped is not null;
alter table bpm_templates drop column shipped;
`);
};
