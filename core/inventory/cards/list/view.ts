import { timestamp } from '../../../foundation/db/database.js';
import type { Metamodel } from '../../metamodel/index.js';
import { hidesCards, seesCostsOf, type CardVisibility } from '../../access/index.js';
import { lifecyclePhase } from '../types.js';

const STAKEHOLDERS = ',"stakeholders":';
/** The stakeholders within a text of RELATED_JSON. */
const stakeholdersOf = (relatedJson: string): string =>
  relatedJson.slice(relatedJson.indexOf(STAKEHOLDERS) + STAKEHOLDERS.length, -1);

/** The reader of cards, and the metamodel used. */
export interface Reader {
  metamodel: Metamodel;
  visibility: CardVisibility;
  /** UTC day, YYYY-MM-DD, for the derived lifecycle phase. */
  today: string;
}

const string = (text: string | null): string => (text === null ? 'null' : JSON.stringify(text));
const plain = (text: string | null): string => (text === null ? 'null' : `"${text}"`);
const time = (text: string | null): string => (text === null ? 'null' : `"${timestamp(text)}"`);

/** Removes cost fields from an attributes document, if there are any. */
function redact(attributes: string, costKeys: ReadonlySet<string>): string {
  if (![...costKeys].some((key) => attributes.includes(`"${key}"`))) return attributes;
  const values = JSON.parse(attributes) as Record<string, unknown>;
  for (const key of costKeys) delete values[key];
  return JSON.stringify(values);
}

export interface CardJson {
  json: string;
  version: number;
  /** The parts of the view that are not covered by the version, included in the ETag; absent where there are none. */
  derived: string | undefined;
  /** The end of the JSON text with the parts outside the row, including stakeholders. */
  relatedJson: string;
}

/**
 * A card as JSON text, built from the text of its row without parsing where possible.
 * @param row columns of VIEW_COLUMNS
 * @param inheritsCosts whether an inherited role above the card permits the reader to see its costs
 */
export function cardJson(
  row: readonly (string | null)[],
  { metamodel, visibility, today }: Reader,
  inheritsCosts: boolean,
): CardJson {
  const [
    id,
    type,
    subtype,
    name,
    description,
    parent,
    path,
    level,
    lifecycle,
    attributes,
    status,
    approval,
    withCosts,
    external,
    alias,
    tags,
    stakeholders,
    createdBy,
    updatedBy,
    archivedAt,
    createdAt,
    updatedAt,
    version,
    withoutCosts,
    basic,
  ] = row as [string, string, ...(string | null)[]];
  const costKeys = metamodel.costKeys(type);
  const isOpen = seesCostsOf(visibility, type, stakeholders!, inheritsCosts);
  const shown = isOpen ? attributes! : redact(attributes!, costKeys);
  // A score that includes what is hidden would reveal whether it is there.
  const quality = visibility.basicScoreTypes.has(type) ? basic : isOpen ? withCosts : withoutCosts;
  const phase = lifecycle === '{}' ? null : lifecyclePhase(JSON.parse(lifecycle!) as Record<string, string>, today);
  const json =
    `{"id":"${id}","type":"${type}","subtype":${string(subtype!)},"name":${string(name!)},"description":${string(description!)}` +
    `,"parent_id":${plain(parent!)},"level":${level},"lifecycle":${lifecycle},"lifecycle_phase":${plain(phase)}` +
    `,"attributes":${shown},"status":"${status}","approval_status":"${approval}","data_quality":${Number(quality)}` +
    `,"external_id":${string(external!)},"alias":${string(alias!)},"created_by":${plain(createdBy!)},"updated_by":${plain(updatedBy!)}` +
    `,"archived_at":${time(archivedAt!)},"created_at":${time(createdAt!)},"updated_at":${time(updatedAt!)},"version":${version}`;
  const relatedJson = `,"path":${path},"tags":${tags}${STAKEHOLDERS}${stakeholders}}`;
  // The ETag must not change with parts that are not shown.
  const seen = visibility.stakeholderRedactedTypes.has(type) ? `,"path":${path},"tags":${tags}}` : relatedJson;
  // Scores change with weights and relations without a new version. Whether something was omitted is not part of the
  // ETag, because it would reveal that a cost field is filled.
  const isPlain = seen === PLAIN && phase === null && Number(quality) === 0 && isOpen && !hidesCards(visibility);
  // The references to other cards depend on the hidden types, so these are part of the ETag.
  const hidden = hidesCards(visibility) ? ` ${visibility.hiddenTypes.join()}` : '';
  return {
    json: json + seen,
    relatedJson,
    version: Number(version),
    derived: isPlain ? undefined : `${seen} ${phase} ${quality} ${!isOpen}${hidden}`,
  };
}

const PLAIN = ',"path":[],"tags":[],"stakeholders":[]}';

/** The parts of a card that are included: views with different parts are cached separately. */
export interface Shown {
  costs: boolean;
  stakeholders: boolean;
  /** Whether all relations, stakeholders and references that count in the score are visible. */
  wholeScore: boolean;
}

/**
 * The parts of a card that the reader may see.
 * @param relatedJson text of RELATED_JSON, with the stakeholders of the card
 * @param inheritsCosts whether an inherited role above the card permits the reader to see its costs
 */
export const shownTo = ({ visibility }: Reader, type: string, relatedJson: string, inheritsCosts: boolean): Shown => ({
  costs:
    !visibility.costRedactedTypes.has(type) ||
    seesCostsOf(visibility, type, stakeholdersOf(relatedJson), inheritsCosts),
  stakeholders: !visibility.stakeholderRedactedTypes.has(type),
  wholeScore: !visibility.basicScoreTypes.has(type),
});
