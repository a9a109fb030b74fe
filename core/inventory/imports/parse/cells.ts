import type { FieldDefinition } from '../../metamodel/index.js';

const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
]);

/** The texts of a list: a JSON array, or parts separated by semicolons. */
function listOf(cell: string): string[] | undefined {
  if (!cell.startsWith('['))
    return cell
      .split(';')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  try {
    const list: unknown = JSON.parse(cell);
    return Array.isArray(list) && list.every((part) => typeof part === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Parses the text of a cell for a field of a kind. Whether the value is valid for the field is checked against the
 * metamodel.
 * @param text not empty
 */
export function fieldValue(
  { kind }: Pick<FieldDefinition, 'kind'>,
  text: string,
): { value: unknown } | { reason: string } {
  const trimmed = text.trim();
  switch (kind) {
    case 'number':
    case 'integer':
    case 'cost':
    case 'percentage': {
      if (!NUMBER.test(trimmed)) return { reason: 'must be a number such as 1234.5' };
      const value = Number(trimmed);
      if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
        return { reason: 'must be a number that can be represented exactly' };
      return { value: value === 0 ? 0 : value };
    }
    case 'boolean': {
      const value = BOOLEANS.get(trimmed.toLowerCase());
      return value === undefined ? { reason: 'must be true, false, yes or no' } : { value };
    }
    case 'multiple_select': {
      const value = listOf(trimmed);
      return value ? { value } : { reason: 'must be options between semicolons, or a JSON array of them' };
    }
    case 'date':
    case 'single_select':
    case 'user':
    case 'card_reference':
      return { value: trimmed };
    case 'text':
    case 'multiline':
    case 'url':
    case 'email':
      return { value: text };
    case 'calculated':
      return { reason: 'is calculated' };
  }
}
