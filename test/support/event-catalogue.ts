import type { ValidateFunction } from 'ajv';
import { strictAjv } from '../../core/foundation/http/ajv.js';
import { CORE_TYPES } from '../../core/messaging/events/catalogue.js';
import { sql } from './database.js';
import type { DatabaseConnection } from '../../core/foundation/db/connection.js';

/** The latest events of a database that are compared, because some tests write hundreds of thousands. */
const MOST = 1_000;
/** Stored, but removed for every receiver. */
const INTERNAL = new Set(['mentioned_by_id']);

const checks = new Map<string, ValidateFunction>();
let ajv: ReturnType<typeof strictAjv> | undefined;

/** The schema of an event type in the catalogue, which permits no further members here. */
function compiled(type: string): ValidateFunction | undefined {
  const known = checks.get(type);
  const described = Object.hasOwn(CORE_TYPES, type) ? CORE_TYPES[type] : undefined;
  if (known || !described) return known;
  const check = (ajv ??= strictAjv()).compile({ ...described.data, additionalProperties: false });
  checks.set(type, check);
  return check;
}

/**
 * Compares the events that the core wrote in a test with the catalogue of event types.
 * @param modules kinds of subjects of modules
 * @throws for the first event of a type that the catalogue does not have, or with other data
 */
export async function checkEvents(database: DatabaseConnection, modules: ReadonlySet<string>): Promise<void> {
  const events = await sql<{ type: string; kind: string; data: Record<string, unknown> }>(
    database,
    `select type, subject_kind as kind, data from events where origin <> 'test' order by position desc limit ${MOST}`,
  );
  const core = new Set(Object.keys(CORE_TYPES).map((type) => type.split('.')[0]!));
  for (const { type, kind, data } of events) {
    if (modules.has(kind) || !core.has(type.split('.')[0]!)) continue;
    const check = compiled(type);
    if (!check) throw new Error(`the event type ${type} is not in the catalogue`);
    const shown = Object.fromEntries(Object.entries(data).filter(([member]) => !INTERNAL.has(member)));
    if (!check(shown))
      throw new Error(`${type} has other data than its catalogue: ${JSON.stringify([check.errors, shown])}`);
  }
}
