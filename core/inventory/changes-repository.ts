import type { UnitOfWork } from '../foundation/db/unit-of-work.js';
import type { Change } from './changes.js';

const since = (kind: 'card' | 'relation') => ({
  name: `${kind}-changes-since`,
  text: `select c.field, c.old, c.new from ${kind}_versions v, jsonb_to_recordset(v.changes) as c(field text, old jsonb, new jsonb)
    where v.id = $1 and v.version > $2 order by v.version`,
});
const CHANGES_SINCE = { card: since('card'), relation: since('relation') };

/** The changes of a card or a relation after a version, in their order. */
export async function changesSince(
  uow: UnitOfWork,
  kind: keyof typeof CHANGES_SINCE,
  id: string,
  version: number,
): Promise<Change[]> {
  return uow.query<Change & Record<string, unknown>>(CHANGES_SINCE[kind], [id, version]);
}
