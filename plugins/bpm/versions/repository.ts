import type { Bounded, ListParams, ModuleServices, PageResult, UnitOfWork } from '@lintel/sdk';
import { NOW, type State } from '../basics.js';
import type { ProblemView } from './schemas.js';

type Db = Pick<ModuleServices['db'], 'query'>;
type Row<T> = T & Record<string, unknown>;

/** Drafts of a process; further versions are made by publishing one after another. */
export const DRAFTS: Bounded = {
  table: 'bpm_versions',
  bounds: [{ per: ['card_id'], most: 500, of: 'drafts of a process', where: "r.state = 'draft'" }],
};

/** What a file says of itself, stored with a version. */
export interface FileFacts {
  file_id: string;
  file_name: string;
  size: number;
  content_hash: string;
  element_count: number;
  error_count: number;
  warning_count: number;
  has_interchange: boolean;
  diagrams: readonly { id: string | null; name: string | null; index: number }[];
  process_ids: readonly string[];
}

/** A stored version. */
export interface VersionRow extends Omit<FileFacts, 'process_ids' | 'diagrams'> {
  id: string;
  card_id: string;
  revision: number;
  state: State;
  title: string;
  comment: string | null;
  source: 'nothing' | 'template' | 'version' | 'upload';
  based_on: string | null;
  frozen_hash: string | null;
  created_by: string | null;
  created_at: Date;
  updated_at: Date;
  submitted_by: string | null;
  submitted_at: Date | null;
  decision: 'approved' | 'rejected' | 'withdrawn' | null;
  decided_by: string | null;
  decided_at: Date | null;
  reason: string | null;
  published_at: Date | null;
  archived_at: Date | null;
  version: number;
}
export type WholeVersion = VersionRow & { diagrams: { id: string | null; name: string | null; index: number }[] };

const COLUMNS = `v.id, v.card_id, v.revision, v.state, v.title, v.comment, v.source, v.based_on, v.file_id, v.file_name, v.size, v.content_hash, v.frozen_hash,
  v.element_count, v.error_count, v.warning_count, v.has_interchange, v.created_by, v.created_at, v.updated_at, v.submitted_by, v.submitted_at,
  v.decision, v.decided_by, v.decided_at, v.reason, v.published_at, v.archived_at, v.version`;
const TOUCH = `version = version + 1, updated_at = greatest(updated_at + interval '1 ms', ${NOW})`;
const FACTS = `file_id = $2, file_name = $3, size = $4, content_hash = $5, element_count = $6, error_count = $7, warning_count = $8, has_interchange = $9,
  diagrams = $10::jsonb, process_ids = $11::text[]`;

const FIND = {
  name: 'bpm-version-find',
  text: `select ${COLUMNS}, v.diagrams from bpm_versions v where v.id = $1 and v.card_id = $2`,
};
const LOCK = {
  name: 'bpm-version-lock',
  text: `select ${COLUMNS} from bpm_versions v where v.id = $1 and v.card_id = $2 for no key update`,
};
const BASE = {
  name: 'bpm-version-base',
  text: `select v.id from bpm_versions v where v.card_id = $1 order by v.state = 'published' desc, v.revision desc limit 1`,
};
const PUBLISHED = {
  name: 'bpm-version-published',
  text: `select ${COLUMNS} from bpm_versions v where v.card_id = $1 and v.state = 'published' for no key update`,
};
const INSERT = {
  name: 'bpm-version-insert',
  text: `insert into bpm_versions (id, card_id, revision, title, comment, source, based_on, template_id, created_by, created_at, updated_at,
      file_id, file_name, size, content_hash, element_count, error_count, warning_count, has_interchange, diagrams, process_ids)
    select $1, $2, coalesce(max(v.revision), 0) + 1, $3, $4, $5, $6, $7, $8, ${NOW}, ${NOW}, $9, $10, $11, $12, $13, $14, $15, $16, $17::jsonb, $18::text[]
    from bpm_versions v where v.card_id = $2 returning revision`,
};
const PATCH = {
  name: 'bpm-version-patch',
  text: `update bpm_versions set title = $2, comment = $3, ${TOUCH} where id = $1 returning version`,
};
const REPLACE = {
  name: 'bpm-version-replace',
  text: `update bpm_versions set ${FACTS}, ${TOUCH} where id = $1 returning version`,
};
const DELETE = { name: 'bpm-version-delete', text: 'delete from bpm_versions where id = $1' };
const SUBMIT = {
  name: 'bpm-version-submit',
  text: `update bpm_versions set state = 'pending', frozen_hash = content_hash, submitted_by = $2, submitted_at = ${NOW}, decision = null, decided_by = null,
      decided_at = null, reason = null, ${TOUCH} where id = $1 returning version`,
};
const BACK = {
  name: 'bpm-version-back',
  text: `update bpm_versions set state = 'draft', frozen_hash = null, submitted_by = null, submitted_at = null, decision = $2, decided_by = $3, decided_at = ${NOW},
      reason = $4, ${TOUCH} where id = $1 returning version`,
};
const PUBLISH = {
  name: 'bpm-version-publish',
  text: `update bpm_versions set state = 'published', decision = 'approved', decided_by = $2, decided_at = ${NOW}, published_at = ${NOW}, ${TOUCH}
    where id = $1 returning version`,
};
const ARCHIVE = {
  name: 'bpm-version-archive',
  text: `update bpm_versions set state = 'archived', archived_at = ${NOW}, ${TOUCH} where id = $1 returning version`,
};
const DROP_PROBLEMS = { name: 'bpm-problems-drop', text: 'delete from bpm_problems where version_id = $1' };
const ADD_PROBLEMS = {
  name: 'bpm-problems-add',
  text: `insert into bpm_problems (id, version_id, position, severity, code, message, line, element_id)
    select p.id, $1, p.position, p.severity, p.code, p.message, p.line, p.element_id
    from jsonb_to_recordset($2::jsonb) as p(id uuid, position int, severity text, code text, message text, line int, element_id text)`,
};
const PROBLEMS = {
  name: 'bpm-problems',
  text: `select severity, code, message, line, element_id from bpm_problems where version_id = $1 and ($3::text is null or severity = $3) order by position limit $2`,
};
const LIST = {
  table: 'bpm_versions v',
  id: 'v.id',
  idType: 'uuid',
  sorts: {
    revision: { sql: 'v.revision', type: 'integer' },
    created_at: { sql: 'v.created_at', type: 'timestamptz' },
    updated_at: { sql: 'v.updated_at', type: 'timestamptz' },
  },
  defaultSort: 'revision',
  defaultDir: 'desc',
} as const;
const PROBLEM_LIST = {
  table: 'bpm_problems p',
  id: 'p.id',
  idType: 'uuid',
  sorts: { position: { sql: 'p.position', type: 'integer' } },
  defaultSort: 'position',
} as const;

export async function findVersion(db: Db, cardId: string, id: string): Promise<WholeVersion | undefined> {
  return (await db.query<Row<WholeVersion>>(FIND, [id, cardId]))[0];
}

export async function lockVersion(uow: UnitOfWork, cardId: string, id: string): Promise<VersionRow | undefined> {
  return (await uow.query<Row<VersionRow>>(LOCK, [id, cardId]))[0];
}

/** The published version of a process, locked. */
export async function lockPublished(uow: UnitOfWork, cardId: string): Promise<VersionRow | undefined> {
  return (await uow.query<Row<VersionRow>>(PUBLISHED, [cardId]))[0];
}

/** The id of the version from which links are carried over to an uploaded one: the published, otherwise the latest. */
export async function findBase(uow: UnitOfWork, cardId: string): Promise<string | null> {
  return (await uow.query<{ id: string }>(BASE, [cardId]))[0]?.id ?? null;
}

export type NewVersion = Pick<
  VersionRow,
  'id' | 'card_id' | 'title' | 'comment' | 'source' | 'based_on' | 'created_by'
> &
  FileFacts & { template_id: string | null };

/** Inserts a draft. @returns its revision */
export async function insertVersion(uow: UnitOfWork, row: NewVersion): Promise<number> {
  const values = [
    ...[row.id, row.card_id, row.title, row.comment, row.source, row.based_on, row.template_id, row.created_by],
    ...factsOf(row),
  ];
  return (await uow.query<{ revision: number }>(INSERT, values))[0]!.revision;
}

const factsOf = (facts: FileFacts): unknown[] => [
  facts.file_id,
  facts.file_name,
  facts.size,
  facts.content_hash,
  facts.element_count,
  facts.error_count,
  facts.warning_count,
  facts.has_interchange,
  JSON.stringify(facts.diagrams),
  facts.process_ids,
];
const versionOf = (rows: { version: number }[]): number => rows[0]!.version;

/** @returns the new version, like the other changes */
export async function patchVersion(
  uow: UnitOfWork,
  id: string,
  { title, comment }: Pick<VersionRow, 'title' | 'comment'>,
): Promise<number> {
  return versionOf(await uow.query<{ version: number }>(PATCH, [id, title, comment]));
}

/** Replaces the file of a draft. */
export async function replaceFile(uow: UnitOfWork, id: string, facts: FileFacts): Promise<number> {
  return versionOf(await uow.query<{ version: number }>(REPLACE, [id, ...factsOf(facts)]));
}

export async function deleteVersion(uow: UnitOfWork, id: string): Promise<void> {
  await uow.query(DELETE, [id]);
}

/** Makes a draft pending, and freezes the hash of its content. */
export async function submitVersion(uow: UnitOfWork, id: string, by: string | null): Promise<number> {
  return versionOf(await uow.query<{ version: number }>(SUBMIT, [id, by]));
}

/** Makes a pending version a draft. */
export async function returnVersion(
  uow: UnitOfWork,
  id: string,
  decision: 'rejected' | 'withdrawn',
  by: string | null,
  reason: string | null,
): Promise<number> {
  return versionOf(await uow.query<{ version: number }>(BACK, [id, decision, by, reason]));
}

export async function publishVersion(uow: UnitOfWork, id: string, by: string | null): Promise<number> {
  return versionOf(await uow.query<{ version: number }>(PUBLISH, [id, by]));
}

export async function archiveVersion(uow: UnitOfWork, id: string): Promise<number> {
  return versionOf(await uow.query<{ version: number }>(ARCHIVE, [id]));
}

/** Replaces the stored problems of a version. @param isNew whether it has none yet */
export async function storeProblems(
  uow: UnitOfWork,
  id: string,
  problems: readonly (ProblemView & { id: string })[],
  isNew: boolean,
): Promise<void> {
  if (!isNew) await uow.query(DROP_PROBLEMS, [id]);
  if (problems.length === 0) return;
  const rows = problems.map((problem, position) => ({ ...problem, position }));
  await uow.query(ADD_PROBLEMS, [id, JSON.stringify(rows)]);
}

/** The first problems of a version. */
export async function readProblems(
  db: Db | UnitOfWork,
  id: string,
  most: number,
  severity: 'error' | null = null,
): Promise<ProblemView[]> {
  return await db.query<Row<ProblemView>>(PROBLEMS, [id, most, severity]);
}

export async function listProblems(
  db: ModuleServices['db'],
  id: string,
  params: ListParams & { severity?: string | undefined },
): Promise<PageResult<ProblemView>> {
  const bindings = db.bindings();
  const where = [`p.version_id = ${bindings.add(id)}`];
  if (params.severity !== undefined)
    where.push(`p.severity = any(${bindings.add(params.severity.split(','))}::text[])`);
  return await db.readPage<Row<ProblemView>>({
    spec: PROBLEM_LIST,
    params,
    where,
    bindings,
    scope: JSON.stringify([id, params.severity]),
    columns: 'p.severity, p.code, p.message, p.line, p.element_id',
  });
}

export async function listVersions(
  db: ModuleServices['db'],
  cardId: string,
  params: ListParams & { state?: string | undefined },
): Promise<PageResult<VersionRow>> {
  const bindings = db.bindings();
  const where = [`v.card_id = ${bindings.add(cardId)}`];
  if (params.state !== undefined) where.push(`v.state = any(${bindings.add(params.state.split(','))}::text[])`);
  return await db.readPage<Row<VersionRow>>({
    spec: LIST,
    params,
    where,
    bindings,
    scope: JSON.stringify([cardId, params.state]),
    columns: COLUMNS,
  });
}
