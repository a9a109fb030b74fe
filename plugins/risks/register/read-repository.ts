import type { ListParams, ModuleServices, PageResult } from '@lintel/sdk';
import { ACTIVE, type Status } from '../moves.js';
import type { CardRole, Category, Impact, Level, Probability } from '../scales.js';
import type { CardLinkInput, CardLinkQuery, RiskFilters } from './schemas.js';

type Db = ModuleServices['db'];
export const TODAY = "(statement_timestamp() at time zone 'UTC')::date";
export const OVERDUE = `coalesce(r.target_date < ${TODAY} and r.status in (${ACTIVE.map((status) => `'${status}'`).join(', ')}), false)`;

const COLUMNS = `r.id, r.number, r.title, r.category, r.description, r.initial_probability, r.initial_impact, r.initial_level, r.residual_probability, r.residual_impact, r.residual_level, r.level,
  r.owner_id, r.target_date::text as target_date, r.status, r.acceptance_rationale, r.acceptance_expires_on::text as acceptance_expires_on, r.accepted_by, r.accepted_at, r.closed_at,
  r.created_by, r.created_at, r.updated_at, r.version, ${OVERDUE} as is_overdue,
  coalesce((select jsonb_agg(jsonb_build_object('card_id', c.card_id, 'role', c.role) order by c.card_id) from risks_cards c where c.risk_id = r.id), '[]') as cards,
  (select jsonb_build_object('total', count(*), 'open', count(*) filter (where m.status in ('planned', 'in_progress')),
    'overdue', count(*) filter (where m.status in ('planned', 'in_progress') and m.due_date < ${TODAY})) from risks_mitigations m where m.risk_id = r.id) as mitigations`;
const FIND = { name: 'risks-find', text: `select ${COLUMNS} from risks_register r where r.id = $1` };
const EXISTS = { name: 'risks-exists', text: 'select status from risks_register where id = $1' };
const SPEC = {
  table: 'risks_register r',
  id: 'r.id',
  defaultSort: 'reference',
  sorts: {
    reference: { sql: 'r.number', type: 'integer' },
    title: { sql: 'r.title_key', type: 'text' },
    status: { sql: 'r.status_rank', type: 'integer' },
    category: { sql: 'r.category', type: 'text' },
    level: { sql: 'r.level_rank', type: 'integer', nullable: true },
    target_date: { sql: 'r.target_date', type: 'date', nullable: true },
    created_at: { sql: 'r.created_at', type: 'timestamptz' },
    updated_at: { sql: 'r.updated_at', type: 'timestamptz' },
  },
} as const;
const LINKS = {
  table: 'risks_cards c',
  id: 'c.id',
  defaultSort: 'card_id',
  sorts: { role: { sql: 'c.role', type: 'text', collate: '"C"' }, card_id: { sql: 'c.card_id', type: 'uuid' } },
} as const;

export interface RiskRow {
  id: string;
  number: number;
  title: string;
  category: Category;
  description: string | null;
  initial_probability: Probability | null;
  initial_impact: Impact | null;
  initial_level: Level | null;
  residual_probability: Probability | null;
  residual_impact: Impact | null;
  residual_level: Level | null;
  level: Level | null;
  owner_id: string | null;
  target_date: string | null;
  status: Status;
  acceptance_rationale: string | null;
  acceptance_expires_on: string | null;
  accepted_by: string | null;
  accepted_at: Date | null;
  closed_at: Date | null;
  created_by: string | null;
  created_at: Date;
  updated_at: Date;
  version: number;
  is_overdue: boolean;
  cards: CardLinkInput[];
  mitigations: { total: number; open: number; overdue: number };
}

/** Filters as conditions know them. */
export interface Narrowed extends RiskFilters {
  /** The caller, for `owner=me`. */
  me: string | null;
  /** The search, folded, as single words. */
  words: readonly string[];
  /** SQL of whether the caller sees the card a column names. */
  seesCard(column: string, add: (value: unknown) => string): string;
  /** A card is named that the caller does not see: nothing concerns it. */
  isNothing?: boolean;
}

const JUDGED = [
  'level',
  'initial_level',
  'residual_level',
  'initial_probability',
  'initial_impact',
  'residual_probability',
  'residual_impact',
] as const;

/** Conditions over `risks_register r`. @param add gives the placeholder of a value */
export function conditionsOf(query: Narrowed, add: (value: unknown) => string): string[] {
  const where: string[] = [];
  if (query.isNothing) where.push('false');
  for (const field of ['status', 'category'] as const) {
    const asked = query[field];
    if (asked !== undefined) where.push(`r.${field} = any(${add(asked.split(','))}::text[])`);
  }
  const orNone = (column: string, values: readonly string[], type: string): string => {
    const some = `r.${column} = any(${add(values.filter((value) => value !== 'none'))}::${type}[])`;
    return values.includes('none') ? `(${some} or r.${column} is null)` : some;
  };
  for (const field of JUDGED) {
    const asked = query[field];
    if (asked !== undefined) where.push(orNone(field, asked.split(','), 'text'));
  }
  if (query.owner !== undefined)
    where.push(
      orNone(
        'owner_id',
        query.owner.split(',').flatMap((owner) => (owner === 'me' ? (query.me ?? []) : [owner])),
        'uuid',
      ),
    );
  if (query.card_id !== undefined || query.card_role !== undefined) {
    const links = [
      ...(query.card_id === undefined ? [] : [`c.card_id = ${add(query.card_id)}::uuid`]),
      ...(query.card_role === undefined ? [] : [`c.role = any(${add(query.card_role.split(','))}::text[])`]),
    ];
    links.push(query.seesCard('c.card_id', add));
    where.push(`exists (select from risks_cards c where c.risk_id = r.id and ${links.join(' and ')})`);
  }
  if (query.overdue !== undefined) where.push(`${query.overdue ? '' : 'not '}${OVERDUE}`);
  for (const field of ['created', 'closed'] as const) {
    const [from, to] = [query[`${field}_from`], query[`${field}_to`]];
    if (from !== undefined) where.push(`r.${field}_at >= ${add(from)}::date::timestamp at time zone 'UTC'`);
    if (to !== undefined) where.push(`r.${field}_at < (${add(to)}::date + 1)::timestamp at time zone 'UTC'`);
  }
  for (const word of query.words) where.push(`r.search_text like ${add(`%${word.replace(/[\\%_]/g, '\\$&')}%`)}`);
  return where;
}

export async function findRisk(db: Db, id: string): Promise<RiskRow | undefined> {
  return (await db.query<RiskRow & Record<string, unknown>>(FIND, [id]))[0];
}

export async function statusOf(db: Db, id: string): Promise<Status | undefined> {
  return (await db.query<{ status: Status }>(EXISTS, [id]))[0]?.status;
}

export async function listRisks(db: Db, params: ListParams, query: Narrowed): Promise<PageResult<RiskRow>> {
  const bindings = db.bindings();
  const where = conditionsOf(query, (value) => bindings.add(value));
  const {
    page: _p,
    page_size: _s,
    cursor: _c,
    sort_by: _b,
    sort_dir: _d,
    seesCard: _seen,
    ...filters
  } = query as Narrowed & ListParams;
  return await db.readPage<RiskRow & Record<string, unknown>>({
    spec: SPEC,
    params,
    where,
    bindings,
    scope: JSON.stringify(Object.entries(filters).sort()),
    columns: COLUMNS,
  });
}

/** Links of a risk with cards. @param seen those the caller may see */
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
