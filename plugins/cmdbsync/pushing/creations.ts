import type { CardView, ConnectorRecord, UnitOfWork } from '@lintel/sdk';
import { linkCards, type Applied } from '../applying/repository.js';
import { valuesOfCard } from '../comparing/card-values.js';
import { digestOf } from '../comparing/canonical.js';
import type { Reading } from '../reading/stage.js';
import { added, type RunWork } from '../runs/lifecycle.js';
import { markOf, refusedOf, valuesToCreate, written, type Sent } from './compare.js';
import { CONCURRENCY, pooled, type Answer, type Remote } from './remote.js';
import {
  explainSent,
  findLinkedRecords,
  markSent,
  readDueCreations,
  readSent,
  savePushOutcomes,
  type DueCreation,
  type PushOutcome,
} from './repository.js';
import { readOf } from './updates.js';

const SENT = 20;
/** Records that are stored as sent at a time, if each of them can be looked up after a crash. */
const BATCH = 100;
const NO_CARD = 'The card is archived or hidden from the service account.';
const NOT_KNOWN = 'It is not known whether the record was created, and the connector cannot look it up.';
const TAKEN = 'The other system returned a record that is linked to another card.';

interface Entry {
  due: DueCreation;
  card: CardView | undefined;
  /** Why nothing is sent. */
  reason?: string;
  sent: Sent;
  answer?: Answer;
}

/**
 * Creates the approved records of a run in the other system, a few at a time: each is stored as sent before its request, and its id is the
 * correlation id. One that may have been sent before is looked up first.
 * @throws ConnectorError if the other system as a whole does not answer; RunEnded
 */
export async function pushCreations(work: RunWork, remote: Remote, reading: Reading): Promise<void> {
  // Otherwise a person has to look up each of them.
  const most = remote.canLookUp ? BATCH : CONCURRENCY;
  for (let after: string | null = null; ; ) {
    remote.ensureGoing();
    let entries: Entry[] = [];
    await work.step(['applying'], async (uow, run) => {
      const due = await readDueCreations(uow, run.id, after, remote.canLookUp, most);
      entries = await prepared(work, due, reading);
      await markSent(
        uow,
        entries.flatMap((entry) => (isToSend(entry) ? [entry.due.id] : [])),
      );
      if (due.length === 0 && !remote.canLookUp) await explainSent(uow, run.id, NOT_KNOWN);
      return undefined;
    });
    const last = entries.at(-1);
    if (!last) return;
    after = last.due.id;
    await pooled(entries, async (entry) => {
      const { due, sent } = entry;
      if (isToSend(entry)) entry.answer = await remote.create(sent, due.id, due.is_sent);
    });
    await save(work, entries, remote, reading);
    remote.ensureGoing();
  }
}

/**
 * Looks up creations of earlier runs whose outcome is not known, before records are read: those that exist would be found as new otherwise.
 * @throws ConnectorError, RunEnded
 */
export async function settleSent(work: RunWork, remote: Remote, reading: Reading): Promise<void> {
  for (let after: string | null = null; ; ) {
    let entries: Entry[] = [];
    await work.step(['reading'], async (uow) => {
      entries = await prepared(work, await readSent(uow, work.mapping.id, after, SENT), reading);
      return undefined;
    });
    const last = entries.at(-1);
    if (!last) return;
    after = last.due.id;
    await pooled(entries, async (entry) => {
      if (entry.due.linked === null) entry.answer = await remote.find(entry.due.id);
    });
    const found = entries.filter(({ answer, due }) => answer?.kind === 'done' || due.linked !== null);
    // Without the id of the record, which a change that the same run finds has.
    await save(work, found, remote, reading, true);
    remote.ensureGoing();
  }
}

const isToSend = ({ due, reason }: Entry): boolean => due.linked === null && reason === undefined;

async function prepared({ host, ctx }: RunWork, due: readonly DueCreation[], reading: Reading): Promise<Entry[]> {
  const ids = due.flatMap(({ card_id }) => card_id ?? []);
  const cards = new Map(ids.length === 0 ? [] : (await host.cards.read(ctx, ids)).map((card) => [card.id, card]));
  return due.map((one): Entry => {
    const card = cards.get(one.card_id ?? '');
    if (card?.status !== 'ACTIVE') return { due: one, card, sent: {}, reason: NO_CARD };
    const values = valuesToCreate(card, reading);
    return 'reason' in values
      ? { due: one, card, sent: {}, reason: values.reason }
      : { due: one, card, sent: values.sent };
  });
}

async function save(
  work: RunWork,
  entries: readonly Entry[],
  remote: Remote,
  reading: Reading,
  isEarly = false,
): Promise<void> {
  if (entries.length === 0) return;
  // What was created is noted in a run too that was cancelled meanwhile.
  await work.step(['reading', 'applying', 'cancelled'], async (uow, run) => {
    const taken = await takenBy(uow, work.mapping.id, entries);
    const outcomes: PushOutcome[] = [];
    const links: Applied[] = [];
    const counts: Record<string, number> = {};
    for (const entry of entries) {
      const { outcome, link } = outcomeOf(entry, taken, remote, reading);
      if (!outcome) continue;
      // What a cancelled run has not sent is given up, as its other records are.
      const isGivenUp = run.state === 'cancelled' && outcome.state === 'approved';
      outcomes.push({
        ...outcome,
        ...(isEarly && { external_id: null }),
        ...(isGivenUp && { state: 'superseded' }),
      });
      if (link) {
        links.push(link);
        taken.set(link.external_id, link.card_id);
      }
      const key = outcome.state === 'applied' ? 'pushed' : outcome.state === 'failed' ? 'failed' : '';
      if (key !== '') counts[key] = (counts[key] ?? 0) + 1;
    }
    await linkCards(uow, work.mapping.id, links);
    await savePushOutcomes(uow, run.id, outcomes);
    return { counts: added(run.counts, counts) };
  });
}

async function takenBy(uow: UnitOfWork, mappingId: string, entries: readonly Entry[]): Promise<Map<string, string>> {
  return await findLinkedRecords(
    uow,
    mappingId,
    entries.flatMap(({ answer }) => (answer?.kind === 'done' ? [answer.record.id] : [])),
  );
}

function outcomeOf(
  { due, card, reason, answer }: Entry,
  taken: ReadonlyMap<string, string>,
  remote: Remote,
  reading: Reading,
): { outcome?: PushOutcome; link?: Applied } {
  const same = { id: due.id, external_id: null, side: 'cmdb', action: 'create', diff: null, detail: null } as const;
  if (due.linked !== null)
    return { outcome: { ...same, state: 'resolved', reason: 'The card is linked to a record.' } };
  if (!answer) return { outcome: { ...same, state: 'failed', reason: reason ?? NO_CARD } };
  if (answer.kind === 'refused') return { outcome: { ...same, state: 'failed', reason: answer.reason } };
  if (answer.kind === 'unsent') return { outcome: { ...same, state: 'approved', reason: null } };
  if (answer.kind === 'unknown')
    return { outcome: { ...same, state: 'sent', reason: remote.canLookUp ? answer.reason : NOT_KNOWN } };
  if (answer.kind !== 'done') return {};
  const { record } = answer;
  const owner = taken.get(record.id);
  if (owner !== undefined && owner !== due.card_id) return { outcome: { ...same, state: 'failed', reason: TAKEN } };
  if (!card) return { outcome: { ...same, state: 'failed', reason: NO_CARD } };
  const { link, refused } = linkOf(record, card, reading);
  // It exists, even if not all values were taken over: the next run compares these.
  return { outcome: { ...same, external_id: record.id, state: 'applied', reason: refused }, link };
}

/** The identity of a record that was created for a card. */
function linkOf(record: ConnectorRecord, card: CardView, reading: Reading): { link: Applied; refused: string | null } {
  const read = readOf(record, reading);
  const ea = valuesOfCard(
    card,
    reading.fields.map(({ target }) => target),
  );
  const targets = Object.fromEntries(
    Object.entries(ea).filter(([target, value]) => value !== null && reading.reader.canWrite(target)),
  );
  const { values, isWhole } = written(record, read, {}, targets, reading);
  const { references_digest } = read;
  const identity = { external_id: record.id, base: {}, kept: {}, references_digest };
  const { base, kept, pulled_version, pushed_version } = markOf(
    identity,
    card,
    values,
    isWhole ? read : undefined,
    reading,
  );
  return {
    link: {
      external_id: record.id,
      card_id: card.id,
      digest: digestOf(values),
      references_digest,
      base,
      kept,
      version: pulled_version,
      pushed_version,
    },
    refused: refusedOf(values, targets),
  };
}
