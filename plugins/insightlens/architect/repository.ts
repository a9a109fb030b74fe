import type { Bounded, ListParams, ModuleServices, PageResult, RequestContext, UnitOfWork } from '@lintel/sdk';
import { NOW, type Host } from '../basics.js';
import { MANAGE } from '../permissions.js';
import { namedCards, type Proposal } from './definition.js';

type Db = Pick<ModuleServices['db'], 'query'>;
type Row<T> = T & Record<string, unknown>;
/** Those of a user; only some are deleted after some time. */
export const PROPOSALS: Bounded = {
  table: 'insightlens_proposals',
  author: 'asked_by',
  bounds: [{ per: ['asked_by'], most: 500, of: 'proposals' }],
};
/** The members of a list. */
export type Listed = Pick<
  Proposal,
  'id' | 'title' | 'requirement' | 'state' | 'asked_by' | 'created_at' | 'finished_at' | 'version'
>;

const LISTED = 'p.id, p.title, p.requirement, p.state, p.asked_by, p.created_at, p.finished_at, p.version';
const ALL = `${LISTED}, p.job_id, p.design, p.advice, p.model, p.change_set, p.error, p.outcome, p.committed_by, p.committed_at`;
const SPEC = {
  table: 'insightlens_proposals p',
  id: 'p.id',
  sorts: { created_at: { sql: 'p.created_at', type: 'timestamptz' } },
  defaultSort: 'created_at',
  defaultDir: 'desc',
} as const;
const LOAD = { name: 'insightlens-proposal-load', text: `select ${ALL} from insightlens_proposals p where p.id = $1` };
const LOCK = { name: 'insightlens-proposal-lock', text: `${LOAD.text} for no key update` };
const INSERT = {
  name: 'insightlens-proposal-insert',
  text: `insert into insightlens_proposals (id, state, asked_by, title, requirement) values ($1, 'queued', $2, $3, $4)`,
};
const SET_JOB = {
  name: 'insightlens-proposal-job',
  text: 'update insightlens_proposals set job_id = $2 where id = $1',
};
const SAVE = {
  name: 'insightlens-proposal-save',
  text: `update insightlens_proposals set version = version + 1, state = $2, title = $3, design = $4, advice = $5, model = $6, change_set = $7, error = $8,
      outcome = $9, committed_by = $10, committed_at = case when $2 = 'committed' then coalesce(committed_at, ${NOW}) end,
      finished_at = case when $2 not in ('queued', 'running') then coalesce(finished_at, ${NOW}) end
    where id = $1`,
};
const UNNAME = {
  name: 'insightlens-proposal-unname',
  text: 'delete from insightlens_proposal_cards where proposal_id = $1 and card_id <> all($2::uuid[])',
};
const NAME = {
  name: 'insightlens-proposal-name',
  text: `insert into insightlens_proposal_cards (proposal_id, card_id) select $1, c from unnest($2::uuid[]) c order by c on conflict do nothing`,
};
const CHANGED = {
  name: 'insightlens-proposal-changed',
  text: `select c.id from card_rows c join jsonb_each_text($2::jsonb) v on v.key = c.id::text where c.id = any($1::uuid[]) and c.version <> v.value::integer`,
};
const DELETE_OLD = {
  name: 'insightlens-proposals-delete-old',
  text: `delete from insightlens_proposals where id = any(array(select id from insightlens_proposals
    where state in ('failed', 'cancelled') and created_at < now() - interval '30 days'
      or state = 'ready' and created_at < now() - interval '365 days' limit 1000)) returning id`,
};
const DELETE = { name: 'insightlens-proposal-delete', text: 'delete from insightlens_proposals where id = $1' };

/**
 * The condition under which a proposal exists for the caller: it is the caller's own, or the caller decides on analyses; and all cards
 * that it names are visible, archived ones too.
 */
function visible(host: Host, ctx: RequestContext, bind: (value: unknown) => string): string {
  // A value that is bound but not used would be refused.
  const whose = ctx.permissions.has(MANAGE) ? 'true' : `p.asked_by = ${bind(ctx.actor?.id ?? null)}::uuid`;
  const cards = host.cards.visibleSql(ctx, 'k.card_id', bind);
  return `${whose} and not exists (select from insightlens_proposal_cards k where k.proposal_id = p.id and not (${cards}))`;
}

/** One page of the proposals that the caller sees, the latest first. */
export async function listProposals(
  host: Host,
  ctx: RequestContext,
  params: ListParams,
  state: string | undefined,
): Promise<PageResult<Listed>> {
  const bindings = host.db.bindings();
  const bind = (value: unknown): string => bindings.add(value);
  const where = [visible(host, ctx, bind), ...(state === undefined ? [] : [`p.state = ${bind(state)}`])];
  const scope = JSON.stringify(['proposals', state]);
  return await host.db.readPage<Row<Listed>>({ spec: SPEC, params, where, bindings, scope, columns: LISTED });
}

/** A proposal; undefined if the caller may not see it. */
export async function findProposal(host: Host, ctx: RequestContext, id: string): Promise<Proposal | undefined> {
  const bindings = host.db.bindings();
  const bind = (value: unknown): string => bindings.add(value);
  const text = `select ${ALL} from insightlens_proposals p where p.id = ${bind(id)}::uuid and ${visible(host, ctx, bind)}`;
  return (await host.db.query<Row<Proposal>>({ name: 'insightlens-proposal', text }, bindings.values))[0];
}

/** A proposal without a check of rights: for its job. */
export async function loadProposal(db: Db, id: string): Promise<Proposal | undefined> {
  return (await db.query<Row<Proposal>>(LOAD, [id]))[0];
}

export async function lockProposal(uow: UnitOfWork, id: string): Promise<Proposal | undefined> {
  return (await uow.query<Row<Proposal>>(LOCK, [id]))[0];
}

/** @throws insightlens_proposal_active by the index over active proposals */
export async function insertProposal(
  uow: UnitOfWork,
  { id, asked_by, title, requirement }: Pick<Proposal, 'id' | 'asked_by' | 'title' | 'requirement'>,
): Promise<void> {
  await uow.query(INSERT, [id, asked_by, title, requirement]);
}

export async function setProposalJob(uow: UnitOfWork, id: string, job: string): Promise<void> {
  await uow.query(SET_JOB, [id, job]);
}

/** Stores a proposal with the cards that it names. @param proposal locked */
export async function saveProposal(uow: UnitOfWork, proposal: Proposal): Promise<void> {
  const { id, state, title, design, advice, model, change_set, error, outcome, committed_by } = proposal;
  const json = [design, advice, model, change_set, error, outcome].map((value) => value && JSON.stringify(value));
  await uow.query(SAVE, [id, state, title, ...json, committed_by]);
  const cards = namedCards(design, change_set);
  await uow.query(UNNAME, [id, cards]);
  await uow.query(NAME, [id, cards]);
}

/** Those of the cards that have another version than the one that is given. @param versions by id; of others nothing is known */
export async function changedCards(
  uow: UnitOfWork,
  ids: readonly string[],
  versions: Readonly<Record<string, number>>,
): Promise<Set<string>> {
  const rows = await uow.query<{ id: string }>(CHANGED, [ids, JSON.stringify(versions)]);
  return new Set(rows.map(({ id }) => id));
}

export async function deleteProposal(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(DELETE, [id]);
}

/** Deletes a batch of proposals that were not committed. @returns their number; 0 when none is left */
export async function deleteOldProposals(uow: UnitOfWork): Promise<number> {
  return (await uow.query(DELETE_OLD)).length;
}
