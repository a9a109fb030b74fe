import type { PageResult, RequestContext } from '@lintel/sdk';
import { SEVERITIES } from '../analyses/definition.js';
import type { Host } from '../basics.js';
import { orderByDependencies } from './order.js';
import { FACTORS } from './reasons.js';
import { readCandidates, readDependencies, type Dependencies, type StoredCandidate } from './repository.js';
import type { CandidateQuery, CandidateView } from './schemas.js';

/** Candidates that are ordered: those with most points. */
const MOST_CANDIDATES = 1_000;

/** What should be modernised, computed from what the caller sees when it is read. */
export class Modernisation {
  constructor(private readonly host: Host) {}

  async list(ctx: RequestContext, query: CandidateQuery): Promise<PageResult<CandidateView>> {
    const [candidates, dependencies] = await this.host.inventory.read(ctx, {}, async (inventory) => {
      const found = await readCandidates(inventory, MOST_CANDIDATES);
      const ids = found.map(({ id }) => id);
      return [found, ids.length === 0 ? undefined : await readDependencies(inventory, ids)] as const;
    });
    return this.host.http.pageOf(ordered(candidates, dependencies), 'id', 'order', query, 'modernisation');
  }
}

/** The candidates by waves; in each, the group with the highest score of a member first. */
function ordered(candidates: readonly StoredCandidate[], dependencies: Dependencies | undefined): CandidateView[] {
  const counts = new Map(dependencies?.counts.map((count) => [count.id, count]));
  const views = new Map(
    candidates.map((candidate) => [candidate.id, viewOf(candidate, dependencies && counts.get(candidate.id))]),
  );
  const groups = dependencies
    ? orderByDependencies([...views.keys()], dependencies.edges)
    : [...views.keys()].map((id) => ({ members: [id], wave: null }));
  const ranked = groups
    .map(({ members, wave }) => {
      const all = members.map((id) => views.get(id)!).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
      return { all, members, wave, score: all[0]!.score, id: members[0]! };
    })
    .sort((a, b) => (a.wave ?? 0) - (b.wave ?? 0) || b.score - a.score || (a.id < b.id ? -1 : 1));
  let order = 0;
  return ranked.flatMap(({ all, members, wave }) =>
    all.map((view) => ({ ...view, order: ++order, wave, cycle: members.length > 1 ? members : [] })),
  );
}

function viewOf(
  { points, reasons, ...candidate }: StoredCandidate,
  count: { dependants: number; dependencies: number } | undefined,
): CandidateView {
  const factor = FACTORS[candidate.criticality ?? ''] ?? 1;
  return {
    ...candidate,
    order: 0,
    wave: null,
    cycle: [],
    score: points * factor,
    effort: count ? (1 + count.dependants + count.dependencies / 2) * factor : null,
    dependants: count?.dependants ?? null,
    dependencies: count?.dependencies ?? null,
    reasons: reasons.map((reason) => ({ ...reason, severity: SEVERITIES[reason.severity - 1]! })),
  };
}
