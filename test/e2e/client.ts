/**
 * Functions to fill a workspace through the public API; their only import of the project is `@lintel/client`: copy the file
 * together with the script.
 */
import { parseArgs } from 'node:util';
import {
  LintelClient,
  once,
  type CardBulkOperation,
  type CardBulkResult,
  type RelationBulkOperation,
  type RelationBulkResult,
} from '@lintel/client';

/** The largest number of operations in one request. */
const BATCH = 10_000;
/** Longest wait for the answer to such a request. */
const TIMEOUT_MS = 300_000;

/** The key of a card in another system, used instead of its id. */
export interface CardKey {
  type: string;
  external_id: string;
}

/** The wanted state of a card: it is created if its key is new, and changed only where it differs. */
export interface CardUpsert extends CardKey {
  name: string;
  subtype?: string | null;
  alias?: string | null;
  description?: string | null;
  /** Must precede its children, or exist already. */
  parent?: CardKey | null;
  lifecycle?: Record<string, string>;
  attributes?: Record<string, unknown>;
}

export interface RelationUpsert {
  type: string;
  source: CardKey;
  target: CardKey;
  attributes?: Record<string, unknown>;
  description?: string | null;
  /** Dates as YYYY-MM-DD. */
  valid_from?: string | null;
  valid_to?: string | null;
}

export interface Failure<T> {
  operation: T;
  reasons: string[];
}

/** The result of the operations: their number by outcome, and the failed ones. */
export interface Tally<T> {
  outcomes: Record<string, number>;
  failures: Failure<T>[];
}

/** The two bulk endpoints of one workspace. */
export class BulkClient {
  private readonly lintel: LintelClient;

  /** @param url such as `http://127.0.0.1:8920` */
  constructor(url: string, token: string) {
    this.lintel = new LintelClient({ url, token, timeoutMs: TIMEOUT_MS });
  }

  /** Upserts cards; a batch is stored completely or not at all. @throws if one is refused */
  cards(cards: readonly CardUpsert[]): Promise<Tally<CardUpsert>> {
    return this.inBatches(cards, (batch) =>
      this.lintel.post('/cards/bulk', {
        params: { header: once() },
        body: { operations: batch.map((card): CardBulkOperation => ({ op: 'upsert', card })) },
      }),
    );
  }

  /** Upserts relations; those that cannot be stored are in `failures`. */
  relations(relations: readonly RelationUpsert[]): Promise<Tally<RelationUpsert>> {
    return this.inBatches(relations, (batch) =>
      this.lintel.post('/relations/bulk', {
        params: { header: once() },
        body: {
          mode: 'per_row',
          operations: batch.map((relation): RelationBulkOperation => ({ op: 'upsert', ...relation })),
        },
      }),
    );
  }

  private async inBatches<T>(
    all: readonly T[],
    store: (batch: readonly T[]) => Promise<CardBulkResult | RelationBulkResult>,
  ): Promise<Tally<T>> {
    const tally: Tally<T> = { outcomes: {}, failures: [] };
    for (let start = 0; start < all.length; start += BATCH) {
      const batch = all.slice(start, start + BATCH);
      const { results } = await store(batch);
      for (const { index, outcome, errors = [] } of results) {
        tally.outcomes[outcome] = (tally.outcomes[outcome] ?? 0) + 1;
        if (outcome === 'failed')
          tally.failures.push({ operation: batch[index]!, reasons: errors.map((e) => `${e.field} ${e.reason}`) });
      }
    }
    return tally;
  }
}

/** The result of a loader. */
export interface LoadReport {
  cards: Tally<CardUpsert>;
  relations: Tally<RelationUpsert>;
  /** Relations whose target is neither in the data nor in the workspace, which is no error. */
  dangling: RelationUpsert[];
  /** Omitted and corrected values, as text. */
  notes: string[];
}

/** Stores cards, then relations, and separates relations without a target from errors. */
export async function load(
  client: BulkClient,
  cards: CardUpsert[],
  relations: RelationUpsert[],
  notes: string[],
): Promise<LoadReport> {
  const key = ({ type, external_id }: CardKey): string => JSON.stringify([type, external_id]);
  const given = new Set(cards.map(key));
  const stored = await client.cards(cards);
  const related = await client.relations(relations);
  const dangling = related.failures
    .filter(({ operation }) => !given.has(key(operation.target)))
    .map(({ operation }) => operation);
  const failures = related.failures.filter(({ operation }) => given.has(key(operation.target)));
  const { failed: _both, ...outcomes } = related.outcomes;
  if (failures.length > 0) outcomes['failed'] = failures.length;
  return { cards: stored, relations: { outcomes, failures }, dangling, notes };
}

const SHOWN = 5;

/**
 * Runs a loader with `--url`, `--token` (or LINTEL_TOKEN) and `--data`, prints its result, and fails the process if
 * anything other than relations without a target was refused.
 */
export async function runLoader(loader: (client: BulkClient, dataDir: string) => Promise<LoadReport>): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:8920' },
      token: { type: 'string', default: process.env.LINTEL_TOKEN ?? '' },
      data: { type: 'string' },
    },
  });
  if (values.data === undefined) throw new Error('--data is missing: the folder of the data');
  const { cards, relations, dangling, notes } = await loader(new BulkClient(values.url, values.token), values.data);
  const sums = ({ outcomes }: Tally<unknown>): string =>
    Object.entries(outcomes)
      .map(([outcome, n]) => `${n} ${outcome}`)
      .join(', ') || 'none';
  console.log(`cards: ${sums(cards)}`);
  console.log(`relations: ${sums(relations)}`);
  for (const note of notes) console.log(`note: ${note}`);
  if (dangling.length > 0) console.log(`dangling: ${dangling.length} relations to cards that are not there`);
  for (const { type, source, target } of dangling.slice(0, SHOWN))
    console.log(`  ${type}: ${source.external_id} -> ${target.external_id}`);
  for (const { operation, reasons } of relations.failures)
    console.error(`refused: ${JSON.stringify(operation)}: ${reasons.join('; ')}`);
  if (relations.failures.length > 0) process.exitCode = 1;
}
