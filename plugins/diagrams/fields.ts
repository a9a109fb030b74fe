import type { FieldError, ModuleServices, RequestContext, UnitOfWork } from '@lintel/sdk';
import { groupExists, lockDiagram, type DiagramFields, type LockedDiagram } from './repository.js';
import type { Settings } from './settings.js';

type Host = ModuleServices<Settings>;

/** Ids in lower case, each once and sorted, so that equal lists compare equal. */
export const idsOf = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))].sort();

/** The columns of a diagram, with those for sorting and searching. */
export function fieldsOf(
  host: Host,
  { name, description, group_id }: Pick<DiagramFields, 'name' | 'description' | 'group_id'>,
): DiagramFields {
  const trimmed = name.trim();
  return {
    name: trimmed,
    name_key: host.nameKey(trimmed),
    description,
    group_id,
    search_text: host.searchFold(`${trimmed} ${description ?? ''}`),
  };
}

/** Checks what a body refers to. @param more errors found before @throws validation_failed with all invalid fields */
export async function checkReferences(
  host: Host,
  ctx: RequestContext,
  { group_id, card_ids = [] }: { group_id?: string | null | undefined; card_ids?: readonly string[] | undefined },
  more: readonly Omit<FieldError, 'in'>[],
): Promise<void> {
  const errors = [...more];
  if (typeof group_id === 'string' && !(await groupExists(host.db, group_id)))
    errors.push({ field: '/group_id', reason: 'names no group' });
  const found = card_ids.length > 0 ? await host.cards.find(ctx, card_ids) : new Map<string, unknown>();
  card_ids.forEach((id, i) => {
    if (!found.has(id.toLowerCase())) errors.push({ field: `/card_ids/${i}`, reason: 'names no card' });
  });
  if (errors.length > 0) throw host.invalid(...errors);
}

/** Locks a diagram until the transaction ends. @throws not_found */
export async function lockFound(host: Host, uow: UnitOfWork, id: string): Promise<LockedDiagram> {
  const row = await lockDiagram(uow, id);
  if (!row) throw host.problem('not_found');
  return row;
}
