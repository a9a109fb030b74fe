import type { FieldError } from '@lintel/sdk';
import type { ValidateFunction } from 'ajv';
import { fieldErrors, strictAjv } from '../http/ajv.js';
import type { FieldDefinition } from './types.js';

/** Largest magnitude a JSON number keeps exactly to two decimals. */
const MAX_NUMBER = 90_071_992_547_409;
const DAY = { type: 'string', format: 'date' };

/** The JSON schema of one field's value; options and bounds are data, so the schema is made, not written. */
export function fieldSchema(field: FieldDefinition): Record<string, unknown> {
  const bounds = { minimum: field.min ?? -MAX_NUMBER, maximum: field.max ?? MAX_NUMBER };
  const options = (field.options ?? []).map((o) => o.key);
  switch (field.kind) {
    case 'text': return { type: 'string', maxLength: 2_000 };
    case 'multiline': return { type: 'string', maxLength: 50_000 };
    case 'number': return { type: 'number', ...bounds };
    case 'integer': return { type: 'integer', ...bounds };
    case 'cost': return { type: 'number', ...bounds };
    case 'percentage': return { type: 'number', minimum: field.min ?? 0, maximum: field.max ?? 100 };
    case 'boolean': return { type: 'boolean' };
    case 'date': return DAY;
    case 'url': return { type: 'string', format: 'uri', pattern: '^https?://', maxLength: 2_000 };
    case 'email': return { type: 'string', format: 'email', maxLength: 320 };
    case 'single_select': return { type: 'string', enum: options };
    case 'multiple_select': return { type: 'array', items: { type: 'string', enum: options }, uniqueItems: true };
    case 'user':
    case 'card_reference': return { type: 'string', format: 'uuid' };
    case 'calculated': return { not: {} };
  }
}

/** Checks the values of a set of fields; `null` always means "no value" and is not looked at. */
export class FieldSet {
  readonly byKey: ReadonlyMap<string, FieldDefinition>;
  readonly costKeys: ReadonlySet<string>;
  private compiled: ValidateFunction | undefined;

  constructor(readonly fields: readonly FieldDefinition[]) {
    this.byKey = new Map(fields.map((f) => [f.key, f]));
    this.costKeys = new Set(fields.filter((f) => f.kind === 'cost').map((f) => f.key));
  }

  /** Compiled when first needed: all sets together take a second, which a start and each change of the metamodel would pay. */
  private get check(): ValidateFunction {
    return this.compiled ??= strictAjv().compile({
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(this.fields.map((f) => [f.key, fieldSchema(f)])),
    });
  }

  /**
   * @param values attributes to be stored; a merge patch passes only what it sets
   * @param pointer where they stand in the body, such as `/attributes`
   */
  errors(values: Record<string, unknown>, pointer: string): FieldError[] {
    const { check } = this;
    if (check(values)) return [];
    return fieldErrors(check.errors ?? [], 'body').map((e) => ({ ...e, field: pointer + e.field }));
  }
}
