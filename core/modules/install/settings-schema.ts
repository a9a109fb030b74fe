import type { TObject } from '@lintel/sdk';
import type { ValidateFunction } from 'ajv';
import { strictAjv } from '../../foundation/http/ajv.js';

/** Keywords that contain values, not schemas. */
const VALUES = new Set(['default', 'examples', 'enum', 'const']);

/** Whether a setting is a secret, which is written and never shown. */
export const isSecret = (property: object): boolean => (property as { secret?: unknown }).secret === true;

/** The setting that a secret belongs to: if it changes, the secret has to be entered again. */
export const boundTo = (property: object): string | undefined => (property as { boundTo?: string }).boundTo;

/** The schema of the settings stored in plain text: all except secrets. */
function plainSchema(schema: TObject | undefined): object {
  const entries = Object.entries(schema?.properties ?? {}).filter(([, property]) => !isSecret(property));
  const properties = Object.fromEntries(entries);
  const required = ((schema as { required?: string[] } | undefined)?.required ?? []).filter((field) =>
    Object.hasOwn(properties, field),
  );
  return { type: 'object', ...schema, properties, required, additionalProperties: false };
}

const checks = new WeakMap<TObject, ValidateFunction>();

/** The validator of settings stored in plain text, compiled once; it fills in defaults. @throws if the schema is invalid */
export function settingsCheck(schema: TObject | undefined): ValidateFunction {
  let check = schema && checks.get(schema);
  check ??= strictAjv(true).compile(plainSchema(schema));
  if (schema) checks.set(schema, check);
  return check;
}

/** Finds secrets that cannot be stored as such. @returns the faults */
export function* wrongSecrets({ properties }: TObject): Iterable<string> {
  for (const [field, property] of Object.entries(properties)) {
    if (!isSecret(property)) {
      if (holdsSecret(property)) yield `/settings/${field} holds a secret: only a setting itself can be one`;
      continue;
    }
    const { type, default: initial } = property as { type?: unknown; default?: unknown };
    const other = boundTo(property);
    if (other !== undefined && (!Object.hasOwn(properties, other) || isSecret(properties[other]!)))
      yield `/settings/${field} is bound to ${other}, which is no setting in plain text`;
    if (type !== 'string') yield `/settings/${field} is a secret and must be a string`;
    if (initial !== undefined && initial !== '')
      yield `/settings/${field} is a secret and has a default, which would be public`;
  }
}

function holdsSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return (
    isSecret(schema) || Object.entries(schema).some(([keyword, inner]) => !VALUES.has(keyword) && holdsSecret(inner))
  );
}
