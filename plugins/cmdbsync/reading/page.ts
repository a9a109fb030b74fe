import { TimeSlice, type CardView, type ConnectorRecord, type UnitOfWork } from '@lintel/sdk';
import { digestOf } from '../comparing/canonical.js';
import type { RecordState } from '../records/definition.js';
import type { Run } from '../runs/definition.js';
import { added, type RunWork } from '../runs/lifecycle.js';
import { storable } from '../transforms/values.js';
import { matchRecords, type Match } from './matching.js';
import { findKnown, insertRecords, markAgreed, markSeen, type KnownIdentity } from './repository.js';
import { count, report, stageKnown, stageNew, type Read, type Reading, type Staged } from './stage.js';

function readOne({ reader }: Reading, record: ConnectorRecord): Read {
  const mapped = reader.read(record);
  return {
    ...mapped,
    external_id: record.id,
    digest: digestOf(mapped.values),
    references_digest: digestOf(mapped.references),
  };
}

/** A few records by id; of two with the same id the last one counts. */
export const mapPage = (reading: Reading, records: readonly ConnectorRecord[]): Map<string, Read> =>
  new Map(records.map((record) => [record.id, readOne(reading, record)]));

/** As `mapPage`, in time slices: for a page that the other system has filled. */
export async function mapInSlices(reading: Reading, records: readonly ConnectorRecord[]): Promise<Map<string, Read>> {
  const read = new Map<string, Read>();
  const slice = new TimeSlice();
  for (const record of records) {
    read.set(record.id, readOne(reading, record));
    if (slice.isOver) await slice.next();
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
  const wrong: Read[] = [];
  const staged: Staged = { records: [], agreed: [], counts: { read: page.size } };
  const open: RecordState = run.dry_run ? 'reported' : run.auto_apply ? 'approved' : 'pending';
  for (const read of page.values()) {
    const identity = known.get(read.external_id);
    if (read.errors.length > 0 && !identity?.card_id) wrong.push(read);
    else if (read.errors.length > 0) report(work, staged, read, identity?.card_id, 'error', reasonOf(read));
    else if (!identity?.card_id) unlinked.push(read);
    else if (isUnchanged(identity, read, run)) count(staged, 'unchanged');
    else if (identity.status === 'ACTIVE') differing.push(read);
    else if (identity.digest === read.digest) count(staged, 'unchanged');
    else report(work, staged, read, identity.card_id, 'skip', CANNOT[identity.status ?? 'hidden']!);
  }
  const toMatch = mapping.creates_remote ? [...unlinked, ...wrong] : unlinked;
  const matches = toMatch.length === 0 ? new Map<string, Match>() : await matchRecords(host, ctx, mapping, toMatch);
  // The card is named, so that no second record is created for it.
  for (const read of wrong)
    report(work, staged, read, matches.get(read.external_id)?.exact[0], 'error', reasonOf(read));
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
  for (const read of differing) stageKnown(work, staged, reading, run, read, open, known.get(read.external_id)!, cards);
  for (const [id, card] of adopted)
    stageKnown(work, staged, reading, run, page.get(id)!, open, newIdentity(id, card), cards);
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

const isUnchanged = (identity: KnownIdentity, { digest, references_digest }: Read, { direction }: Run): boolean =>
  identity.digest === digest &&
  identity.references_digest === references_digest &&
  identity.version !== null &&
  identity.pulled_version === identity.version &&
  (direction === 'pull' || identity.pushed_version === identity.version);

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

const reasonOf = ({ errors }: Read): string =>
  storable(errors.map(({ field, reason }) => `${field}: ${reason}`).join('; '), 1_000);

async function readCards({ host, ctx }: RunWork, ids: readonly string[]): Promise<Map<string, CardView>> {
  return ids.length === 0 ? new Map() : new Map((await host.cards.read(ctx, ids)).map((card) => [card.id, card]));
}
