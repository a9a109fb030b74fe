import { resourceFiles, type ModuleMigration } from '@lintel/sdk';

export const up: ModuleMigration['up'] = async (knex) => {
  await knex.raw(resourceFiles('risks_files', 'risks_register'));
};

export const down: ModuleMigration['down'] = async (knex) => {
  await knex.raw('drop table risks_files');
};
