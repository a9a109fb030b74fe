import type { UnitOfWork } from '@lintel/sdk';
import { SEVERITIES, type Need, type NewFinding } from '../analyses/definition.js';
import { NOW, type Host } from '../basics.js';

/** The run that stores findings, and the state of those that no run had before. */
export interface StoringRun {
  runId: string;
  phase: number;
  kind: string;
  state: string;
}

// In the order of the keys, as every other writer of findings, so that two transactions do not wait for each other.
const MAKE = {
  name: 'insightlens-findings-make',
  text: `insert into insightlens_findings (id, kind, rule, key, state)
    select g.id, $2, g.rule, g.key, $3 from jsonb_to_recordset($1::jsonb) as g(id uuid, rule text, key text collate "C") order by g.key
    on conflict (kind, key) do nothing`,
};
// Values of both columns of an index only: joined to a list, all findings of an analysis would be read for each batch where the planner expects few.
const IDS = {
  name: 'insightlens-findings-ids',
  text: 'select key, id from insightlens_findings where kind = $1 and key = any($2::text[])',
};
const STORE = {
  name: 'insightlens-results-store',
  text: `insert into insightlens_results as r (run_id, finding_id, phase, severity, score, evidence, needs, card_count, types)
    select $2, g.id, $3, g.severity, g.score, g.evidence, g.needs, g.card_count,
        array(select distinct c.type from jsonb_to_recordset(g.cards) as k(id uuid) join cards c on c.id = k.id order by c.type)
      from jsonb_to_recordset($1::jsonb) as g(id uuid, severity smallint, score numeric, evidence jsonb, needs text[], card_count smallint, cards jsonb)
    on conflict (run_id, finding_id) do update set phase = excluded.phase, severity = excluded.severity, score = excluded.score,
      evidence = excluded.evidence, needs = excluded.needs, card_count = excluded.card_count, types = excluded.types`,
};
const UNLINK = {
  name: 'insightlens-result-cards-unlink',
  text: 'delete from insightlens_result_cards where run_id = $1 and finding_id = any($2::uuid[])',
};
const LINK = {
  name: 'insightlens-result-cards-link',
  text: `insert into insightlens_result_cards (run_id, finding_id, card_id, role)
    select $2, g.id, c.id, c.role from jsonb_to_recordset($1::jsonb) as g(id uuid, cards jsonb)
      cross join jsonb_to_recordset(g.cards) as c(id uuid, role text)`,
};
const DELETE_PHASE = {
  name: 'insightlens-results-delete-phase',
  text: 'delete from insightlens_results where run_id = $1 and phase = $2',
};
const NEW = {
  name: 'insightlens-findings-new',
  text: `select distinct r.types, r.needs from insightlens_findings f join insightlens_results r on r.finding_id = f.id and r.run_id = $1
    where f.announced_at is null`,
};
const ANNOUNCE = {
  name: 'insightlens-findings-announce',
  // The first ones by id; locked in the order of the keys, as by those who decide about findings.
  text: `with picked as (
      select f.id, f.key, r.needs from insightlens_findings f join insightlens_results r on r.finding_id = f.id and r.run_id = $1
        where f.announced_at is null order by f.id limit $2
    ), locked as (
      select f.id from insightlens_findings f join picked p on p.id = f.id order by p.key, f.id for no key update of f
    ), marked as (
      update insightlens_findings f set announced_at = ${NOW} from locked l where f.id = l.id
    )
    select p.id, p.needs, array(select k.card_id::text from insightlens_result_cards k
      where k.run_id = $1 and k.finding_id = p.id order by k.card_id) as card_ids from picked p order by p.id`,
};

/** Stores findings of a run, which were checked, in five statements. */
export async function storeFindings(
  host: Pick<Host, 'newId'>,
  uow: UnitOfWork,
  { runId, phase, kind, state }: StoringRun,
  findings: readonly NewFinding[],
): Promise<void> {
  const made = findings.map(({ key, rule }) => ({ id: host.newId(), key, rule }));
  await uow.query(MAKE, [JSON.stringify(made), kind, state]);
  const known = await uow.query<{ key: string; id: string }>(IDS, [kind, made.map(({ key }) => key)]);
  const idOf = new Map(known.map(({ key, id }) => [key, id]));
  const given = JSON.stringify(
    findings.map(({ key, severity, score, evidence, needs, cards }) => ({
      ...{ id: idOf.get(key), score, evidence, needs, cards },
      severity: SEVERITIES.indexOf(severity) + 1,
      card_count: cards.length,
    })),
  );
  await uow.query(STORE, [given, runId, phase]);
  await uow.query(UNLINK, [runId, [...idOf.values()]]);
  await uow.query(LINK, [given, runId]);
}

/** Deletes what a phase of a run has stored. */
export async function deletePhase(uow: UnitOfWork, runId: string, phase: number): Promise<void> {
  await uow.query(DELETE_PHASE, [runId, phase]);
}

/** What readers need to see findings of a run that were not announced, each combination once. */
export async function newFindings(uow: UnitOfWork, runId: string): Promise<{ types: string[]; needs: Need[] }[]> {
  return await uow.query<{ types: string[]; needs: Need[] }>(NEW, [runId]);
}

/** Marks findings of a run as announced. @returns those that were not, at most `limit` */
export async function announceFindings(
  uow: UnitOfWork,
  runId: string,
  limit: number,
): Promise<{ id: string; needs: Need[]; card_ids: string[] }[]> {
  return await uow.query(ANNOUNCE, [runId, limit]);
}
