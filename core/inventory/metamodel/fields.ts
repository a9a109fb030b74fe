import type { FieldError } from '@lintel/sdk';
import type { ValidateFunction } from 'ajv';
import { hasMoreDigits } from '../../foundation/currency.js';
import { fieldErrors, strictAjv } from '../../foundation/http/ajv.js';
import { compilePattern } from './pattern.js';
import type { FieldDefinition } from './types.js';

/** Largest magnitude that a JSON number represents exactly with two decimals. */
export const MAX_NUMBER = 90_071_992_547_409;
const DAY = { type: 'string', format: 'date' };

/**
 * The JSON schema of one field's value; generated, because options and bounds are data. Patterns of administrators are
 * not included, because the validator's backtracking engine could run without bound.
 */
function fieldSchema(field: FieldDefinition): Record<string, unknown> {
  const bounds = { minimum: field.min ?? -MAX_NUMBER, maximum: field.max ?? MAX_NUMBER };
  const options = (field.options ?? []).map((o) => o.key);
  switch (field.kind) {
    case 'text':
      return { type: 'string', maxLength: 2_000 };
    case 'multiline':
      return { type: 'string', maxLength: 50_000 };
    case 'number':
      return { type: 'number', ...bounds };
    case 'integer':
      return { type: 'integer', ...bounds };
    case 'cost':
      return { type: 'number', ...bounds };
    case 'percentage':
      return { type: 'number', minimum: field.min ?? 0, maximum: field.max ?? 100 };
    case 'boolean':
      return { type: 'boolean' };
    case 'date':
      return DAY;
    case 'url':
      return { type: 'string', format: 'uri', pattern: '^[hH][tT][tT][pP][sS]?://[^/?#]', maxLength: 2_000 };
    case 'email':
      return { type: 'string', format: 'email', maxLength: 320 };
    case 'single_select':
      return { type: 'string', enum: options };
    case 'multiple_select':
      return {
        type: 'array',
        items: { type: 'string', enum: options },
        maxItems: Math.max(options.length, 1),
        uniqueItems: true,
      };
    case 'user':
    case 'card_reference':
      return { type: 'string', format: 'uuid' };
    case 'calculated':
      return { not: {} };
  }
}

/** The digits after the point of costs, which the currency of the workspace has at the moment. */
export type MoneyDigits = () => number;
export const CENTS: MoneyDigits = () => 2;

/** A value that refers to another object, which must exist. */
interface Reference {
  key: string;
  kind: 'user' | 'card_reference';
  id: string;
}

/** Validates the values of a set of fields; `null` always means "no value" and is not validated. */
export class FieldSet {
  readonly byKey: ReadonlyMap<string, FieldDefinition>;
  readonly costKeys: ReadonlySet<string>;
  /** Fields that only the service itself and imports may set. */
  readonly readonlyKeys: ReadonlySet<string>;
  /** Fields whose values are ids of cards. */
  readonly cardKeys: readonly string[];
  /** Whether a card needs a cost to be approved. */
  readonly requiresCosts: boolean;
  private readonly referring: readonly FieldDefinition[];
  private compiled: ValidateFunction | undefined;
  private compiledPatterns: ReadonlyMap<string, (text: string) => boolean> | undefined;

  constructor(
    readonly fields: readonly FieldDefinition[],
    private readonly money: MoneyDigits = CENTS,
  ) {
    this.byKey = new Map(fields.map((f) => [f.key, f]));
    this.costKeys = new Set(fields.filter((f) => f.kind === 'cost').map((f) => f.key));
    this.readonlyKeys = new Set(fields.filter((f) => f.readonly === true).map((f) => f.key));
    this.cardKeys = fields.filter((f) => f.kind === 'card_reference').map((f) => f.key);
    this.requiresCosts = fields.some((f) => f.kind === 'cost' && f.required);
    this.referring = fields.filter((f) => f.kind === 'user' || f.kind === 'card_reference');
  }

  /**
   * Compiled on first use: compiling all sets takes a second, which would delay startup and each change of the
   * metamodel.
   */
  private get check(): ValidateFunction {
    return (this.compiled ??= strictAjv().compile({
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(this.fields.map((f) => [f.key, fieldSchema(f)])),
    }));
  }

  private get patterns(): ReadonlyMap<string, (text: string) => boolean> {
    return (this.compiledPatterns ??= new Map(
      this.fields.flatMap((f) => (f.pattern === undefined ? [] : [[f.key, compilePattern(f.pattern)] as const])),
    ));
  }

  /**
   * @param values attributes to store; for a merge patch only the given ones
   * @param pointer their position in the body, such as `/attributes`
   */
  errors(values: Record<string, unknown>, pointer: string): FieldError[] {
    const { check } = this;
    const errors = check(values)
      ? []
      : fieldErrors(check.errors ?? [], 'body').map((e) => ({ ...e, field: pointer + e.field }));
    for (const key of this.costKeys) {
      const value = Object.hasOwn(values, key) ? values[key] : undefined;
      if (typeof value === 'number' && hasMoreDigits(value, this.money()))
        errors.push({
          field: `${pointer}/${key}`,
          reason: `must have at most ${this.money()} digits after the point`,
          in: 'body',
        });
    }
    for (const [key, matches] of this.patterns) {
      const value = Object.hasOwn(values, key) ? values[key] : undefined;
      // A text that is too long was already rejected and is not matched.
      if (typeof value === 'string' && value.length <= 4_000 && !matches(value))
        errors.push({ field: `${pointer}/${key}`, reason: `must match ${this.byKey.get(key)!.pattern}`, in: 'body' });
    }
    return errors;
  }

  /** Default values of a new card, by field key; a copy that the caller may change. */
  defaults(): Record<string, unknown> {
    return Object.fromEntries(
      this.fields.flatMap((f) => (f.default === undefined ? [] : [[f.key, structuredClone(f.default)]])),
    );
  }

  /** The values as stored: ids in lower case, so that equal ids compare equal. */
  canonical<T extends Record<string, unknown>>(values: T): T {
    const references = this.references(values);
    return references.length === 0
      ? values
      : { ...values, ...Object.fromEntries(references.map(({ key, id }) => [key, id])) };
  }

  /** The references in the values, to be checked by the caller. */
  references(values: Record<string, unknown>): Reference[] {
    return this.referring.flatMap(({ key, kind }) => {
      const id = Object.hasOwn(values, key) ? values[key] : undefined;
      return typeof id === 'string' ? [{ key, kind: kind as Reference['kind'], id: id.toLowerCase() }] : [];
    });
  }
}
