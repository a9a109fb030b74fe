import type { CardView, ConnectorRecord, UnitOfWork } from '@lintel/sdk';
import { digestOf } from '../comparing/canonical.js';
import { valuesOfCard } from '../comparing/card-values.js';
import { compare } from '../comparing/three-way.js';
import type { FieldMap } from '../mappings/definition.js';
import type { RecordState, Value } from '../records/definition.js';
import type { Run } from '../runs/definition.js';
import { added, type RunWork } from '../runs/lifecycle.js';
import type { MappedReader, MappedRecord } from '../transforms/index.js';
import { matchRecords, type Match } from './matching.js';
import {
  findKnown,
  insertRecords,
  markAgreed,
  markSeen,
  type Agreement,
  type KnownIdentity,
  type NewRecord,
} from './repository.js';

/** A record of a page after its mapping. */
interface Read extends MappedRecord {
  external_id: string;
  digest: string;
  references_digest: string;
}

/** How the records of a mapping are read and compared. */
export interface Reading {
  reader: MappedReader;
  /** Fields that are compared with cards, those of costs only if the service account may see them. */
  fields: readonly FieldMap[];
}

interface Staged {
  records: NewRecord[];
  agreed: Agreement[];
  counts: Record<string, number>;
}

/** The records of a page by id; of two with the same id the last one counts. */
export function mapPage({ reader }: Reading, records: readonly ConnectorRecord[]): Map<string, Read> {
  const read = new Map<string, Read>();
  for (const record of records) {
    const mapped = reader.read(record);
    read.set(record.id, {
      ...mapped,
      external_id: record.id,
      digest: digestOf(mapped.values),
      references_digest: digestOf(mapped.references),
    });
  }
  return read;
}

/**
 * Compares a page with the cards and stores what is to be done, in the transaction that also stores the position of the next page.
 * @returns the counts of the run after it
 */
export async function stagePage(
  work: RunWork,
  uow: UnitOfWork,
  run: Run,
  reading: Reading,
  page: ReadonlyMap<string, Read>,
): Promise<Record<string, number>> {
  const { host, mapping, ctx } = work;
  const ids = [...page.keys()];
  const known = await findKnown(uow, host, ctx, mapping.id, ids);
  const differing: Read[] = [];
  const unlinked: Read[] = [];
  const staged: Staged = { records: [], agreed: [], counts: { read: page.size } };
  const open: RecordState = run.dry_run ? 'reported' : run.auto_apply ? 'approved' : 'pending';
  for (const read of page.values()) {
    const identity = known.get(read.external_id);
    if (read.errors.length > 0) report(work, staged, read, identity, 'error', reasonOf(read));
    else if (!identity?.card_id) unlinked.push(read);
    else if (isUnchanged(identity, read)) count(staged, 'unchanged');
    else if (identity.status === 'ACTIVE') differing.push(read);
    else if (identity.digest === read.digest) count(staged, 'unchanged');
    else report(work, staged, read, identity, 'skip', CANNOT[identity.status ?? 'hidden']!);
  }
  const matches = unlinked.length === 0 ? new Map<string, Match>() : await matchRecords(host, ctx, mapping, unlinked);
  const adopted = new Map<string, string>();
  const taken = new Set<string>();
  for (const read of unlinked) {
    const match = matches.get(read.external_id);
    const [card, second] = match?.exact ?? [];
    if (card !== undefined && second === undefined && !taken.has(card)) {
      adopted.set(read.external_id, card);
      taken.add(card);
    } else stageNew(work, staged, run, read, open, match);
  }
  const cards = await readCards(work, [
    ...differing.map(({ external_id }) => known.get(external_id)!.card_id!),
    ...adopted.values(),
  ]);
  for (const read of differing) stageKnown(work, staged, reading, read, open, known.get(read.external_id)!, cards);
  for (const [id, card] of adopted)
    stageKnown(work, staged, reading, page.get(id)!, open, newIdentity(id, card), cards);
  await insertRecords(uow, run.id, staged.records);
  if (!run.dry_run) {
    // An incremental read marks only records that are new: the others have the mark of the last full one.
    await markSeen(uow, mapping.id, run.is_full ? ids : ids.filter((id) => !known.has(id)), run.id);
    await markAgreed(uow, mapping.id, staged.agreed);
  }
  return added(run.counts, staged.counts);
}

const CANNOT: Record<string, string> = {
  ARCHIVED: 'The card is archived.',
  hidden: 'The service account may not see the card.',
};

const isUnchanged = (identity: KnownIdentity, { digest, references_digest }: Read): boolean =>
  identity.digest === digest &&
  identity.references_digest === references_digest &&
  identity.version !== null &&
  identity.pulled_version === identity.version;

const newIdentity = (external_id: string, card_id: string): KnownIdentity => ({
  external_id,
  card_id,
  digest: null,
  references_digest: null,
  base: {},
  kept: {},
  pulled_version: null,
  pushed_version: null,
  status: 'ACTIVE',
  version: null,
});

const count = (staged: Staged, key: string): void => void (staged.counts[key] = (staged.counts[key] ?? 0) + 1);
const reasonOf = ({ errors }: Read): string =>
  errors
    .map(({ field, reason }) => `${field}: ${reason}`)
    .join('; ')
    .slice(0, 1_000);
const nameOf = (values: Readonly<Record<string, Value>>): string | null =>
  typeof values['name'] === 'string' ? values['name'].slice(0, 500) : null;

async function readCards({ host, ctx }: RunWork, ids: readonly string[]): Promise<Map<string, CardView>> {
  return ids.length === 0 ? new Map() : new Map((await host.cards.read(ctx, ids)).map((card) => [card.id, card]));
}

function report(
  { host, mapping }: RunWork,
  staged: Staged,
  { external_id, values }: Read,
  identity: KnownIdentity | undefined,
  action: 'error' | 'skip',
  reason: string,
): void {
  count(staged, action);
  staged.records.push({
    id: host.newId(),
    external_id,
    card_id: identity?.card_id ?? null,
    card_type: mapping.card_type,
    name: nameOf(values),
    action,
    state: 'reported',
    diff: [],
    detail: {},
    reason,
  });
}

/** What the application of a record needs besides its differences. */
const detailOf = ({ values, references, digest, references_digest }: Read) => ({
  values,
  references,
  digest,
  references_digest,
});

function stageNew(
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
    state: waits ? 'pending' : open,
    diff: [],
    detail: { ...detailOf(read), ...(proposals.length > 0 && { proposals }) },
    reason: proposals.length > 0 ? 'Cards exist that may be the same.' : null,
  });
}

function stageKnown(
  { host, mapping }: RunWork,
  staged: Staged,
  { fields }: Reading,
  read: Read,
  open: RecordState,
  identity: KnownIdentity,
  cards: ReadonlyMap<string, CardView>,
): void {
  const card = cards.get(identity.card_id!);
  // Deleted or hidden since the statement before.
  if (!card) return count(staged, 'skip');
  const sides = {
    base: identity.base,
    kept: identity.kept,
    cmdb: read.values,
    ea: valuesOfCard(card, Object.keys(read.values)),
  };
  const { diffs, base } = compare(fields, sides);
  const wanted = diffs.filter(({ take }) => take !== 'ea');
  const isNew = identity.digest === null;
  if (wanted.length === 0 && !isNew && identity.references_digest === read.references_digest) {
    count(staged, 'unchanged');
    const { external_id, digest, references_digest } = read;
    staged.agreed.push({ external_id, digest, references_digest, base, version: Number(card['version']) });
    return;
  }
  const isConflict = wanted.some(({ take }) => take === 'conflict');
  const action = isConflict ? 'conflict' : 'update';
  count(staged, action);
  staged.records.push({
    id: host.newId(),
    external_id: read.external_id,
    card_id: card.id,
    card_type: mapping.card_type,
    name: card.name,
    action,
    state: isConflict && open === 'approved' ? 'pending' : open,
    diff: wanted,
    detail: { ...detailOf(read), base },
    reason: isConflict ? 'Both sides have changed.' : null,
  });
}
