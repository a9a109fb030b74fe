import type { CardView } from '@lintel/sdk';
import { valuesOfCard } from '../comparing/card-values.js';
import { compare, stillKept } from '../comparing/three-way.js';
import type { FieldMap } from '../mappings/definition.js';
import type { FieldDiff, RecordState, Value } from '../records/definition.js';
import type { Run } from '../runs/definition.js';
import type { RunWork } from '../runs/lifecycle.js';
import type { MappedReader, MappedRecord } from '../transforms/index.js';
import { storable } from '../transforms/values.js';
import type { Match } from './matching.js';
import type { Agreement, KnownIdentity, NewRecord } from './repository.js';

/** A record of a page after its mapping. */
export interface Read extends MappedRecord {
  external_id: string;
  digest: string;
  references_digest: string;
}

/** How the records of a mapping are read and compared. */
export interface Reading {
  reader: MappedReader;
  /** Fields that are compared with cards, those of costs only if the service account may see them. */
  fields: readonly FieldMap[];
  /** Whether fields that the card owns are among them: the mapping also writes to the other system. */
  isComplete: boolean;
}

export interface Staged {
  records: NewRecord[];
  agreed: Agreement[];
  counts: Record<string, number>;
}

export const count = (staged: Staged, key: string): void => void (staged.counts[key] = (staged.counts[key] ?? 0) + 1);
const nameOf = (values: Readonly<Record<string, Value>>): string | null =>
  typeof values['name'] === 'string' ? storable(values['name'], 500) : null;

/** Stages what is only reported. */
export function report(
  { host, mapping }: RunWork,
  staged: Staged,
  { external_id, values }: Read,
  card: string | null | undefined,
  action: 'error' | 'skip',
  reason: string,
): void {
  count(staged, action);
  staged.records.push({
    id: host.newId(),
    external_id,
    card_id: card ?? null,
    card_type: mapping.card_type,
    name: nameOf(values),
    action,
    side: 'card',
    state: 'reported',
    diff: [],
    detail: {},
    reason,
  });
}

/** What the application of a record needs besides its differences. */
export const detailOf = ({ values, references, digest, references_digest }: Read) => ({
  values,
  references,
  digest,
  references_digest,
});

/** Stages a card that is to be created. @param open state of a record that needs no decision */
export function stageNew(
  { host, mapping }: RunWork,
  staged: Staged,
  run: Run,
  read: Read,
  open: RecordState,
  match: Match | undefined,
): void {
  const proposals = match
    ? [...match.exact.map((card_id) => ({ card_id, score: 1 })), ...match.similar].slice(0, 10)
    : [];
  const waits = proposals.length > 0 && !run.dry_run;
  count(staged, 'create');
  staged.records.push({
    id: host.newId(),
    external_id: read.external_id,
    card_id: null,
    card_type: mapping.card_type,
    name: nameOf(read.values),
    action: 'create',
    side: 'card',
    state: waits ? 'pending' : open,
    diff: [],
    detail: { ...detailOf(read), ...(proposals.length > 0 && { proposals }) },
    reason: proposals.length > 0 ? 'Cards exist that may be the same.' : null,
  });
}

/** What of the differences changes the card, and what the other system. */
interface Sides {
  card: readonly FieldDiff[];
  cmdb: readonly FieldDiff[];
}

/** With a conflict all differences wait for its decision together. */
function sidesOf(diffs: readonly FieldDiff[], { direction }: Run): Sides {
  const ofCard = diffs.filter(({ take }) => take !== 'ea');
  if (direction === 'pull') return { card: ofCard, cmdb: [] };
  if (diffs.some(({ take }) => take === 'conflict')) return { card: diffs, cmdb: [] };
  return { card: direction === 'push' ? [] : ofCard, cmdb: diffs.filter(({ take }) => take === 'ea') };
}

/** Compares a record with its card and stages what differs, for each side. @param open state of a record that needs no decision */
export function stageKnown(
  { host, mapping }: RunWork,
  staged: Staged,
  { fields, isComplete }: Reading,
  run: Run,
  read: Read,
  open: RecordState,
  identity: KnownIdentity,
  cards: ReadonlyMap<string, CardView>,
): void {
  const card = cards.get(identity.card_id!);
  // Deleted or hidden since the statement before.
  if (!card) return count(staged, 'skip');
  const { external_id, digest, references_digest } = read;
  const version = Number(card['version']);
  const { diffs, base } = compare(fields, {
    base: identity.base,
    kept: identity.kept,
    cmdb: read.values,
    ea: valuesOfCard(card, Object.keys(read.values)),
  });
  const sides = sidesOf(diffs, run);
  const isPush = run.direction === 'push';
  const isNew = identity.digest === null;
  const isPushed = !diffs.some(({ take }) => take !== 'cmdb');
  const same = { external_id, card_id: card.id, card_type: mapping.card_type, name: card.name };
  if (sides.cmdb.length > 0) {
    count(staged, 'remote_update');
    staged.records.push({
      ...same,
      id: host.newId(),
      action: 'update',
      side: 'cmdb',
      state: open,
      diff: sides.cmdb,
      detail: {},
      reason: null,
    });
  }
  if (sides.card.length === 0 && (isPush || (!isNew && identity.references_digest === references_digest))) {
    if (sides.cmdb.length === 0) count(staged, 'unchanged');
    staged.agreed.push({
      external_id,
      digest: isPush ? null : digest,
      references_digest: isPush ? null : references_digest,
      base,
      kept: stillKept(identity.kept, read.values),
      pulled_version: isPush ? null : version,
      pushed_version: isPushed ? version : null,
      is_complete: isComplete,
    });
    return;
  }
  const isConflict = sides.card.some(({ take }) => take === 'conflict');
  const action = isConflict ? 'conflict' : 'update';
  count(staged, action);
  staged.records.push({
    ...same,
    id: host.newId(),
    action,
    side: 'card',
    state: isConflict && open === 'approved' ? 'pending' : open,
    diff: sides.card,
    detail: {
      ...detailOf(read),
      base,
      ...(isComplete && (isPushed ? { agreed_version: version } : { has_push: true })),
    },
    reason: isConflict ? 'Both sides have changed.' : null,
  });
}
