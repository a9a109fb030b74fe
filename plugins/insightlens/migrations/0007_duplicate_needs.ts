import type { ModuleMigration } from '@lintel/sdk';

/** Duplicates were compared by relations of all cards, also where they share none: they are shown to those who see these. */
export const up: ModuleMigration['up'] = async (knex) => {
  await knex.raw(`
update insightlens_results r set needs = array['relations'] from insightlens_findings f
where f.id = r.finding_id and f.kind = 'duplicates' and r.needs = '{}'
`);
};

/** The former values cannot be told apart, and the stricter ones are valid for the version before. */
export const down: ModuleMigration['down'] = () => Promise.resolve();
