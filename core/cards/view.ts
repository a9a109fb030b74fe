import { timestamp } from '../db/database.js';
import type { Metamodel } from '../metamodel/index.js';
import { lifecyclePhase } from './types.js';

// Most cards have no tag and no stakeholder: to see that is cheaper than to aggregate nothing.
const TAGS = `(case when exists (select from card_tags ct where ct.card_id = c.id)
    then (select json_agg(json_build_object('id', t.id, 'group_id', t.group_id, 'name', t.name, 'color', t.color) order by t.name, t.id)
      from card_tags ct join tags t on t.id = ct.tag_id where ct.card_id = c.id)::text else '[]' end)`;
const STAKEHOLDERS = `(case when exists (select from card_stakeholders s where s.card_id = c.id)
    then (select json_agg(json_build_object('id', s.id, 'user_id', s.user_id, 'role', s.role, 'display_name', u.display_name) order by s.role, u.display_name, s.id)
      from card_stakeholders s join users u on u.id = s.user_id where s.card_id = c.id)::text else '[]' end)`;
const PATH = `(case when c.parent_id is null then '[]'
    else (select json_agg(a.name order by array_position(c.path_ids, a.id)) from cards a where a.id = any(c.path_ids))::text end)`;

/** Columns of a card view, in the order `cardJson` takes them; all arrive as the text PostgreSQL sends. */
export const VIEW_COLUMNS = `c.id, c.type, c.subtype, c.name, c.description, c.parent_id,
  ${PATH}, cardinality(c.path_ids) + 1, c.lifecycle, c.attributes, c.status, c.approval_status, c.data_quality, c.external_id, c.alias,
  ${TAGS}, ${STAKEHOLDERS},
  c.created_by, c.updated_by, c.archived_at, c.created_at, c.updated_at, c.version`;

/** What of a row the columns above are made of. */
export const ROW_COLUMNS = `c.id, c.type, c.subtype, c.name, c.description, c.parent_id, c.path_ids, c.lifecycle, c.attributes, c.status, c.approval_status,
  c.data_quality, c.external_id, c.alias, c.created_by, c.updated_by, c.archived_at, c.created_at, c.updated_at, c.version`;

/** Number of columns of a view. */
export const VIEW_WIDTH = 23;

/** What of a view stands outside the card's own row, as the JSON text that ends it: names above, tags, stakeholders. */
export const AROUND = `(',"path":' || ${PATH} || ',"tags":' || ${TAGS} || ',"stakeholders":' || ${STAKEHOLDERS} || '}')`;

/** The stakeholders within a text of AROUND. */
export const stakeholdersOf = (around: string): string => around.slice(around.indexOf(',"stakeholders":') + 16, -1);

/** Whether the reader may see the costs of the card; asked only for types that have any. @param stakeholders JSON text of the view */
export type SeesCosts = (cardId: string, cardType: string, stakeholders?: string) => boolean;

const string = (text: string | null): string => (text === null ? 'null' : JSON.stringify(text));
const plain = (text: string | null): string => (text === null ? 'null' : `"${text}"`);
const time = (text: string | null): string => (text === null ? 'null' : `"${timestamp(text)}"`);

/** Leaves cost fields out of an attributes document, where there are any. */
function redact(attributes: string, costKeys: ReadonlySet<string>): { text: string; redacted: boolean } {
  if (![...costKeys].some((key) => attributes.includes(`"${key}"`))) return { text: attributes, redacted: false };
  const values = JSON.parse(attributes) as Record<string, unknown>;
  for (const key of costKeys) delete values[key];
  return { text: JSON.stringify(values), redacted: true };
}

export interface CardJson {
  json: string;
  version: number;
  /** What the view holds beside the version's own content: part of its entity tag. Absent where that is nothing. */
  derived: string | undefined;
  /** The end of the text, which is not of the card's own row. */
  around: string;
}

/**
 * A card as JSON text, straight from the text of its row: nothing is parsed that need not be.
 * @param row columns of VIEW_COLUMNS
 * @param today UTC day, YYYY-MM-DD, for the derived lifecycle phase
 */
export function cardJson(row: readonly (string | null)[], metamodel: Metamodel, seesCosts: SeesCosts, today: string): CardJson {
  const [id, type, subtype, name, description, parent, path, level, lifecycle, attributes, status, approval, quality, external, alias,
    tags, stakeholders, createdBy, updatedBy, archivedAt, createdAt, updatedAt, version] = row as [string, string, ...(string | null)[]];
  const costKeys = metamodel.costKeys(type);
  const shown = costKeys.size === 0 || seesCosts(id, type, stakeholders!) ? { text: attributes!, redacted: false } : redact(attributes!, costKeys);
  const phase = lifecycle === '{}' ? null : lifecyclePhase(JSON.parse(lifecycle!) as Record<string, string>, today);
  const json = `{"id":"${id}","type":"${type}","subtype":${string(subtype!)},"name":${string(name!)},"description":${string(description!)}`
    + `,"parent_id":${plain(parent!)},"level":${level},"lifecycle":${lifecycle},"lifecycle_phase":${plain(phase)}`
    + `,"attributes":${shown.text},"status":"${status}","approval_status":"${approval}","data_quality":${Number(quality)}`
    + `,"external_id":${string(external!)},"alias":${string(alias!)},"created_by":${plain(createdBy!)},"updated_by":${plain(updatedBy!)}`
    + `,"archived_at":${time(archivedAt!)},"created_at":${time(createdAt!)},"updated_at":${time(updatedAt!)},"version":${version}`;
  const around = `,"path":${path},"tags":${tags},"stakeholders":${stakeholders}}`;
  // A score follows weights and surroundings without a new version.
  const isPlain = around === PLAIN && phase === null && Number(quality) === 0 && !shown.redacted;
  return { json: json + around, around, version: Number(version), derived: isPlain ? undefined : `${around} ${phase} ${quality} ${shown.redacted}` };
}

const PLAIN = ',"path":[],"tags":[],"stakeholders":[]}';
