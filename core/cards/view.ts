import { timestamp } from '../db/database.js';
import type { Metamodel } from '../metamodel/index.js';
import { lifecyclePhase } from './types.js';

/** Columns of a card view, in the order `cardJson` takes them; all arrive as the text PostgreSQL sends. */
export const VIEW_COLUMNS = `c.id, c.type, c.subtype, c.name, c.description, c.parent_id,
  case when c.parent_id is null then '[]' else (select json_agg(a.name order by array_position(c.path_ids, a.id)) from cards a where a.id = any(c.path_ids)) end,
  cardinality(c.path_ids) + 1, c.lifecycle, c.attributes, c.status, c.approval_status, c.data_quality, c.external_id, c.alias,
  (select coalesce(json_agg(json_build_object('id', t.id, 'group_id', t.group_id, 'name', t.name, 'color', t.color) order by t.name), '[]')
    from card_tags ct join tags t on t.id = ct.tag_id where ct.card_id = c.id),
  (select coalesce(json_agg(json_build_object('id', s.id, 'user_id', s.user_id, 'role', s.role, 'display_name', u.display_name) order by s.role, u.display_name), '[]')
    from card_stakeholders s join users u on u.id = s.user_id where s.card_id = c.id),
  c.created_by, c.updated_by, c.archived_at, c.created_at, c.updated_at, c.version`;

/** Number of columns above. */
export const VIEW_WIDTH = 23;

/** Whether the reader may see the costs of the card; asked only for types that have any. */
export type SeesCosts = (cardId: string, cardType: string) => boolean;

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
  const shown = costKeys.size === 0 || seesCosts(id, type) ? { text: attributes!, redacted: false } : redact(attributes!, costKeys);
  const phase = lifecycle === '{}' ? null : lifecyclePhase(JSON.parse(lifecycle!) as Record<string, string>, today);
  const json = `{"id":"${id}","type":"${type}","subtype":${string(subtype!)},"name":${string(name!)},"description":${string(description!)}`
    + `,"parent_id":${plain(parent!)},"path":${path},"level":${level},"lifecycle":${lifecycle},"lifecycle_phase":${plain(phase)}`
    + `,"attributes":${shown.text},"status":"${status}","approval_status":"${approval}","data_quality":${Number(quality)}`
    + `,"external_id":${string(external!)},"alias":${string(alias!)},"tags":${tags},"stakeholders":${stakeholders}`
    + `,"created_by":${plain(createdBy!)},"updated_by":${plain(updatedBy!)},"archived_at":${time(archivedAt!)}`
    + `,"created_at":${time(createdAt!)},"updated_at":${time(updatedAt!)},"version":${version}}`;
  const isPlain = path === '[]' && tags === '[]' && stakeholders === '[]' && phase === null && !shown.redacted;
  return { json, version: Number(version), derived: isPlain ? undefined : `${path} ${tags} ${stakeholders} ${phase} ${quality} ${shown.redacted}` };
}
