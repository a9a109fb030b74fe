import type { CardView, ConnectorRecord } from '@lintel/sdk';
import { digestOf, same } from '../comparing/canonical.js';
import { valuesOfCard } from '../comparing/card-values.js';
import { compare, stillKept } from '../comparing/three-way.js';
import type { FieldDiff, Value } from '../records/definition.js';
import type { Read, Reading } from '../reading/stage.js';
import type { DueUpdate, PushMark } from './repository.js';

type Values = Readonly<Record<string, Value>>;
/** Values by field of the other system. */
export type Sent = Record<string, Value>;

/** What is done with a record of the other system, as both sides are now. */
export type UpdatePlan =
  /** `sent` is empty if the other system has the values already. `targets`: what is sent. */
  | { kind: 'write'; sent: Sent; targets: string[] }
  | { kind: 'conflict'; diff: FieldDiff[]; base: Record<string, Value> }
  | { kind: 'refused'; reason: string };

export const targetsOf = ({ fields }: Reading): string[] => fields.map(({ target }) => target);

/**
 * Compares the sides of a record again before it is written: the card and the record may have changed since.
 * @param read the record as it is now
 */
export function planUpdate(record: DueUpdate, card: CardView, read: Read, reading: Reading): UpdatePlan {
  const wrong = read.errors.find(({ field }) => record.diff.some((entry) => entry.field === field));
  if (wrong) return { kind: 'refused', reason: `${wrong.field}: ${wrong.reason}` };
  const ea = valuesOfCard(card, targetsOf(reading));
  const { diffs, base } = compare(reading.fields, {
    base: record.base ?? {},
    kept: record.kept ?? {},
    cmdb: read.values,
    ea,
  });
  const now = new Map(diffs.map((entry) => [entry.field, entry]));
  const sent: Sent = {};
  const targets: string[] = [];
  for (const { field, decided, cmdb } of record.diff) {
    const entry = now.get(field);
    // The same on both sides, or a matter of the card by now.
    if (!entry) continue;
    const isDecided = decided === true && same(entry.cmdb, cmdb);
    if (!isDecided && entry.take === 'conflict') return { kind: 'conflict', diff: diffs, base };
    if (!isDecided && entry.take !== 'ea') continue;
    const back = reading.reader.writeBack(field, entry.ea);
    if (!back) return { kind: 'refused', reason: `${field}: the value has no counterpart in the other system` };
    sent[back.source] = back.value;
    targets.push(field);
  }
  return { kind: 'write', sent, targets };
}

/** The values of a new record. @returns a reason if a value has no counterpart */
export function valuesToCreate(card: CardView, reading: Reading): { sent: Sent } | { reason: string } {
  const sent: Sent = {};
  for (const [target, value] of Object.entries(valuesOfCard(card, targetsOf(reading)))) {
    if (value === null || !reading.reader.canWrite(target)) continue;
    const back = reading.reader.writeBack(target, value);
    if (!back) return { reason: `${target}: the value has no counterpart in the other system` };
    sent[back.source] = back.value;
  }
  return { sent };
}

/** What the other system returned for a write. */
export interface Written {
  /** By target, as a read maps them; those that the response lacks are as they were sent. */
  values: Record<string, Value>;
  /** Whether the response has every field that was sent, so that its digest is that of the record. */
  isWhole: boolean;
}

const has = ({ values }: ConnectorRecord, source: string): boolean =>
  Object.hasOwn(values, source) || Object.hasOwn(values, source.split('.')[0]!);

/**
 * @param before values by target before the write
 * @param targets those that were sent, with the values of the card
 */
export function written(
  record: ConnectorRecord,
  read: Read,
  before: Values,
  targets: Values,
  reading: Reading,
): Written {
  const values: Record<string, Value> = { ...before };
  let isWhole = read.errors.length === 0;
  for (const [target, value] of Object.entries(targets)) {
    const back = reading.reader.writeBack(target, value);
    if (back && has(record, back.source) && Object.hasOwn(read.values, target)) values[target] = read.values[target];
    else {
      isWhole = false;
      values[target] = value;
    }
  }
  return isWhole ? { values: read.values, isWhole } : { values, isWhole };
}

/** Fields whose values the other system did not take over. */
export const refusedOf = (values: Values, targets: Values): string | null => {
  const refused = Object.keys(targets).filter((target) => !same(values[target], targets[target]));
  return refused.length === 0
    ? null
    : `${refused.join(', ')}: the other system has not taken over the value`.slice(0, 1_000);
};

/**
 * What is known of a record after both sides were compared.
 * @param values of the record, by target
 * @param whole the record, if all of it is known
 */
export function markOf(
  identity: Pick<DueUpdate, 'external_id' | 'base' | 'kept' | 'references_digest'>,
  card: CardView,
  values: Values,
  whole: Read | undefined,
  reading: Reading,
): PushMark {
  const kept = identity.kept ?? {};
  const { diffs, base } = compare(reading.fields, {
    base: identity.base ?? {},
    kept,
    cmdb: values,
    ea: valuesOfCard(card, targetsOf(reading)),
  });
  const version = Number(card['version']);
  const isAgreed = diffs.length === 0 && whole !== undefined && whole.references_digest === identity.references_digest;
  return {
    external_id: identity.external_id,
    base,
    kept: stillKept(kept, values),
    pushed_version: diffs.some(({ take }) => take !== 'cmdb') ? null : version,
    digest: isAgreed ? digestOf(whole.values) : null,
    pulled_version: isAgreed ? version : null,
  };
}
