import type { ModuleManifest } from '@lintel/sdk';
import type { ValidateFunction } from 'ajv';
import { fieldErrors, strictAjv } from '../../foundation/http/ajv.js';
import type { EventCheck } from '../ports/unit.js';

type Types = ReadonlyMap<string, ValidateFunction> | undefined;

function compiled(types: Readonly<Record<string, object>> | undefined): Types {
  const ajv = strictAjv();
  return types && new Map(Object.entries(types).map(([type, schema]) => [type, ajv.compile(schema)]));
}

/**
 * Checks the events a module emits: types of the kinds in its manifest, and data that match the declared schemas. Other
 * events are an error of the module and are not written to the log, because subscribers rely on the schemas.
 */
export function eventCheck(id: string, events: ModuleManifest['events']): EventCheck {
  const kinds = new Map<string, Types>();
  let prepared = false;
  return ({ type, subject, data }) => {
    // Compiled at the first event, because most modules are mounted long before they emit one.
    if (!prepared) for (const { kind, types } of events ?? []) kinds.set(kind, compiled(types));
    prepared = true;
    if (!kinds.has(subject.kind))
      throw new Error(`${id} emits ${type} of the kind ${subject.kind}, which its manifest does not declare`);
    const types = kinds.get(subject.kind);
    const check = types?.get(type);
    if (types ? !check : !type.startsWith(`${subject.kind}.`))
      throw new Error(`${id} emits ${type}, which is no type of the kind ${subject.kind} its manifest declares`);
    // Checked in the stored form: without undefined members, and with dates as text.
    if (!check || check(JSON.parse(JSON.stringify(data ?? {})))) return;
    const faults = fieldErrors(check.errors ?? [], 'body').map(({ field, reason }) => `data${field} ${reason}`);
    throw new Error(`${id} emits ${type} with data that its manifest does not declare: ${faults.join(', ')}`);
  };
}
