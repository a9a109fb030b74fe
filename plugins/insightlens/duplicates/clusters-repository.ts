import type { Inventory, InventoryField } from '@lintel/sdk';
import { currentRuns, ofRuns, visibleFindings } from '../findings/visible-repository.js';
import type { ClusterPair } from './clusters.js';
import type { CardFigures } from './recommendation.js';

/** Pairs from which clusters are computed: those with the highest score. */
const MOST_PAIRS = 20_000;

/** The pairs of the current run that the caller sees, the most alike first. */
export async function readPairs(inventory: Inventory): Promise<ClusterPair[]> {
  const runs = await currentRuns(inventory, ['duplicates']);
  return await inventory.query<ClusterPair & Record<string, unknown>>(
    'insightlens-duplicates-pairs',
    (sql) => `select l.id::text as id, l.state, l.score::float8 as score, p.cards[1] as a, p.cards[2] as b
      from (${visibleFindings(inventory, sql, ofRuns(runs, sql))}) l cross join lateral (
        select array_agg(k.card_id::text order by k.card_id) as cards from insightlens_result_cards k
          where k.run_id = l.run_id and k.finding_id = l.id and k.role = 'duplicate') p
      order by l.score desc, l.id limit ${MOST_PAIRS}`,
  );
}

export interface ClusterCard extends CardFigures {
  name: string;
  type: string;
}

/**
 * Names and figures of cards, as the caller sees them.
 * @param fields keys of the attributes with numbers of users, and of those with costs
 */
export async function readFigures(
  inventory: Inventory,
  ids: readonly string[],
  fields: { users: readonly string[]; costs: readonly string[] },
): Promise<Map<string, ClusterCard>> {
  const known = (keys: readonly string[], isCost: boolean): InventoryField[] =>
    keys
      .map((key) => inventory.field(`attributes.${key}`))
      .filter((field) => field !== undefined && field.kind === 'number' && field.isCost === isCost) as InventoryField[];
  const [users, costs] = [known(fields.users, false), known(fields.costs, true)];
  const columns = Object.fromEntries([
    ...users.map((field, i) => [`users_${i}`, field] as const),
    ...costs.map((field, i) => [`cost_${i}`, field] as const),
  ]);
  const sum = (prefix: string, n: number): string => {
    const all = Array.from({ length: n }, (_, i) => `c.${prefix}_${i}`);
    return n === 0
      ? 'null'
      : `case when num_nonnulls(${all.join(', ')}) > 0 then (${all.map((one) => `coalesce(${one}, 0)`).join(' + ')})::float8 end`;
  };
  const rows = await inventory.query<ClusterCard & Record<string, unknown>>('insightlens-duplicates-figures', (sql) => {
    const { cards, relations, bind } = sql;
    const of = bind([...ids]);
    const count =
      inventory.relatedTypes.length === 0
        ? 'null'
        : `(select count(*)::int from ${relations()} r where r.source_id = c.id or r.target_id = c.id)`;
    return `select c.id::text as id, c.name, c.type, c.lifecycle_phase as phase, c.approval_status, c.data_quality::float8 as data_quality,
        ${count} as relations, ${sum('users', users.length)} as users, ${sum('cost', costs.length)} as cost
      from ${cards({}, columns, ['id', 'name', 'type', 'lifecycle_phase', 'approval_status', 'data_quality'])} c where c.id = any(${of}::uuid[])`;
  });
  return new Map(rows.map((row) => [row.id, row]));
}
