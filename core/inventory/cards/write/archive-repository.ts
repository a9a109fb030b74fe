import { relationSeenSql, type CardVisibility } from '../../access/index.js';
import type { Database } from '../../../foundation/db/database.js';

interface RelatedCard {
  id: string;
  type: string;
  name: string;
  relation_types: string[];
}
export interface ArchiveImpact {
  child_count: number;
  descendant_count: number;
  approved_count: number;
  related: RelatedCard[];
  related_count: number;
}

const RELATED_SHOWN = 200;
/** A hidden card has no relation to see: its type is among those of `$3` too. */
const SEEN = relationSeenSql('$3::text[]');
const IMPACT = {
  name: 'card-archive-impact',
  text: `with card as (select id from cards where id = $1 and type <> all($2::text[])),
    below as (select id, parent_id, approval_status from cards where path_ids @> array[$1::uuid] and status = 'ACTIVE' and type <> all($2::text[])),
    tree as (select id, approval_status from below union all select id, approval_status from cards where id = $1),
    touched as (
      select r.target_id as id, r.type from relations r join tree on tree.id = r.source_id where ${SEEN}
      union select r.source_id, r.type from relations r join tree on tree.id = r.target_id where ${SEEN}),
    outside as (select c.id, c.type, c.name, c.name_key, array_agg(t.type order by t.type) as relation_types from touched t join cards c using (id)
      where c.id not in (select id from tree) group by c.id)
    select (select count(*)::int from below where parent_id = $1) as child_count, (select count(*)::int from below) as descendant_count,
      (select count(*)::int from tree where approval_status = 'APPROVED') as approved_count, (select count(*)::int from outside) as related_count,
      coalesce((select jsonb_agg(jsonb_build_object('id', id, 'type', type, 'name', name, 'relation_types', relation_types) order by name_key, id)
        from (select * from outside order by name_key, id limit ${RELATED_SHOWN}) shown), '[]') as related
    from card`,
};

/**
 * The effects of archiving a card, as far as the reader may see them.
 * @returns undefined if the card does not exist
 */
export async function archiveImpact(
  db: Database,
  id: string,
  { hiddenTypes, relationlessTypes }: Pick<CardVisibility, 'hiddenTypes' | 'relationlessTypes'>,
): Promise<ArchiveImpact | undefined> {
  return (await db.query<ArchiveImpact & Record<string, unknown>>(IMPACT, [id, hiddenTypes, relationlessTypes]))[0];
}
