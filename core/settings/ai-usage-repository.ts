import type { Database } from '../foundation/db/database.js';
import { readPage } from '../foundation/db/list.js';
import { Bindings, type ListSpec, type Page } from '../foundation/db/list-query.js';
import type { AiCallDetail, AiCallQuery, AiCallView } from './ai-usage-schemas.js';

const SPEC: ListSpec = {
  table: 'ai_calls c',
  id: 'c.id',
  sorts: { created_at: { sql: 'c.created_at', type: 'timestamptz' } },
  defaultSort: 'created_at',
  defaultDir: 'desc',
};
// A request whose node is gone has no end: it has failed when its reservation expires.
const STATE = `case when c.state = 'open' and c.expires_at <= clock_timestamp() then 'failed' else c.state end`;
// The provider may have answered it.
const COST = `case when c.state = 'open' and c.expires_at <= clock_timestamp() then c.reserved else c.cost end`;
const COLUMNS = `c.id, c.module, c.purpose, c.user_id, c.provider, c.model, ${STATE} as state, c.reason, c.detail, (${COST})::float8 as cost,
  c.input_tokens, c.output_tokens, c.is_estimated, c.attempts, c.created_at, c.finished_at`;
const READ = { name: 'ai-call-read', text: `select ${COLUMNS}, c.prompt, c.answer from ai_calls c where c.id = $1` };
const SPENT = {
  name: 'ai-spent',
  text: `select to_char(m.month, 'YYYY-MM') as month, coalesce(sum(${COST}), 0)::float8 as spent,
      coalesce(sum(reserved) filter (where state = 'open' and expires_at > clock_timestamp()), 0)::float8 as reserved,
      count(c.id)::int as calls, coalesce(sum(input_tokens), 0)::float8 as input_tokens, coalesce(sum(output_tokens), 0)::float8 as output_tokens
    from (select date_trunc('month', clock_timestamp() at time zone 'UTC')::date as month) m left join ai_calls c on c.month = m.month
    group by m.month`,
};

/** Usage of the current month. */
export interface Spent {
  month: string;
  spent: number;
  reserved: number;
  calls: number;
  input_tokens: number;
  output_tokens: number;
}
type Times = { created_at: Date; finished_at: Date | null };
type Stored<V> = Omit<V, keyof Times> & Times & Record<string, unknown>;

const viewOf = <V extends AiCallView>(row: Stored<V>): V =>
  ({
    ...row,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }) as unknown as V;

export async function spentThisMonth(db: Database): Promise<Spent> {
  return (await db.query<Spent & Record<string, unknown>>(SPENT))[0]!;
}

/** One page of the requests, latest first. */
export async function listCalls(db: Database, { module, state, ...params }: AiCallQuery): Promise<Page<AiCallView>> {
  const bindings = new Bindings();
  const where: string[] = [];
  if (module !== undefined) where.push(`c.module = ${bindings.add(module)}`);
  if (state !== undefined) where.push(`${STATE} = ${bindings.add(state)}`);
  const scope = JSON.stringify(['ai calls', module, state]);
  const page = await readPage<Stored<AiCallView>>(db, { spec: SPEC, params, where, bindings, scope, columns: COLUMNS });
  return { ...page, items: page.items.map((row) => viewOf<AiCallView>(row)) };
}

export async function readCall(db: Database, id: string): Promise<AiCallDetail | undefined> {
  const [row] = await db.query<Stored<AiCallDetail>>(READ, [id]);
  return row && viewOf<AiCallDetail>(row);
}
