import type { ModuleMigration } from '@lintel/sdk';

/** When the event of a supplier was emitted: once, whichever runs find it again. Those of earlier versions are not new. */
export const up: ModuleMigration['up'] = async (knex) => {
  await knex.raw(`
alter table insightlens_suppliers add column announced_at timestamptz(3);
update insightlens_suppliers set announced_at = created_at;
create index insightlens_suppliers_new on insightlens_suppliers (id) where announced_at is null;
`);
};

export const down: ModuleMigration['down'] = async (knex) => {
  await knex.raw('alter table insightlens_suppliers drop column announced_at');
};
