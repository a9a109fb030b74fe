import type { CardOperation, CardView } from '@lintel/sdk';
import { same } from '../comparing/canonical.js';
import { cardInput, valuesOfCard } from '../comparing/card-values.js';
import { stillKept } from '../comparing/three-way.js';
import type { FieldDiff, Value } from '../records/definition.js';
import type { Reading } from '../reading/stage.js';
import type { DueRecord } from './repository.js';

/** What is done with a record. */
export type Plan =
  /** `operation` undefined: the card has the values already. */
  | {
      kind: 'write';
      operation: CardOperation | undefined;
      base: Record<string, Value>;
      kept: Record<string, Value>;
      /** What is to be written to the other system afterwards, because it was decided or has waited for a decision. */
      pushes: FieldDiff[];
      /** Whether a value of the card, which owns the field, is to be written by a later run, because this one only reads. */
      isOpen: boolean;
    }
  /** The card was changed meanwhile, so that a person has to decide. */
  | { kind: 'conflict'; diff: FieldDiff[] }
  | { kind: 'refused'; reason: string };

/**
 * Plans how a record is applied to its card as it is now.
 * @param card undefined for a new one
 * @param writes whether the run writes to the other system
 */
export function planRecord(
  record: DueRecord,
  card: CardView | undefined,
  { fields, reader }: Pick<Reading, 'fields' | 'reader'>,
  writes: boolean,
): Plan {
  const { action, detail } = record;
  const values = detail.values ?? {};
  if (action === 'archive')
    return card?.status === 'ACTIVE'
      ? {
          kind: 'write',
          operation: { op: 'archive', id: card.id, version: Number(card['version']) },
          base: {},
          kept: {},
          pushes: [],
          isOpen: false,
        }
      : { kind: 'refused', reason: 'The card is archived or hidden from the service account.' };
  if (action === 'create' && !card) {
    const operation: CardOperation = { op: 'create', card: { type: record.card_type, ...cardInput(values) } };
    return { kind: 'write', operation, base: values, kept: {}, pushes: [], isOpen: false };
  }
  if (card?.status !== 'ACTIVE')
    return { kind: 'refused', reason: 'The card is archived or hidden from the service account.' };
  // A record that a person has linked to a card was never compared with it.
  const isFirst = detail.base === undefined;
  const current = valuesOfCard(card, Object.keys(values));
  const diff: FieldDiff[] = isFirst
    ? fields.flatMap(({ target, owner }) =>
        Object.hasOwn(values, target) && owner === 'cmdb' && !same(values[target], current[target])
          ? [{ field: target, cmdb: values[target], ea: current[target], take: 'cmdb' as const }]
          : [],
      )
    : record.diff;
  const changed = diff.map((entry) => ({ ...entry, now: current[entry.field] ?? null }));
  const lost = changed.filter(
    ({ take, now, ea, cmdb, decided }) => take === 'cmdb' && !decided && !same(now, ea) && !same(now, cmdb),
  );
  if (lost.length > 0)
    return {
      kind: 'conflict',
      diff: changed.map(({ now, ...entry }) =>
        lost.some(({ field }) => field === entry.field) ? { ...entry, ea: now, take: 'conflict' } : entry,
      ),
    };
  // Fields that agree when a person links a record are synchronised by that.
  const agreed = isFirst ? Object.entries(values).filter(([target, value]) => same(value, current[target])) : [];
  const base = { ...Object.fromEntries(agreed), ...detail.base };
  const kept = stillKept(record.kept ?? {}, values);
  const next: Record<string, Value> = {};
  const pushes: FieldDiff[] = [];
  const ofCard = new Set(fields.flatMap(({ target, owner }) => (owner === 'ea' ? [target] : [])));
  let isOpen = false;
  for (const { now, ...entry } of changed) {
    const { field, take, cmdb, value } = entry;
    const target = take === 'cmdb' ? cmdb : take === 'value' ? (value ?? null) : now;
    if (!same(target, now)) next[field] = target;
    const differs = take !== 'cmdb' && !same(target, cmdb);
    if (differs && writes && reader.canWrite(field)) {
      // The base stays as it is until the other system has the value, so that a decision is not lost with a failed request.
      pushes.push({ ...entry, ea: target });
      delete kept[field];
      continue;
    }
    base[field] = cmdb;
    if (differs && ofCard.has(field)) isOpen = true;
    else if (differs) kept[field] = cmdb;
  }
  const operation: CardOperation | undefined =
    Object.keys(next).length > 0
      ? { op: 'update', id: card.id, version: Number(card['version']), card: cardInput(next) }
      : undefined;
  return { kind: 'write', operation, base, kept, pushes, isOpen };
}
