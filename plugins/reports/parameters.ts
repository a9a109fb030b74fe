import { Type, type Inventory, type InventoryField, type InventoryFilters, type InventoryType } from '@lintel/sdk';
import type { ReportsHost } from './host.js';
import { isGroupable } from './groups.js';

/** A card type. */
export const CardTypeKey = (description: string) =>
  Type.String({ minLength: 1, maxLength: 63, description, examples: ['Application'] });

/** A field, as a parameter. */
export const FieldKey = (description: string, example = 'attributes.businessCriticality') =>
  Type.String({
    minLength: 1,
    maxLength: 80,
    description: `${description} \`type\`, \`subtype\`, \`approval_status\`, \`lifecycle_phase\`, \`data_quality\`, or \`attributes.<key>\`.`,
    examples: [example],
  });

/** Collects the invalid parameters of a report, so that all are told at once. */
export class Parameters {
  private readonly errors: { field: string; reason: string }[] = [];

  constructor(
    private readonly host: ReportsHost,
    private readonly inventory: Inventory,
  ) {}

  /** Adds an error. @param field name of the parameter */
  wrong(field: string, reason: string): undefined {
    this.errors.push({ field, reason });
    return undefined;
  }

  /** A card type that the caller may see. */
  type(name: string, key: string): InventoryType | undefined {
    return this.inventory.types.get(key) ?? this.wrong(name, `${key} is no card type`);
  }

  /** A field of the types; its key may lack `attributes.`. */
  field(name: string, key: string, types?: readonly string[]): InventoryField | undefined {
    return (
      this.inventory.field(key, types) ??
      this.inventory.field(`attributes.${key}`, types) ??
      this.wrong(name, 'names no field of these types')
    );
  }

  /** A field by which cards are grouped. @param isSingle whether each card must be in one group only */
  grouped(
    name: string,
    key: string | undefined,
    types?: readonly string[],
    isSingle = false,
  ): InventoryField | undefined {
    if (key === undefined) return undefined;
    const field = this.field(name, key, types);
    if (field && field.isCost && this.inventory.costs === 'none')
      return this.wrong(name, 'is a cost, and you may see no costs');
    if (field && isSingle && field.kind === 'options') return this.wrong(name, 'has several values in a card');
    return field && !isGroupable(field)
      ? this.wrong(name, 'cannot be grouped by: it has neither options nor numbers nor dates')
      : field;
  }

  /** A field whose values are summed. */
  summed(name: string, key: string | undefined, types?: readonly string[]): InventoryField | undefined {
    if (key === undefined) return undefined;
    const field = this.field(name, key, types);
    return field && field.kind !== 'number' ? this.wrong(name, 'is no number') : field;
  }

  /** @throws validation_failed with all that were wrong */
  check(): void {
    const { length } = this.errors;
    if (length > 0)
      throw this.host.problem('validation_failed', {
        detail: length === 1 ? '1 invalid field' : `${length} invalid fields`,
        errors: this.errors.map((error) => ({ ...error, in: 'query' as const })),
      });
  }
}

/** Card types that a comma-separated filter names; undefined for all. */
export const typesOf = ({ type }: InventoryFilters): string[] | undefined =>
  type === undefined
    ? undefined
    : String(type)
        .split(',')
        .map((key) => key.trim())
        .filter(Boolean);
