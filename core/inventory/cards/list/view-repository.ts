import { ALL_SEEN, type OthersSql } from '../../access/index.js';

// Most cards have no tag and no stakeholder: EXISTS is cheaper than aggregating an empty set.
/** The tags of the card `c` as JSON text. */
export const TAGS_JSON = `(case when exists (select from card_tags ct where ct.card_id = c.id)
    then (select json_agg(json_build_object('id', t.id, 'group_id', t.group_id, 'name', t.name, 'color', t.color) order by t.name, t.id)
      from card_tags ct join tags t on t.id = ct.tag_id where ct.card_id = c.id)::text else '[]' end)`;
/** The stakeholders of the card `c` as JSON text. */
export const STAKEHOLDERS_JSON = `(case when exists (select from card_stakeholders s where s.card_id = c.id)
    then (select json_agg(json_build_object('id', s.id, 'user_id', s.user_id, 'role', s.role, 'display_name', u.display_name) order by s.role, u.display_name, s.id)
      from card_stakeholders s join users u on u.id = s.user_id where s.card_id = c.id)::text else '[]' end)`;
const pathSql = (ancestor: string): string => `(case when c.parent_id is null then '[]'
    else array_to_json(array(select ${ancestor} from unnest(c.path_ids) with ordinality o(id, n) join cards a on a.id = o.id order by o.n))::text end)`;

const viewColumns = (
  { parent, attributes }: OthersSql,
  path: string,
  tags: string,
  stakeholders: string,
): string => `c.id, c.type, c.subtype, c.name, c.description, ${parent},
  ${path}, cardinality(c.path_ids) + 1, c.lifecycle, ${attributes}, c.status, c.approval_status, c.data_quality, c.external_id, c.alias,
  ${tags}, ${stakeholders},
  c.created_by, c.updated_by, c.archived_at, c.created_at, c.updated_at, c.version, c.open_quality, c.basic_quality`;

/**
 * Columns of a card view, in the order expected by `cardJson`; all are returned as PostgreSQL's text. @param others
 * references to other cards, restricted for the reader
 */
export const viewColumnsFor = (others: OthersSql): string =>
  viewColumns(others, pathSql(others.ancestor), TAGS_JSON, STAKEHOLDERS_JSON);
/** The same for readers without hidden types. */
export const VIEW_COLUMNS = viewColumnsFor(ALL_SEEN);
/** The same for cards inserted by the same statement: they have no tags and no stakeholders yet. */
export const NEW_CARD_COLUMNS = viewColumns(ALL_SEEN, pathSql(ALL_SEEN.ancestor), `'[]'`, `'[]'`);

/** Columns of `cards c` from which the above are built. */
export const KEPT = `c.id, c.type, c.subtype, c.name, c.description, c.parent_id, c.path_ids, c.status, c.approval_status, c.external_id, c.alias,
  c.created_by, c.archived_at, c.created_at`;
/** Those of `card_contents v`. */
export const CHANGING =
  'v.lifecycle, v.attributes, v.data_quality, v.open_quality, v.basic_quality, v.updated_by, v.updated_at, v.version';
/** The same of `card_rows c`. */
export const ROW_COLUMNS = `${KEPT}, ${CHANGING.replaceAll('v.', 'c.')}`;

/** Number of columns of a view. */
export const VIEW_WIDTH = 25;

/**
 * The parts of a view outside the card's row, as the end of its JSON text: names of ancestors, tags, stakeholders; for
 * readers without hidden types.
 */
export const RELATED_JSON = `(',"path":' || ${pathSql(ALL_SEEN.ancestor)} || ',"tags":' || ${TAGS_JSON} || ',"stakeholders":' || ${STAKEHOLDERS_JSON} || '}')`;
