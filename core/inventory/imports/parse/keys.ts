import { hash } from 'node:crypto';
import { nameKey } from '../../../foundation/text.js';
import type { Reference, StagedCard } from '../types.js';

/** Keys by which rows of one file refer to each other. */
interface Keys {
  ext: string | null;
  path: string | null;
}

const NONE = { ext: null, path: null, name: null };
/** Longer ones are invalid anyway, and would not fit into an index. */
const MAX_EXTERNAL_ID = 500;

const extKey = (type: string, externalId: string): string | null =>
  externalId.length > MAX_EXTERNAL_ID ? null : `${type}\n${externalId}`;

/** A digest, because a path may have any length. */
function pathKey(type: string, names: readonly string[]): string {
  return hash('sha256', JSON.stringify([type, ...names.map((name) => nameKey(name.trim()))]), 'base64url');
}

/** Key of a name alone: cannot equal that of a path, because a path begins with a type. */
const lonelyKey = (type: string, name: string): string => pathKey('', [type, name]);

/** The keys by which other rows can refer to a row: by external id, by type, path and name, or by type and name. */
export function ownKeys({
  input: { type, external_id, name },
  parent,
  byReferenceOnly,
}: StagedCard): Keys & { name: string | null } {
  if (type === undefined) return NONE;
  const ext = external_id ? extKey(type, external_id) : null;
  // If the parent is given by an id, its path is not known from the file.
  const above =
    parent === undefined || parent === null
      ? []
      : 'name' in parent && parent.path
        ? [...parent.path, parent.name]
        : undefined;
  return {
    ext,
    path: name && above && !byReferenceOnly ? pathKey(type, [...above, name]) : null,
    name: name && !byReferenceOnly ? lonelyKey(type, name) : null,
  };
}

/** The keys that a reference searches for. */
export function soughtKeys(reference: Reference | null | undefined): Keys {
  if (!reference || 'row' in reference || 'id' in reference) return NONE;
  if ('external_id' in reference) return { ext: extKey(reference.type, reference.external_id), path: null };
  return {
    ext: null,
    path: reference.path
      ? pathKey(reference.type, [...reference.path, reference.name])
      : lonelyKey(reference.type, reference.name),
  };
}

/** The row number given directly by a reference. */
export const soughtRow = (reference: Reference | null | undefined): number | null =>
  reference && 'row' in reference ? reference.row : null;
