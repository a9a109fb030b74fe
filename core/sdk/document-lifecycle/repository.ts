import type { PageResult } from '../http.js';
import { checkIdentifiers } from '../identifiers.js';
import type { ListParams, ReadPort, Statement, UnitOfWork } from '../services.js';
import type { LifecycleView } from './schemas.js';
import type { DocumentStatus } from './spec.js';

/** Columns of a locked document that transitions use. */
export interface DocumentRow {
  id: string;
  number: unknown;
  title: string | null;
  status: DocumentStatus;
  revision: number;
  content_hash: string | null;
  created_by: string | null;
  requested_by: string | null;
  version: number;
}
export interface RevisionRow {
  id: string;
  revision: number;
  title: string;
  status: DocumentStatus;
  created_at: Date;
  signed_at: Date | null;
  content_hash: string | null;
}
export interface SignatureRow {
  user_id: string | null;
  status: 'pending' | 'signed';
}
type Row<T> = T & Record<string, unknown>;

const NOW = "date_trunc('milliseconds', clock_timestamp())";
const TOUCH = `version = version + 1, updated_at = greatest(updated_at + interval '1 ms', ${NOW})`;
const time = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The list of the signatories of a document. @param d alias of its table */
const signatories = (prefix: string, d: string): string =>
  `coalesce((select jsonb_agg(jsonb_build_object('user_id', s.user_id, 'display_name', s.display_name, 'status', s.status,
        'signed_at', ${time('s.signed_at')}, 'comment', s.comment) order by s.position)
        from ${prefix}_signatures s where s.document_id = ${d}.id), '[]')`;

/**
 * `LifecycleFields` of a document that is a resource: for its `reads`, so that they are read with the row.
 * @param prefix of the lifecycle
 */
export function lifecycleReads(prefix: string): Record<keyof LifecycleView, string> {
  checkIdentifiers([prefix]);
  const own = ['status', 'revision', 'revision_of', 'content_hash', 'signed_at'] as const;
  const columns = Object.fromEntries(own.map((name) => [name, `r.${name}`])) as Record<(typeof own)[number], string>;
  return { ...columns, signatories: signatories(prefix, 'r') };
}

export interface LifecycleTables {
  prefix: string;
  table: string;
  number: string;
  title: string;
  copied: readonly string[];
}

/** The SQL of one kind of document; its identifiers were checked when it was declared. */
export class LifecycleRepository {
  private readonly sql;
  /** Select list of `LifecycleFields`. */
  readonly columns: (alias: string) => string;

  constructor(private readonly tables: LifecycleTables) {
    const { prefix, table, number, title, copied } = tables;
    const statement = (name: string, text: string): Statement => ({ name: `${table}-lifecycle-${name}`, text });
    this.columns = (
      d,
    ) => `${d}.status, ${d}.revision, ${d}.revision_of, ${d}.content_hash, ${time(`${d}.signed_at`)} as signed_at,
      ${signatories(prefix, d)} as signatories`;
    this.sql = {
      read: statement('read', `select d.id, ${this.columns('d')} from ${table} d where d.id = any($1::uuid[])`),
      lock: statement(
        'lock',
        `select id, ${number} as number, ${title} as title, status, revision, content_hash, created_by, requested_by, version
        from ${table} where id = $1 for no key update`,
      ),
      number: statement('number', `select ${number}::text as number from ${table} where id = $1`),
      submit: statement(
        'submit',
        `update ${table} set status = 'in_review', content_hash = $2, requested_by = $3, ${TOUCH} where id = $1 returning version`,
      ),
      name: statement(
        'name',
        `insert into ${prefix}_signatures (document_id, position, user_id, display_name)
        select $1, n.position, n.user_id, n.display_name from jsonb_to_recordset($2::jsonb) as n(position int, user_id uuid, display_name text)`,
      ),
      back: statement(
        'back',
        `with gone as (delete from ${prefix}_signatures where document_id = $1)
        update ${table} set status = 'draft', content_hash = null, requested_by = null, ${TOUCH} where id = $1 returning version`,
      ),
      signatories: statement(
        'signatories',
        `select user_id, status from ${prefix}_signatures where document_id = $1 order by position`,
      ),
      sign: statement(
        'sign',
        `update ${prefix}_signatures set status = 'signed', signed_at = ${NOW}, comment = $3, content_hash = $4, display_name = $5
        where document_id = $1 and user_id = $2 and status = 'pending'`,
      ),
      touch: statement('touch', `update ${table} set ${TOUCH} where id = $1 returning version`),
      supersede: statement(
        'supersede',
        `update ${table} set status = 'superseded', ${TOUCH} where ${number} = (select d.${number} from ${table} d where d.id = $1) and status = 'signed'
        returning id, ${title} as title, version`,
      ),
      complete: statement(
        'complete',
        `update ${table} set status = 'signed', signed_at = ${NOW}, ${TOUCH} where id = $1 returning version`,
      ),
      open: statement(
        'open',
        `select d.id from ${table} d where d.${number} = (select o.${number} from ${table} o where o.id = $1) and d.status in ('draft', 'in_review')`,
      ),
      revise: statement(
        'revise',
        `insert into ${table} (id, ${number}, revision, revision_of, status, created_by, created_at, updated_at${copied.map((c) => `, ${c}`).join('')})
        select $2, o.${number}, (select max(m.revision) + 1 from ${table} m where m.${number} = o.${number}), o.id, 'draft', $3, ${NOW}, ${NOW}${copied.map((c) => `, o.${c}`).join('')}
        from ${table} o where o.id = $1 returning revision`,
      ),
    };
  }

  /** The lifecycle data of documents, in one statement; unknown ids are omitted. */
  async read(db: Pick<ReadPort, 'query'>, ids: readonly string[]): Promise<Map<string, LifecycleView>> {
    const rows = await db.query<Row<LifecycleView & { id: string }>>(this.sql.read, [ids]);
    return new Map(rows.map(({ id, ...lifecycle }) => [id, lifecycle]));
  }

  async lock(uow: UnitOfWork, id: string): Promise<DocumentRow | undefined> {
    return (await uow.query<Row<DocumentRow>>(this.sql.lock, [id]))[0];
  }

  /** @returns the new version, like the other transitions */
  async submit(
    uow: UnitOfWork,
    id: string,
    hash: string,
    by: string | null,
    signatories: readonly { id: string; display_name: string }[],
  ): Promise<number> {
    const named = signatories.map((s, position) => ({ position, user_id: s.id, display_name: s.display_name }));
    await uow.query(this.sql.name, [id, JSON.stringify(named)]);
    return await this.version(uow, this.sql.submit, [id, hash, by]);
  }

  async backToDraft(uow: UnitOfWork, id: string): Promise<number> {
    return await this.version(uow, this.sql.back, [id]);
  }

  async signatories(uow: UnitOfWork, id: string): Promise<SignatureRow[]> {
    return await uow.query<Row<SignatureRow>>(this.sql.signatories, [id]);
  }

  async sign(
    uow: UnitOfWork,
    id: string,
    signature: { userId: string; name: string; comment: string | null; hash: string },
  ): Promise<void> {
    await uow.query(this.sql.sign, [id, signature.userId, signature.comment, signature.hash, signature.name]);
  }

  async touch(uow: UnitOfWork, id: string): Promise<number> {
    return await this.version(uow, this.sql.touch, [id]);
  }

  async complete(uow: UnitOfWork, id: string): Promise<number> {
    return await this.version(uow, this.sql.complete, [id]);
  }

  /** Marks the signed revision of a document's number as superseded. @returns that revision, if there is one */
  async supersede(
    uow: UnitOfWork,
    id: string,
  ): Promise<{ id: string; title: string | null; version: number } | undefined> {
    return (await uow.query<Row<{ id: string; title: string | null; version: number }>>(this.sql.supersede, [id]))[0];
  }

  /** The id of the draft or document in review of the same number. */
  async openRevision(uow: UnitOfWork, id: string): Promise<string | undefined> {
    return (await uow.query<{ id: string }>(this.sql.open, [id]))[0]?.id;
  }

  /** Inserts the next revision. @returns its revision number */
  async revise(uow: UnitOfWork, from: string, to: string, by: string | null): Promise<number> {
    return (await uow.query<{ revision: number }>(this.sql.revise, [from, to, by]))[0]!.revision;
  }

  /** All revisions of the document's number; undefined if the document does not exist. */
  async revisions(db: ReadPort, id: string, params: ListParams): Promise<PageResult<RevisionRow> | undefined> {
    const { table, number, title } = this.tables;
    const [own] = await db.query<{ number: string }>(this.sql.number, [id]);
    if (!own) return undefined;
    const bindings = db.bindings();
    return await db.readPage<Row<RevisionRow>>({
      spec: {
        table: `${table} d`,
        id: 'd.id',
        sorts: { revision: { sql: 'd.revision', type: 'integer' } },
        defaultSort: 'revision',
        defaultDir: 'desc',
      },
      params,
      bindings,
      where: [`d.${number} = (select o.${number} from ${table} o where o.id = ${bindings.add(id)})`],
      scope: own.number,
      columns: `d.id, d.revision, d.${title} as title, d.status, d.created_at, d.signed_at, d.content_hash`,
    });
  }

  private async version(
    uow: UnitOfWork,
    statement: { name: string; text: string },
    values: unknown[],
  ): Promise<number> {
    return (await uow.query<{ version: number }>(statement, values))[0]!.version;
  }
}
