import type { ModuleServices, PageResult, RequestContext, UnitOfWork } from '@lintel/sdk';
import { ACTIVE } from '../moves.js';
import type { CardRole, Matrix } from '../scales.js';
import type { CardLinkQuery } from './schemas.js';

type Db = ModuleServices['db'];
export const TODAY = "(statement_timestamp() at time zone 'UTC')::date";
/** SQL of whether a risk `r` is overdue. */
export const OVERDUE = `coalesce(r.target_date < ${TODAY} and r.status in (${ACTIVE.map((status) => `'${status}'`).join(', ')}), false)`;
/** SQL of how many mitigations a risk `r` has. */
export const MITIGATIONS = `(select jsonb_build_object('total', count(*), 'open', count(*) filter (where m.status in ('planned', 'in_progress')),
  'overdue', count(*) filter (where m.status in ('planned', 'in_progress') and m.due_date < ${TODAY})) from risks_mitigations m where m.risk_id = r.id)`;

const SHARE_MATRIX = { name: 'risks-matrix-share', text: 'select cells from risks_matrix for share' };
const NEXT = { name: 'risks-next', text: 'update risks_counter set last = last + $1 returning last' };
const NUMBER = { name: 'risks-number', text: 'select number from risks_register where id = $1' };
const LINKS = {
  table: 'risks_cards c',
  id: 'c.id',
  defaultSort: 'card_id',
  sorts: { role: { sql: 'c.role', type: 'text', collate: '"C"' }, card_id: { sql: 'c.card_id', type: 'uuid' } },
} as const;

/** The matrix of the levels, locked until the transaction ends. */
export async function shareMatrix(uow: UnitOfWork): Promise<Matrix> {
  return (await uow.query<{ cells: Matrix }>(SHARE_MATRIX))[0]!.cells;
}

/** Takes the next numbers; concurrent transactions wait until this one ends. @returns the first number */
export async function takeNumbers(uow: UnitOfWork, count: number): Promise<number> {
  return (await uow.query<{ last: number }>(NEXT, [count]))[0]!.last - count + 1;
}

/** The number of a risk, also of one that the transaction has created. */
export async function numberOf(uow: UnitOfWork, id: string): Promise<number> {
  return (await uow.query<{ number: number }>(NUMBER, [id]))[0]!.number;
}

/** The links of risks with those of these cards that the caller may see, by number. */
export async function listOfCards(
  host: ModuleServices,
  ctx: RequestContext,
  cardIds: readonly string[],
  limit: number,
): Promise<{ id: string; number: number; title: string; status: string; level: string | null; card_id: string }[]> {
  const bindings = host.db.bindings();
  const bind = (value: unknown): string => bindings.add(value);
  const text = `select r.id, r.number, r.title, r.status, r.level, c.card_id from risks_cards c join risks_register r on r.id = c.risk_id
    where c.card_id = any(${bind(cardIds)}::uuid[]) and ${host.cards.visibleSql(ctx, 'c.card_id', bind)}
    order by r.number, c.card_id limit ${bind(limit)}`;
  return await host.db.query({ name: 'risks-of-cards', text }, bindings.values);
}

/** Links of a risk with cards. @param seen links visible to the caller */
export async function listLinks(
  db: Db,
  query: CardLinkQuery,
  riskId: string,
  seen: readonly string[],
): Promise<PageResult<{ card_id: string; role: CardRole }>> {
  const bindings = db.bindings();
  const where = [`c.risk_id = ${bindings.add(riskId)}`, `c.card_id = any(${bindings.add(seen)}::uuid[])`];
  if (query.role !== undefined) where.push(`c.role = any(${bindings.add(query.role.split(','))}::text[])`);
  return await db.readPage<{ card_id: string; role: CardRole } & Record<string, unknown>>({
    spec: LINKS,
    params: query,
    where,
    bindings,
    scope: JSON.stringify([riskId, query.role]),
    columns: 'c.card_id, c.role',
  });
}
