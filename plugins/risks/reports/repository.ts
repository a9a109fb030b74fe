import type { ModuleServices } from '@lintel/sdk';
import { OVERDUE } from '../register/repository.js';
import type { Impact, Kind, Matrix, Probability } from '../scales.js';

type Db = ModuleServices['db'];
type Bindings = ReturnType<Db['bindings']>;
type Counts = Record<string, number>;

interface Figures {
  total: number;
  overdue: number;
  by_status: Counts;
  /** By level, `none` without a level. */
  by_level: Counts;
  by_category: Counts;
  by_owner: { owner_id: string | null; count: number }[];
  owners: number;
  /** By month, YYYY-MM. */
  opened: Counts;
  closed: Counts;
}

interface MatrixCell {
  probability: Probability | null;
  impact: Impact | null;
  count: number;
  /** The first few, by number. */
  risks: { id: string; number: number; title: string }[];
}

const grouped = (key: string): string =>
  `coalesce((select jsonb_object_agg(key, n) from (select ${key} as key, count(*) as n from r where ${key} is not null group by 1) g), '{}')`;

/**
 * All metrics of the matching risks, from one snapshot.
 * @param where conditions over `risks_register r`, bound in `bindings`
 * @param owners maximum number of owners
 */
export async function readFigures(
  db: Db,
  where: readonly string[],
  bindings: Bindings,
  owners: number,
): Promise<Figures> {
  const text = `with r as materialized (select r.status, r.category, coalesce(r.level, 'none') as level, r.owner_id, ${OVERDUE} as is_overdue,
      to_char(r.created_at at time zone 'UTC', 'YYYY-MM') as opened, to_char(r.closed_at at time zone 'UTC', 'YYYY-MM') as closed
      from risks_register r${where.length > 0 ? ` where ${where.join(' and ')}` : ''})
    select (select count(*)::int from r) as total, (select count(*)::int from r where is_overdue) as overdue,
      ${grouped('status')} as by_status, ${grouped('level')} as by_level, ${grouped('category')} as by_category, ${grouped('opened')} as opened, ${grouped('closed')} as closed,
      (select count(distinct owner_id)::int from r) as owners,
      coalesce((select jsonb_agg(jsonb_build_object('owner_id', owner_id, 'count', n)) from
        (select owner_id, count(*) as n from r group by owner_id order by n desc, owner_id limit ${bindings.add(owners)}) o), '[]') as by_owner`;
  return (await db.query<Figures & Record<string, unknown>>({ name: '', text }, bindings.values))[0]!;
}

/**
 * The number of risks in each cell of the matrix, and the matrix of their levels.
 * @param where conditions over `risks_register r`, bound in `bindings`
 * @param named maximum number of risks listed per cell
 */
export async function readMatrix(
  db: Db,
  where: readonly string[],
  bindings: Bindings,
  kind: Kind,
  named: number,
): Promise<{ matrix: Matrix; cells: MatrixCell[] }> {
  const text = `with placed as materialized (select r.id, r.number, r.title, r.${kind}_probability as probability, r.${kind}_impact as impact,
      row_number() over (partition by r.${kind}_probability, r.${kind}_impact order by r.number) as place
      from risks_register r${where.length > 0 ? ` where ${where.join(' and ')}` : ''}),
    cells as (select probability, impact, count(*) as count,
      coalesce(jsonb_agg(jsonb_build_object('id', id, 'number', number, 'title', title) order by number) filter (where place <= ${bindings.add(named)}), '[]') as risks from placed group by 1, 2)
    select m.cells as matrix, coalesce((select jsonb_agg(to_jsonb(c)) from cells c), '[]') as cells from risks_matrix m`;
  return (await db.query<{ matrix: Matrix; cells: MatrixCell[] }>({ name: '', text }, bindings.values))[0]!;
}
