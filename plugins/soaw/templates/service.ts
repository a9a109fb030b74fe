import type { Host } from '../basics.js';
import { TOGAF } from '../sections/togaf.js';
import { ownTemplates, type OwnTemplate } from './repository.js';

/** A template in the list of all. */
export interface TemplateSummary extends Omit<OwnTemplate, 'id'> {
  /** Of a built-in template its key, otherwise its id. */
  key: string;
  /** Null for a built-in one. */
  id: string | null;
  is_built_in: boolean;
}

/**
 * Built-in templates and those of the workspace, in no order.
 * @param search words in the name or the description
 */
export async function findTemplates(
  host: Host,
  { search = '', is_built_in }: { search?: string | undefined; is_built_in?: boolean | undefined },
): Promise<TemplateSummary[]> {
  const all: TemplateSummary[] = [
    { ...TOGAF, id: null, is_built_in: true, sections: TOGAF.sections.map(({ key, title }) => ({ key, title })) },
    ...(await ownTemplates(host.db)).map((own) => ({ ...own, key: own.id, is_built_in: false })),
  ];
  const words = host.searchFold(search).split(' ');
  return all.filter((template) => {
    const text = host.searchFold(`${template.name} ${template.description ?? ''}`);
    return (is_built_in ?? template.is_built_in) === template.is_built_in && words.every((word) => text.includes(word));
  });
}
