import type { PermissionSet } from '@lintel/sdk';
import { CARDS, COSTS } from '../../access/index.js';
import type { UnitOfWork } from '../../../foundation/db/unit-of-work.js';
import { problem } from '../../../foundation/errors.js';
import type { Metamodel } from '../../metamodel/index.js';
import { rowsDue, type RowsDue } from './needs-repository.js';

type Right = [permission: string, cardType?: string];

/** The permissions needed to write such rows, and to see in the preview all that they write. */
function rightsFor({ kind, verdict, type, cost, end_type }: RowsDue, metamodel: Metamodel): Right[] {
  if (end_type !== null) return [[CARDS, end_type]];
  if (cost !== null) {
    const costs = kind === 'card' ? metamodel.costKeys(type) : metamodel.relationCostKeys(type);
    if (!costs.has(cost.slice('attributes.'.length))) return [];
    return [kind === 'card' ? [COSTS, type] : [COSTS]];
  }
  if (kind === 'relation') return [['relations.view'], ['relations.manage']];
  return [
    [CARDS, type],
    [verdict === 'create' ? 'cards.create' : 'cards.edit', type],
  ];
}

/**
 * Requires that a user who applies another user's import has, by role, all permissions its rows need: otherwise the
 * user would apply changes that the preview does not show. Stakeholder roles do not count here. When a row is written,
 * permissions are checked again.
 * @throws forbidden, with the first missing permission
 */
export async function requireRights(
  uow: UnitOfWork,
  importId: string,
  permissions: PermissionSet,
  metamodel: Metamodel,
): Promise<void> {
  const costs = new Set(
    [...[...metamodel.types.values()], ...[...metamodel.relationTypes.values()]].flatMap(({ fields }) =>
      [...fields.costKeys].map((key) => `attributes.${key}`),
    ),
  );
  const due = await rowsDue(uow, importId, [...costs]);
  const missing = due
    .flatMap((rows) => rightsFor(rows, metamodel))
    .filter((right) => !permissions.has(...right))
    .map(([permission]) => permission)
    .sort()[0];
  if (missing !== undefined)
    throw problem('forbidden', {
      detail: `The import was created by another user: applying it requires all permissions its rows need, and ${missing} is missing.`,
      required_permission: missing,
    });
}
