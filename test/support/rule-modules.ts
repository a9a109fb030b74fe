import type {
  CardChange,
  CardDecision,
  ModuleServices,
  RelationChange,
  RelationDecision,
  RuleBatch,
} from '@lintel/sdk';
import { writeUnitModule } from './unit-modules.js';

export type CardsRule = (host: ModuleServices, batch: RuleBatch<CardChange>) => Promise<readonly CardDecision[]>;
export type RelationsRule = (
  host: ModuleServices,
  batch: RuleBatch<RelationChange>,
) => Promise<readonly RelationDecision[]>;
interface Rules {
  cards: CardsRule;
  relations: RelationsRule;
}

const held: Record<string, Partial<Rules>> = {};
(globalThis as unknown as Record<symbol, unknown>)[Symbol.for('lintel.test.rules')] = held;
const calls = (id: string, kind: string) =>
  `async (host, batch) => await (globalThis[Symbol.for('lintel.test.rules')]['${id}']?.${kind}?.(host, batch) ?? [])`;
const EVERY = `['create', 'update', 'archive', 'restore', 'delete', 'approve', 'reject', 'reset']`;

/** Sets what the rules of a module do; by default they accept everything. */
export function rules(id: string, set: Partial<Rules>): void {
  held[id] = set;
}

/** Resets what the rules of all modules do. */
export function noRules(): void {
  for (const id of Object.keys(held)) held[id] = {};
}

/**
 * Writes a module whose rules a test sets.
 * @param options.types source of the list of card types of its rule; default: all
 * @param options.more further members of the manifest
 */
export async function writeRuleModule(
  folder: string,
  id: string,
  { types, more = '' }: { types?: string; more?: string } = {},
): Promise<void> {
  const limit = types === undefined ? '' : `types: ${types}, `;
  await writeUnitModule(
    folder,
    id,
    `${more} cardRules: [
      { key: 'own', ${limit}on: ${EVERY}, cards: ${calls(id, 'cards')}, relations: ${calls(id, 'relations')} },
    ],`,
  );
}
