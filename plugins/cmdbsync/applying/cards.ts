import type { CardOperation, CardResult, CardView, UnitOfWork } from '@lintel/sdk';
import { writeLater } from '../pushing/repository.js';
import type { NewRecord } from '../reading/repository.js';
import type { Reading } from '../reading/stage.js';
import type { Run } from '../runs/definition.js';
import type { FieldDiff } from '../records/definition.js';
import { added, type RunWork } from '../runs/lifecycle.js';
import { storable } from '../transforms/values.js';
import { planRecord, type Plan } from './prepare.js';
import {
  findOwners,
  linkCards,
  lockDueRecords,
  saveOutcomes,
  wantLinks,
  type Applied,
  type DueRecord,
  type RecordOutcome,
  type WantedLink,
} from './repository.js';

/** Records of one transaction. */
const BATCH = 500;
/** How often a card may be changed by others while it is to be written, before the record fails. */
const REPEATS = 5;
const TAKEN = 'The card is linked to another record.';

/** Applies the approved records of a run to cards, a batch in each transaction with what is known of the records. */
export async function applyToCards(work: RunWork, reading: Reading): Promise<void> {
  for (let isOver = false; !isOver; ) {
    work.job.signal.throwIfAborted();
    await work.step(['applying'], async (uow, run) => {
      const due = await lockDueRecords(uow, run.id, BATCH);
      isOver = due.length === 0;
      if (isOver) return undefined;
      const counts = await applyBatch(work, uow, run, due, reading);
      return { counts: added(run.counts, counts) };
    });
  }
}

async function applyBatch(
  work: RunWork,
  uow: UnitOfWork,
  run: Run,
  due: readonly DueRecord[],
  reading: Reading,
): Promise<Record<string, number>> {
  const { host, mapping, ctx } = work;
  const ids = due.flatMap(({ card_id, detail }) => detail.link ?? card_id ?? []);
  const cards = new Map(
    ids.length === 0 ? [] : (await host.cards.read(ctx, [...new Set(ids)])).map((card) => [card.id, card]),
  );
  const owners = await findOwners(uow, mapping.id, ids);
  const entries = due.map((record) => {
    const card = cards.get(record.detail.link ?? record.card_id ?? '');
    // Records of several pages may match one card, which belongs to one of them.
    const isTaken = card !== undefined && (owners.get(card.id) ?? record.external_id) !== record.external_id;
    const plan: Plan = isTaken
      ? { kind: 'refused', reason: TAKEN }
      : planRecord(record, card, reading, run.direction !== 'pull');
    if (card && plan.kind === 'write') owners.set(card.id, record.external_id);
    return { record, card, plan };
  });
  const operations: CardOperation[] = [];
  const places = new Map<DueRecord, number>();
  for (const { record, plan } of entries)
    if (plan.kind === 'write' && plan.operation) {
      places.set(record, operations.length);
      operations.push(plan.operation);
    }
  const results =
    operations.length === 0 ? [] : (await host.cards.bulkIn(uow, operations, { mode: 'per_row' })).results;
  const outcomes: RecordOutcome[] = [];
  const applied: Applied[] = [];
  const links: WantedLink[] = [];
  const later: NewRecord[] = [];
  const counts: Record<string, number> = {};
  for (const { record, card, plan } of entries) {
    const place = places.get(record);
    const outcome = outcomeOf(record, card, plan, place === undefined ? undefined : results[place]);
    outcomes.push(outcome);
    if (outcome.state === 'pending') counts['conflict'] = (counts['conflict'] ?? 0) + 1;
    if (outcome.state === 'failed') counts['failed'] = (counts['failed'] ?? 0) + 1;
    if (outcome.state !== 'applied') continue;
    counts['applied'] = (counts['applied'] ?? 0) + 1;
    if (plan.kind !== 'write' || record.action === 'archive') continue;
    const version = (place === undefined ? undefined : results[place]?.version) ?? Number(card?.['version']);
    applied.push(identityOf(record, card, plan, outcome.card_id!, version));
    links.push(...linksOf(record, mapping.relations));
    if (card && plan.pushes.length > 0) later.push(pushOf(work, record, card, plan.pushes));
  }
  await saveOutcomes(uow, outcomes);
  await linkCards(uow, mapping.id, applied);
  await wantLinks(
    uow,
    mapping.id,
    links,
    applied.map(({ external_id }) => external_id),
    due.flatMap((record) => hiddenOf(record, mapping.relations)),
  );
  if (later.length > 0) {
    await writeLater(uow, run.id, later);
    counts['remote_update'] = later.length;
  }
  return counts;
}

function outcomeOf(
  record: DueRecord,
  card: CardView | undefined,
  plan: Plan,
  result: CardResult | undefined,
): RecordOutcome {
  const { id, action, diff, detail } = record;
  const same = { id, action, card_id: card?.id ?? null, diff, detail, reason: null };
  if (plan.kind === 'refused') return { ...same, state: 'failed', reason: plan.reason };
  if (plan.kind === 'conflict')
    return { ...same, state: 'pending', action: 'conflict', diff: plan.diff, reason: 'Both sides have changed.' };
  if (!plan.operation || !result) return { ...same, state: 'applied' };
  if (result.outcome !== 'failed') return { ...same, state: 'applied', card_id: result.id ?? same.card_id };
  const errors = result.errors ?? [];
  const reason =
    storable(errors.map(({ field, reason }) => `${field}: ${reason}`).join('; '), 1_000) ||
    'The card could not be written.';
  const { repeated = 0 } = detail;
  // Changed since it was read: compared again with the next batch.
  if (errors.some(({ field }) => field.endsWith('/version')) && repeated < REPEATS)
    return { ...same, state: 'approved', detail: { ...detail, repeated: repeated + 1 } };
  return { ...same, state: 'failed', reason };
}

function identityOf(
  { external_id, detail, pushed_version }: DueRecord,
  card: CardView | undefined,
  { base, kept, pushes, isOpen: isPostponed }: Extract<Plan, { kind: 'write' }>,
  card_id: string,
  version: number,
): Applied {
  const { digest = '', references_digest = '', agreed_version, has_push } = detail;
  const before = Number(card?.['version']);
  // A card without changes of its own since the last push has none now either.
  const isPushed = card === undefined || pushed_version === before || agreed_version === before;
  const isOpen = pushes.length > 0 || isPostponed || has_push === true;
  return {
    external_id,
    card_id,
    digest,
    references_digest,
    base,
    kept,
    version,
    pushed_version: isOpen ? null : isPushed ? version : pushed_version,
  };
}

const pushOf = (
  { host, mapping }: RunWork,
  { external_id }: DueRecord,
  card: CardView,
  diff: FieldDiff[],
): NewRecord => ({
  id: host.newId(),
  external_id,
  card_id: card.id,
  card_type: mapping.card_type,
  name: card.name,
  action: 'update',
  side: 'cmdb',
  state: 'approved',
  diff,
  detail: {},
  reason: null,
});

const linksOf = (
  { external_id, detail }: DueRecord,
  relations: readonly { key: string; target_table: string }[],
): WantedLink[] =>
  relations.flatMap(({ key, target_table }) =>
    (detail.references?.[key] ?? []).map((target_id) => ({ external_id, map_key: key, target_table, target_id })),
  );

/** The references that the other system does not show of a record. */
const hiddenOf = ({ external_id, detail }: DueRecord, relations: readonly { key: string }[]) =>
  relations.flatMap(({ key }) =>
    detail.references && !Object.hasOwn(detail.references, key) ? [{ external_id, map_key: key }] : [],
  );
