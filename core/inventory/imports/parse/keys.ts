import { nameKey } from '../../../foundation/text.js';
import type { Reference, StagedCard } from '../types.js';

/** Keys by which other rows of a file refer to a row. */
interface OwnKeys {
  /** By external id, and by path: of several rows, these refer to the first one. */
  first: string[];
  /** By a name alone: refers to a row only if no other one has it. */
  only?: string;
}

/** Longer ones are invalid anyway. */
const MAX_EXTERNAL_ID = 500;

/** Cannot equal the key of a path, in which no line break occurs. */
export const extKey = (type: string | undefined, externalId: string | null | undefined): string | undefined =>
  type === undefined || !externalId || externalId.length > MAX_EXTERNAL_ID ? undefined : `${type}\n${externalId}`;

const pathKey = (type: string, names: readonly string[]): string =>
  JSON.stringify([type, ...names.map((name) => nameKey(name.trim()))]);

/** Key of a name alone: cannot equal that of a path, because a path begins with a type. */
const lonelyKey = (type: string, name: string): string => pathKey('', [type, name]);

/** The keys by which other rows can refer to a row: by external id, by type, path and name, or by type and name. */
export function ownKeys({ input: { type, external_id, name }, parent, byReferenceOnly }: StagedCard): OwnKeys {
  const ext = extKey(type, external_id);
  const first = ext === undefined ? [] : [ext];
  if (type === undefined || !name || byReferenceOnly) return { first };
  // If the parent is given by an id, its path is not known from the file.
  const above =
    parent === undefined || parent === null
      ? []
      : 'name' in parent && parent.path
        ? [...parent.path, parent.name]
        : undefined;
  if (above) first.push(pathKey(type, [...above, name]));
  return { first, only: lonelyKey(type, name) };
}

/** The key that a reference searches for; undefined where it names a row by its number, or a card by its id. */
export function soughtKey(reference: Reference | null | undefined): string | undefined {
  if (!reference || 'row' in reference || 'id' in reference) return undefined;
  if ('external_id' in reference) return extKey(reference.type, reference.external_id);
  return reference.path
    ? pathKey(reference.type, [...reference.path, reference.name])
    : lonelyKey(reference.type, reference.name);
}
