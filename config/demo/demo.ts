import {
  ProblemError,
  once,
  type CardBulkOperation,
  type CardBulkRow,
  type LintelClient,
  type RelationBulkOperation,
  type RelationBulkRow,
} from '@lintel/client';
import type { Landscape } from './landscape.js';
import type { Progress } from './progress.js';

/** Number of results by outcome: created, updated, unchanged, failed. */
export type Tally = Record<string, number>;

export interface DemoReport {
  users: Tally;
  cards: Tally;
  relations: Tally;
  roles: Tally;
  /** Rejected operations, as text. */
  refused: string[];
}

const CARDS_AT_ONCE = 200;
const RELATIONS_AT_ONCE = 400;
/** Maximum number of ids per query. */
const IDS_AT_ONCE = 200;
const REQUESTS_AT_ONCE = 6;

function* batches<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: REQUESTS_AT_ONCE }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}

const count = (tally: Tally, outcome: string): void => {
  tally[outcome] = (tally[outcome] ?? 0) + 1;
};

/** A tally as text: `12 created, 3 unchanged`. */
export const words = (tally: Tally): string =>
  Object.entries(tally)
    .map(([outcome, n]) => `${n} ${outcome}`)
    .join(', ') || 'none';

/**
 * Stores the landscape through the public API. Existing users and cards are matched by e-mail address and external id,
 * and changed only where they differ.
 * @param api logged in as a user who may manage users and cards
 */
export async function storeLandscape(api: LintelClient, landscape: Landscape, progress: Progress): Promise<DemoReport> {
  const report: DemoReport = { users: {}, cards: {}, relations: {}, roles: {}, refused: [] };

  const userIds = new Map<string, string>();
  for await (const { id, email } of api.all('/users')) userIds.set(email, id);
  await eachOf(landscape.users, async (user) => {
    progress.advance('people', 1);
    if (userIds.has(user.email)) return count(report.users, 'unchanged');
    userIds.set(user.email, (await api.post('/users', { params: { header: once() }, body: user })).id);
    count(report.users, 'created');
  });
  progress.stage('people', words(report.users));

  const record = (
    tally: Tally,
    results: readonly (CardBulkRow | RelationBulkRow)[],
    nameOf: (index: number) => string,
  ): void => {
    for (const { index, outcome, errors = [] } of results) {
      count(tally, outcome);
      if (outcome === 'failed')
        report.refused.push(`${nameOf(index)}: ${errors.map((e) => `${e.field} ${e.reason}`).join('; ')}`);
    }
  };
  const cardIds = new Map<string, string>();
  for (const batch of batches(landscape.cards, CARDS_AT_ONCE)) {
    const { results } = await api.post('/cards/bulk', {
      params: { header: once() },
      body: { mode: 'per_row', operations: batch.map((card): CardBulkOperation => ({ op: 'upsert', card })) },
    });
    for (const { index, id } of results)
      if (id !== undefined) cardIds.set(`${batch[index]!.type} ${batch[index]!.external_id}`, id);
    record(report.cards, results, (index) => `${batch[index]!.type} "${batch[index]!.name}"`);
    progress.advance('cards', batch.length);
  }
  progress.stage('cards', words(report.cards));

  for (const batch of batches(landscape.relations, RELATIONS_AT_ONCE)) {
    const { results } = await api.post('/relations/bulk', {
      params: { header: once() },
      body: {
        mode: 'per_row',
        operations: batch.map((relation): RelationBulkOperation => ({ op: 'upsert', ...relation })),
      },
    });
    record(
      report.relations,
      results,
      (index) => `${batch[index]!.type} ${batch[index]!.source.external_id} to ${batch[index]!.target.external_id}`,
    );
    progress.advance('relations', batch.length);
  }
  progress.stage('relations', words(report.relations));

  const wanted = landscape.involvements.map(({ card, email, role }) => ({
    card: cardIds.get(`${card.type} ${card.external_id}`),
    user: userIds.get(email),
    role,
  }));
  const held = new Set<string>();
  for (const ids of batches(
    [...new Set(wanted.map(({ card }) => card).filter((id) => id !== undefined))],
    IDS_AT_ONCE,
  )) {
    for await (const { id, stakeholders = [] } of api.all('/cards', { params: { query: { ids: ids.join() } } }))
      for (const s of stakeholders) held.add(`${id} ${s.user_id} ${s.role}`);
  }
  await eachOf(wanted, async ({ card, user, role }) => {
    progress.advance('roles', 1);
    if (card === undefined || user === undefined) return;
    if (held.has(`${card} ${user} ${role}`)) return count(report.roles, 'unchanged');
    await api.post('/cards/{id}/stakeholders', {
      params: { path: { id: card }, header: once() },
      body: { user_id: user, role },
    });
    count(report.roles, 'created');
  });
  progress.stage('roles', words(report.roles));
  return report;
}

/** Whether a refusal says that the credentials are wrong. */
export const isWrongLogin = (error: unknown): boolean => error instanceof ProblemError && error.status === 401;
