import type { Inventory, InventorySql } from '@lintel/sdk';

/** Ids of the current runs of analyses. @param kinds default: of all */
export async function currentRuns(inventory: Inventory, kinds?: readonly string[]): Promise<string[]> {
  const runs = await inventory.query<{ id: string }>(
    'insightlens-current-runs',
    ({ bind }) =>
      `select u.id from insightlens_runs u where u.is_current${kinds ? ` and u.kind = any(${bind([...kinds])}::text[])` : ''}`,
  );
  return runs.map(({ id }) => id);
}

/** The condition that a result `r` is of one of these runs: with their ids, the planner knows how many results they have. */
export const ofRuns = (ids: readonly string[], { bind }: InventorySql): string =>
  `r.run_id = any(${bind([...ids])}::uuid[])`;

/** Keys of card types as a value. */
const typesOf = (types: Iterable<string>, { bind }: InventorySql): string => `${bind([...types])}::text[]`;

/**
 * The condition that the caller sees what the result `r` was concluded from besides its cards. Costs and relations are those of all
 * cards: that a card is among the most expensive ones, that it has no further relation, or that two cards have the same relations, follows
 * from cards which the finding does not name, and which are of any type.
 */
function seesNeeds(inventory: Inventory, { bind }: InventorySql): string {
  const { costs, relatedTypes, seesAllTypes, types } = inventory;
  const isRelated = seesAllTypes && relatedTypes.length === types.size;
  const lacking = [...(costs === 'all' ? [] : ['costs']), ...(isRelated ? [] : ['relations'])];
  return lacking.length === 0 ? 'true' : `not (r.needs && ${bind(lacking)}::text[])`;
}

/** The condition that the caller sees the stakeholders of card `c`, if the result `r` was concluded from them. */
const seesHeld = (held: string): string => `('stakeholders' <> all(r.needs) or c.type = any(${held}))`;

const COLUMNS = ['id', 'type'] as const;

/**
 * SELECT of the findings that the caller may see, in the only file that decides it: a caller sees a finding who sees all its cards,
 * all of them active, and, where the finding needs it, all costs, all relations, and their stakeholders. Columns: those of `insightlens_findings`
 * and `insightlens_results`, and `is_current`. Other queries over results join to it.
 * @param where condition on results `r`, with bound values only
 */
export function visibleFindings(inventory: Inventory, sql: InventorySql, where: string): string {
  const cards = sql.cards({}, {}, COLUMNS);
  const seen = typesOf(inventory.types.keys(), sql);
  const held = typesOf(inventory.stakeholderTypes, sql);
  // The types of its cards exclude most of what the caller does not see. The cards decide, for each row that the list needs: with the id of
  // `f` this is the last condition, tested after those on the finding. As a value, it is not taken for one that few rows meet.
  return `select f.*, r.run_id, r.severity, r.score, r.evidence, r.needs, r.card_count,
      (select u.is_current from insightlens_runs u where u.id = r.run_id) as is_current
    from insightlens_results r join insightlens_findings f on f.id = r.finding_id
    where ${where} and r.types <@ ${seen} and ${seesNeeds(inventory, sql)} and ('stakeholders' <> all(r.needs) or r.types <@ ${held})
      and (select count(*) = r.card_count from insightlens_result_cards k join ${cards} c on c.id = k.card_id
        where k.run_id = r.run_id and k.finding_id = f.id and ${seesHeld(held)})`;
}

/**
 * The same for what reads all findings of runs, with rule, state and severity only: those of one card, which most are, join to it as a whole,
 * in a tenth of the time.
 */
export function allVisibleFindings(inventory: Inventory, sql: InventorySql, runs: readonly string[]): string {
  const cards = sql.cards({}, {}, COLUMNS);
  const held = typesOf(inventory.stakeholderTypes, sql);
  return `select f.rule, f.state, r.severity from insightlens_results r join insightlens_findings f on f.id = r.finding_id
      join insightlens_result_cards k on k.run_id = r.run_id and k.finding_id = r.finding_id join ${cards} c on c.id = k.card_id
      where ${ofRuns(runs, sql)} and r.card_count = 1 and ${seesNeeds(inventory, sql)} and ${seesHeld(held)}
    union all select m.rule, m.state, m.severity from (${visibleFindings(inventory, sql, `${ofRuns(runs, sql)} and r.card_count > 1`)}) m`;
}
