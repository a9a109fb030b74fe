import type { Database } from '../db/database.js';
import { readPage } from '../db/list.js';
import { Bindings, type ListParams, type ListSpec } from '../db/list-query.js';
import type { Page } from '../http/respond.js';

export interface Revision {
  revision: number;
  at: string;
  actor: { id: string; display_name: string } | null;
  change_id: string | null;
  summary: string;
}

const SPEC: ListSpec = {
  table: 'metamodel_revisions r', id: 'r.revision', idType: 'bigint',
  sorts: { revision: { sql: 'r.revision', type: 'bigint' } }, defaultSort: 'revision', defaultDir: 'desc',
};
const COLUMNS = `r.revision::float8 as revision, r.at, r.change_id, r.summary,
  case when r.actor is not null then jsonb_build_object('id', r.actor, 'display_name', coalesce(u.display_name, r.actor_name, '')) end as actor`;

/** The latest changes of the metamodel first. */
export async function listRevisions(db: Database, params: ListParams): Promise<Page<Revision>> {
  const page = await readPage<Omit<Revision, 'at'> & { at: Date }>(db, {
    spec: SPEC, params, where: [], bindings: new Bindings(), scope: '', columns: COLUMNS, joins: 'left join users u on u.id = r.actor',
  });
  return { ...page, items: page.items.map((r) => ({ ...r, at: r.at.toISOString() })) };
}
