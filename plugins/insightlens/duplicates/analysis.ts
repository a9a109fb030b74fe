import { WorkerQueue } from '@lintel/sdk/drawing';
import { MOST_FINDINGS, type Analysis, type AnalysisWork, type NewFinding } from '../analyses/definition.js';
import { readCards, type GroupTypes } from './cards-repository.js';
import { GROUPS, type Answer, type Order, type Pair } from './definition.js';

/** Cards of one page, and of one message to the process. */
const PAGE = 1_000;
/** Cards that the process compares before it answers. */
const STEP = 500;
/** Milliseconds for one order; the first one includes the index over all cards. */
const ORDER_MS = 600_000;
/** Memory of the process in MB: what 200,000 cards need. */
const MEMORY_MB = 768;
export const DUPLICATE = 'duplicate';

/** Where the comparison continues: the type, and the id of the last card that was compared. */
interface Position {
  type: string;
  after: string | null;
}

const severityOf = (score: number): NewFinding['severity'] => (score >= 95 ? 'high' : score >= 88 ? 'medium' : 'low');

function findingOf({ a, b, score, evidence, shared }: Pair): NewFinding {
  const counts = GROUPS.map((group) => [group, shared.filter((one) => one.group === group).length] as const);
  return {
    key: `${DUPLICATE}:${a}:${b}`,
    rule: DUPLICATE,
    severity: severityOf(score),
    score,
    cards: [a, b].map((id) => ({ id, role: DUPLICATE })).concat(shared.map(({ id }) => ({ id, role: 'shared' }))),
    // Also without shared cards: two cards with a relation, or with others than each other's, are no pair.
    needs: ['relations'],
    evidence: { ...evidence, shared: Object.fromEntries(counts.filter(([, count]) => count > 0)) },
  };
}

async function compareType(work: AnalysisWork, type: string, after: string | null, isLast: boolean): Promise<void> {
  const { settings } = work.host;
  const groups: GroupTypes = {
    capabilities: settings().capability_types,
    interfaces: settings().interface_types,
    suppliers: settings().supplier_types,
    users: settings().user_types,
  };
  const worker = new WorkerQueue<Order, Answer>({
    script: new URL('./worker.js', import.meta.url),
    limitMs: ORDER_MS,
    memoryMb: MEMORY_MB,
    isOwn: true,
  });
  const stop = (): void => void worker.close();
  work.signal.addEventListener('abort', stop, { once: true });
  try {
    const ids: string[] = [];
    for (let last: string | null = null; ; ) {
      const cards = await work.read((inventory) => readCards(inventory, { type, groups, after: last, limit: PAGE }));
      if (cards.length === 0) break;
      last = cards.at(-1)!.id;
      for (const { id } of cards) ids.push(id);
      await worker.run({ op: 'add', cards });
    }
    const done = after === null ? 0 : ids.filter((id) => id <= after).length;
    for (let from = done; from < ids.length; from += STEP) {
      const to = Math.min(from + STEP, ids.length);
      const { pairs } = await worker.run({ op: 'match', from, to });
      await storePairs(work, pairs, { type, after: ids[to - 1]! }, isLast ? to / ids.length : undefined);
    }
  } catch (error) {
    // A process that was ended because the run has ended is no failure of its own.
    work.signal.throwIfAborted();
    throw error;
  } finally {
    work.signal.removeEventListener('abort', stop);
    await worker.close();
  }
}

/** Stores the findings of one step; the position with the last of them, so that a step that is interrupted is repeated. */
async function storePairs(
  work: AnalysisWork,
  pairs: readonly Pair[],
  position: Position,
  share: number | undefined,
): Promise<void> {
  for (let i = 0; i === 0 || i < pairs.length; i += MOST_FINDINGS) {
    const isLast = i + MOST_FINDINGS >= pairs.length;
    await work.store(
      pairs.slice(i, i + MOST_FINDINGS).map(findingOf),
      isLast ? { position, ...(share !== undefined && { share }) } : {},
    );
  }
}

/** Cards that are alike, in pairs; clusters are computed when they are read. */
export const duplicates: Analysis = {
  kind: 'duplicates',
  title: 'Duplicates',
  states: {
    initial: 'pending',
    moves: {
      pending: ['investigating', 'confirmed', 'dismissed'],
      investigating: ['pending', 'confirmed', 'dismissed'],
      confirmed: ['investigating', 'dismissed'],
      dismissed: ['investigating'],
    },
    withNote: [],
  },
  phases: [
    {
      key: 'compare',
      async run(work) {
        const types = work.host.settings().duplicate_types;
        const { type: reached, after } = (work.position as Position | null) ?? { type: types[0]!, after: null };
        for (const [i, type] of types.entries()) {
          // The types before were complete; a type that the settings do not have any more is left out.
          if (i < types.indexOf(reached)) continue;
          await compareType(work, type, type === reached ? after : null, i === types.length - 1);
        }
      },
    },
  ],
};
