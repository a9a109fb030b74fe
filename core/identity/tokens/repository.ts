import type { Database } from '../../foundation/db/database.js';
import { Bindings, type ListParams, type Page } from '../../foundation/db/list-query.js';
import { readPage } from '../../foundation/db/list.js';
import type { UnitOfWork } from '../../foundation/db/unit-of-work.js';

const LIVE = 't.ended_at is null and t.expires_at > clock_timestamp()';
const COLUMNS =
  't.id, t.user_id, t.name, t.permissions, t.address_ranges, t.created_by, t.created_at, t.expires_at, t.last_used_at';

const INSERT = {
  name: 'api-token-insert',
  text: `insert into api_tokens (id, user_id, name, permissions, address_ranges, created_by, expires_at) values ($1, $2, $3, $4, $5, $6, $7)`,
};
const COUNT = {
  name: 'api-token-count',
  text: `select count(*)::int as n from api_tokens t where t.user_id = $1 and ${LIVE}`,
};
const FIND = {
  name: 'api-token',
  text: `select ${COLUMNS} from api_tokens t where t.id = $1 and t.user_id = $2 and ${LIVE}`,
};
const END = {
  name: 'api-token-end',
  text: `update api_tokens t set ended_at = clock_timestamp() where t.id = $1 and t.user_id = $2 and ${LIVE} returning t.name`,
};

export interface TokenRow {
  id: string;
  user_id: string;
  name: string;
  permissions: string[];
  address_ranges: string[];
  created_by: string | null;
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
}
type Row = TokenRow & Record<string, unknown>;

export async function insertToken(
  uow: UnitOfWork,
  token: Omit<TokenRow, 'created_at' | 'last_used_at'>,
): Promise<void> {
  await uow.query(INSERT, [
    token.id,
    token.user_id,
    token.name,
    token.permissions,
    token.address_ranges,
    token.created_by,
    token.expires_at,
  ]);
}

/** Number of active tokens of a user. */
export async function countTokens(uow: UnitOfWork, userId: string): Promise<number> {
  return (await uow.query<{ n: number }>(COUNT, [userId]))[0]!.n;
}

/** An active token of a user. */
export async function findToken(
  on: Pick<Database, 'query'>,
  id: string,
  userId: string,
): Promise<TokenRow | undefined> {
  return (await on.query<Row>(FIND, [id, userId]))[0];
}

/** Ends a token of a user. @returns its name; undefined where it was not active */
export async function endToken(uow: UnitOfWork, id: string, userId: string): Promise<string | undefined> {
  return (await uow.query<{ name: string }>(END, [id, userId]))[0]?.name;
}

const SPEC = {
  table: 'api_tokens t',
  id: 't.id',
  defaultSort: 'created_at',
  defaultDir: 'desc',
  sorts: {
    name: { sql: 'lower(t.name)', type: 'text' },
    created_at: { sql: 't.created_at', type: 'timestamptz' },
    expires_at: { sql: 't.expires_at', type: 'timestamptz' },
    last_used_at: { sql: 't.last_used_at', type: 'timestamptz', nullable: true },
  },
} as const;

/** The active tokens of a user. */
export async function listTokens(db: Database, userId: string, query: ListParams): Promise<Page<TokenRow>> {
  const bindings = new Bindings();
  const where = [`t.user_id = ${bindings.add(userId)}`, LIVE];
  return await readPage<Row>(db, {
    spec: SPEC,
    params: query,
    where,
    bindings,
    scope: `tokens ${userId}`,
    columns: COLUMNS,
  });
}
