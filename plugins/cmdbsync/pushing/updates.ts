import type { CardView, Connector, ConnectorRecord } from '@lintel/sdk';
import { valuesOfCard } from '../comparing/card-values.js';
import type { Value } from '../records/definition.js';
import { mapPage } from '../reading/page.js';
import { detailOf, type Read, type Reading } from '../reading/stage.js';
import { added, type RunWork } from '../runs/lifecycle.js';
import { markOf, planUpdate, refusedOf, written, type UpdatePlan } from './compare.js';
import type { Answer, Remote } from './remote.js';
import { pooled } from './remote.js';
import {
  markPushed,
  readDueUpdates,
  savePushOutcomes,
  type DueUpdate,
  type PushMark,
  type PushOutcome,
} from './repository.js';

/** Records of a batch: as many as a connector reads by id at a time. */
const BATCH = 100;
const NOT_LINKED = 'The record is not linked to a card, because what changes the card was not applied.';
const NO_CARD = 'The card is archived or hidden from the service account.';
const GONE = 'The other system has no such record any more.';
const CHANGED = 'Both sides have changed since they were compared; the next run compares them again.';

interface Entry {
  record: DueUpdate;
  card: CardView | undefined;
  read: Read | undefined;
  plan: UpdatePlan;
  answer?: Answer;
}

/**
 * Writes the approved changes of a run to the other system: each record is read and compared again, and only what still differs is sent.
 * @throws ConnectorError if the other system as a whole does not answer; RunEnded
 */
export async function pushUpdates(
  work: RunWork,
  connector: Connector,
  remote: Remote,
  reading: Reading,
): Promise<void> {
  for (;;) {
    remote.ensureGoing();
    let due: DueUpdate[] = [];
    // The lease of the job and the state of the run are checked before anything is sent.
    await work.step(['applying'], async (uow, run) => {
      due = await readDueUpdates(uow, run.id, BATCH);
      return undefined;
    });
    if (due.length === 0) return;
    const entries = await prepared(work, due, connector, reading);
    await pooled(entries, async (entry) => {
      if (entry.plan.kind === 'write' && entry.plan.targets.length > 0)
        entry.answer = await remote.update(entry.record.external_id, entry.plan.sent);
    });
    await save(work, entries, reading);
    remote.ensureGoing();
  }
}

async function prepared(
  { host, ctx, mapping }: RunWork,
  due: readonly DueUpdate[],
  connector: Connector,
  reading: Reading,
): Promise<Entry[]> {
  // The records before the cards: what a user changes in between is compared with what was there before.
  const page = connector.get
    ? mapPage(
        reading,
        await connector.get(
          mapping.table_name,
          due.map(({ external_id }) => external_id),
          reading.reader.sources,
        ),
      )
    : undefined;
  const ids = due.flatMap(({ card_id }) => card_id ?? []);
  const cards = new Map(
    ids.length === 0 ? [] : (await host.cards.read(ctx, [...new Set(ids)])).map((card) => [card.id, card]),
  );
  return due.map((record): Entry => {
    const card = cards.get(record.card_id ?? '');
    const read = page ? page.get(record.external_id) : asCompared(record);
    const refused = (reason: string): Entry => ({ record, card, read, plan: { kind: 'refused', reason } });
    if (record.card_id === null) return refused(NOT_LINKED);
    if (card?.status !== 'ACTIVE') return refused(NO_CARD);
    if (!read) return refused(GONE);
    return { record, card, read, plan: planUpdate(record, card, read, reading) };
  });
}

/** The record as it was compared, for a connector that reads no single records. */
const asCompared = ({ external_id, diff }: DueUpdate): Read => ({
  external_id,
  values: Object.fromEntries(diff.map(({ field, cmdb }): [string, Value] => [field, cmdb])),
  references: {},
  errors: [],
  digest: '',
  references_digest: '',
});

async function save(work: RunWork, entries: readonly Entry[], reading: Reading): Promise<void> {
  const outcomes: PushOutcome[] = [];
  const marks: PushMark[] = [];
  const counts: Record<string, number> = {};
  for (const entry of entries) {
    const { outcome, mark } = outcomeOf(entry, reading);
    if (!outcome) continue;
    outcomes.push(outcome);
    if (mark) marks.push(mark);
    const key = outcome.state === 'applied' ? 'pushed' : outcome.state === 'pending' ? 'conflict' : 'failed';
    counts[key] = (counts[key] ?? 0) + 1;
  }
  if (outcomes.length === 0) return;
  // What was written is noted in a run too that was cancelled meanwhile.
  await work.step(['applying', 'cancelled'], async (uow, run) => {
    await savePushOutcomes(uow, run.id, outcomes);
    await markPushed(uow, work.mapping.id, marks);
    return { counts: added(run.counts, counts) };
  });
}

function outcomeOf(
  { record, card, read, plan, answer }: Entry,
  reading: Reading,
): { outcome?: PushOutcome; mark?: PushMark } {
  const { id, external_id } = record;
  const same = { id, external_id, side: 'cmdb', action: 'update', diff: null, detail: null } as const;
  const failed = (reason: string): { outcome: PushOutcome } => ({ outcome: { ...same, state: 'failed', reason } });
  if (plan.kind === 'refused') return failed(plan.reason);
  if (!card || !read) return failed(GONE);
  if (plan.kind === 'conflict') {
    if (record.has_card_record) return failed(CHANGED);
    // Whatever is decided, the card is written first.
    const { diff, base } = plan;
    const detail = { ...detailOf(read), base };
    const reason = 'Both sides have changed.';
    return { outcome: { ...same, state: 'pending', side: 'card', action: 'conflict', diff, detail, reason } };
  }
  const whole = read.digest === '' ? undefined : read;
  // Nothing was sent, because the other system has the values already.
  if (!answer)
    return {
      outcome: { ...same, state: 'applied', reason: null },
      mark: markOf(record, card, read.values, whole, reading),
    };
  if (answer.kind === 'refused' || answer.kind === 'unknown') return failed(answer.reason);
  if (answer.kind !== 'done') return {};
  const targets = valuesOfCard(card, plan.targets);
  const after = readOf(answer.record, reading);
  const { values, isWhole } = written(answer.record, after, read.values, targets, reading);
  const reason = refusedOf(values, targets);
  return {
    outcome: { ...same, state: reason === null ? 'applied' : 'failed', reason },
    mark: markOf(record, card, values, isWhole ? after : undefined, reading),
  };
}

/** A record as a read maps it. */
export const readOf = (record: ConnectorRecord, reading: Reading): Read => mapPage(reading, [record]).get(record.id)!;
