import type { ModuleServices } from '@lintel/sdk';

/** A template of the workspace without its texts. */
export interface OwnTemplate {
  id: string;
  name: string;
  description: string | null;
  sections: { key: string; title: string }[];
}

const OWN = {
  name: 'soaw-templates-own',
  text: `select t.id, t.name, t.description,
      (select jsonb_agg(jsonb_build_object('key', s.value -> 'key', 'title', s.value -> 'title') order by s.ordinality)
        from jsonb_array_elements(t.sections) with ordinality s) as sections
    from soaw_templates t`,
};

/** All templates of the workspace, of which there are at most 1,000. */
export async function ownTemplates(db: ModuleServices['db']): Promise<OwnTemplate[]> {
  return await db.query<OwnTemplate & Record<string, unknown>>(OWN, []);
}
