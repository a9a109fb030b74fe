import type { ModuleServices, UnitOfWork } from '@lintel/sdk';
import { levelOf, type Matrix } from '../scales.js';
import type { CardLinkInput } from './schemas.js';
import { EDITABLE, referenceOf, type RiskState } from './state.js';

const NOW = "date_trunc('milliseconds', clock_timestamp())";
const STATE = `r.id, r.number, r.version, r.title, r.category, r.description, r.initial_probability, r.initial_impact, r.residual_probability, r.residual_impact, r.owner_id,
  r.target_date::text as target_date, r.status, r.acceptance_rationale as rationale, r.acceptance_expires_on::text as expires_on, r.accepted_by`;
const NEW = `jsonb_to_recordset($1::jsonb) as n(id uuid, number integer, version integer, title text, title_key text, category text, description text, initial_probability text, initial_impact text,
  initial_level text, residual_probability text, residual_impact text, residual_level text, owner_id uuid, target_date date, status text, rationale text, expires_on date, accepted_by uuid,
  search_text text, created_by uuid)`;

const SHARE_MATRIX = { name: 'risks-matrix-share', text: 'select cells from risks_matrix for share' };
const LOCK = {
  name: 'risks-lock',
  text: `select ${STATE} from risks_register r where r.id = any($1::uuid[]) order by r.id for no key update`,
};
// A statement of its own: what others linked while the lock was waited for is seen by it alone.
const LINKS = {
  name: 'risks-links',
  text: 'select risk_id, card_id, role from risks_cards where risk_id = any($1::uuid[]) order by card_id',
};
const NEXT = { name: 'risks-next', text: 'update risks_counter set last = last + $1 returning last' };
const INSERT = {
  name: 'risks-insert',
  text: `insert into risks_register (id, number, version, title, title_key, category, description, initial_probability, initial_impact, initial_level, residual_probability, residual_impact, residual_level,
      owner_id, target_date, status, acceptance_rationale, acceptance_expires_on, accepted_by, accepted_at, closed_at, search_text, created_by, created_at, updated_at)
    select n.id, n.number, n.version, n.title, n.title_key, n.category, n.description, n.initial_probability, n.initial_impact, n.initial_level, n.residual_probability, n.residual_impact, n.residual_level,
      n.owner_id, n.target_date, n.status, n.rationale, n.expires_on, n.accepted_by, case when n.status = 'accepted' then ${NOW} end, case when n.status = 'closed' then ${NOW} end, n.search_text, n.created_by, ${NOW}, ${NOW}
    from ${NEW}`,
};
const UPDATE = {
  name: 'risks-update',
  text: `update risks_register r set version = n.version, title = n.title, title_key = n.title_key, category = n.category, description = n.description,
      initial_probability = n.initial_probability, initial_impact = n.initial_impact, initial_level = n.initial_level,
      residual_probability = n.residual_probability, residual_impact = n.residual_impact, residual_level = n.residual_level, owner_id = n.owner_id, target_date = n.target_date,
      status = n.status, acceptance_rationale = n.rationale, acceptance_expires_on = n.expires_on, accepted_by = n.accepted_by, search_text = n.search_text,
      accepted_at = case when n.status = 'accepted' then coalesce(r.accepted_at, ${NOW}) end, closed_at = case when n.status = 'closed' then coalesce(r.closed_at, ${NOW}) end,
      updated_at = greatest(r.updated_at + interval '1 ms', ${NOW})
    from ${NEW} where r.id = n.id`,
};
const LINK = {
  name: 'risks-link',
  text: `insert into risks_cards (risk_id, card_id, role) select n.risk_id, n.card_id, n.role from jsonb_to_recordset($1::jsonb) as n(risk_id uuid, card_id uuid, role text)
    on conflict (risk_id, card_id) do update set role = excluded.role`,
};
const UNLINK = {
  name: 'risks-unlink',
  text: 'delete from risks_cards c using jsonb_to_recordset($1::jsonb) as n(risk_id uuid, card_id uuid) where c.risk_id = n.risk_id and c.card_id = n.card_id',
};
const REMOVE = { name: 'risks-remove', text: 'delete from risks_register where id = any($1::uuid[])' };
const CARDS_OF = {
  name: 'risks-cards-of',
  text: 'select distinct card_id from risks_cards where risk_id = any($1::uuid[])',
};

/** A link of a risk with a card. */
export interface Link extends CardLinkInput {
  risk_id: string;
}

/** The cards that risks are linked with now. */
export async function cardsOf(db: ModuleServices['db'], ids: readonly string[]): Promise<string[]> {
  return ids.length === 0 ? [] : (await db.query<{ card_id: string }>(CARDS_OF, [ids])).map(({ card_id }) => card_id);
}

/** The matrix levels are of, which stays what it is until the transaction ends. */
export async function shareMatrix(uow: UnitOfWork): Promise<Matrix> {
  return (await uow.query<{ cells: Matrix }>(SHARE_MATRIX))[0]!.cells;
}

/** Locks risks in order of their ids. @returns those there are */
export async function lockRisks(uow: UnitOfWork, ids: readonly string[]): Promise<Map<string, RiskState>> {
  if (ids.length === 0) return new Map();
  const rows = await uow.query<RiskState & Record<string, unknown>>(LOCK, [ids]);
  const risks = new Map(rows.map((row): [string, RiskState] => [row.id, { ...row, cards: [] }]));
  for (const { risk_id, card_id, role } of await uow.query<Link & Record<string, unknown>>(LINKS, [[...risks.keys()]]))
    risks.get(risk_id)?.cards.push({ card_id, role });
  return risks;
}

/** Takes the next numbers; others who want one wait until this transaction ends. @returns the first of them */
export async function takeNumbers(uow: UnitOfWork, count: number): Promise<number> {
  return (await uow.query<{ last: number }>(NEXT, [count]))[0]!.last - count + 1;
}

function columnsOf(host: ModuleServices, matrix: Matrix, risk: RiskState): Record<string, unknown> {
  const columns = Object.fromEntries(EDITABLE.map((field) => [field, risk[field]]));
  return {
    ...columns,
    id: risk.id,
    number: risk.number,
    version: risk.version,
    status: risk.status,
    rationale: risk.rationale,
    expires_on: risk.expires_on,
    accepted_by: risk.accepted_by,
    title_key: host.nameKey(risk.title),
    search_text: host.searchFold([referenceOf(risk.number), risk.title, risk.description ?? ''].join(' ')),
    initial_level: levelOf(matrix, risk.initial_probability, risk.initial_impact),
    residual_level: levelOf(matrix, risk.residual_probability, risk.residual_impact),
  };
}

export async function insertRisks(
  uow: UnitOfWork,
  host: ModuleServices,
  matrix: Matrix,
  risks: readonly RiskState[],
): Promise<void> {
  const created_by = uow.ctx.actor?.id ?? null;
  if (risks.length > 0)
    await uow.query(INSERT, [JSON.stringify(risks.map((risk) => ({ ...columnsOf(host, matrix, risk), created_by })))]);
}

export async function updateRisks(
  uow: UnitOfWork,
  host: ModuleServices,
  matrix: Matrix,
  risks: readonly RiskState[],
): Promise<void> {
  if (risks.length > 0) await uow.query(UPDATE, [JSON.stringify(risks.map((risk) => columnsOf(host, matrix, risk)))]);
}

export async function removeRisks(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await uow.query(REMOVE, [ids]);
}

/** @param put links to make or to give another role */
export async function changeLinks(
  uow: UnitOfWork,
  put: readonly Link[],
  gone: readonly Omit<Link, 'role'>[],
): Promise<void> {
  if (gone.length > 0) await uow.query(UNLINK, [JSON.stringify(gone)]);
  if (put.length > 0) await uow.query(LINK, [JSON.stringify(put)]);
}
