import type { TObject } from '@lintel/sdk';
import type { ValidateFunction } from 'ajv';
import { strictAjv } from '../../foundation/http/ajv.js';

/** Keywords under which stand values, not schemas. */
const VALUES = new Set(['default', 'examples', 'enum', 'const']);

/** Whether a setting is one that is written and never shown. */
export const isSecret = (property: object): boolean => (property as { secret?: unknown }).secret === true;

/** The schema of what is stored in plain text: all settings but the secret ones. */
export function plainSchema(schema: TObject | undefined): object {
  const entries = Object.entries(schema?.properties ?? {}).filter(([, property]) => !isSecret(property));
  const properties = Object.fromEntries(entries);
  const required = ((schema as { required?: string[] } | undefined)?.required ?? []).filter((field) =>
    Object.hasOwn(properties, field),
  );
  return { type: 'object', ...schema, properties, required, additionalProperties: false };
}

const checks = new WeakMap<TObject, ValidateFunction>();

/** The check of plain settings, which fills in their defaults; the same one each time. @throws where the schema is none */
export function settingsCheck(schema: TObject | undefined): ValidateFunction {
  let check = schema && checks.get(schema);
  check ??= strictAjv(true).compile(plainSchema(schema));
  if (schema) checks.set(schema, check);
  return check;
}

/** Looks for secrets that could not be kept as such. @returns the faults */
export function* wrongSecrets({ properties }: TObject): Iterable<string> {
  for (const [field, property] of Object.entries(properties)) {
    if (!isSecret(property)) {
      if (holdsSecret(property)) yield `/settings/${field} holds a secret: only a setting itself can be one`;
      continue;
    }
    const { type, default: initial } = property as { type?: unknown; default?: unknown };
    if (type !== 'string') yield `/settings/${field} is a secret and must be a string`;
    if (initial !== undefined && initial !== '')
      yield `/settings/${field} is a secret and has a default, which anybody could read`;
  }
}

function holdsSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return (
    isSecret(schema) || Object.entries(schema).some(([keyword, inner]) => !VALUES.has(keyword) && holdsSecret(inner))
  );
}
