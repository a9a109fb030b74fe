import type { ModuleMigration } from '@lintel/sdk';

/** The dashboard shows the next milestones of all initiatives. */
export const up: ModuleMigration['up'] = async (knex) => {
  await knex.raw(`create index ppm_wbs_next_milestones on ppm_wbs (end_date, id)
    where is_milestone and completion < 100 and end_date is not null`);
};

export const down: ModuleMigration['down'] = async (knex) => {
  await knex.raw('drop index ppm_wbs_next_milestones');
};
