import { timestamp } from '../../../foundation/db/database.js';
import type { Metamodel } from '../../metamodel/index.js';
import { hidesCards, seesCostsOf, type CardVisibility } from '../../access/index.js';
import { lifecyclePhase } from '../types.js';

const STAKEHOLDERS = ',"stakeholders":';
/** The stakeholders within a text of RELATED_JSON. */
export const stakeholdersOf = (relatedJson: string): string =>
  relatedJson.slice(relatedJson.indexOf(STAKEHOLDERS) + STAKEHOLDERS.length, -1);

/** Whether the reader may see the costs of the card; asked only for types that have any. */
export type SeesCosts = (cardId: string, cardType: string) => boolean;

/** For whom cards are read, and under which metamodel. */
export interface Reader {
  metamodel: Metamodel;
  visibility: CardVisibility;
  /** UTC day, YYYY-MM-DD, for the derived lifecycle phase. */
  today: string;
}

const string = (text: string | null): string => (text === null ? 'null' : JSON.stringify(text));
const plain = (text: string | null): string => (text === null ? 'null' : `"${text}"`);
const time = (text: string | null): string => (text === null ? 'null' : `"${timestamp(text)}"`);

/** Leaves cost fields out of an attributes document, where there are any. */
function redact(attributes: string, costKeys: ReadonlySet<string>): string {
  if (![...costKeys].some((key) => attributes.includes(`"${key}"`))) return attributes;
  const values = JSON.parse(attributes) as Record<string, unknown>;
  for (const key of costKeys) delete values[key];
  return JSON.stringify(values);
}

export interface CardJson {
  json: string;
  version: number;
  /** What the view holds beside the version's own content: part of its entity tag. Absent where that is nothing. */
  derived: string | undefined;
  /** The end of the text, which is not of the card's own row, as it is for who may see the stakeholders. */
  relatedJson: string;
}

/**
 * A card as JSON text, straight from the text of its row: nothing is parsed that need not be.
 * @param row columns of VIEW_COLUMNS
 * @param inheritsCosts whether an inherited role above the card opens its costs to the reader
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
  ] = row as [string, string, ...(string | null)[]];
  const costKeys = metamodel.costKeys(type);
  const isOpen = costKeys.size === 0 || seesCostsOf(visibility, type, stakeholders!, inheritsCosts);
  const shown = isOpen ? attributes! : redact(attributes!, costKeys);
  // With costs it would tell whether they are filled.
  const quality = isOpen ? withCosts : withoutCosts;
  const phase = lifecycle === '{}' ? null : lifecyclePhase(JSON.parse(lifecycle!) as Record<string, string>, today);
  const json =
    `{"id":"${id}","type":"${type}","subtype":${string(subtype!)},"name":${string(name!)},"description":${string(description!)}` +
    `,"parent_id":${plain(parent!)},"level":${level},"lifecycle":${lifecycle},"lifecycle_phase":${plain(phase)}` +
    `,"attributes":${shown},"status":"${status}","approval_status":"${approval}","data_quality":${Number(quality)}` +
    `,"external_id":${string(external!)},"alias":${string(alias!)},"created_by":${plain(createdBy!)},"updated_by":${plain(updatedBy!)}` +
    `,"archived_at":${time(archivedAt!)},"created_at":${time(createdAt!)},"updated_at":${time(updatedAt!)},"version":${version}`;
  const relatedJson = `,"path":${path},"tags":${tags}${STAKEHOLDERS}${stakeholders}}`;
  // The tag too must not move with what is not shown.
  const seen = visibility.stakeholderRedactedTypes.has(type) ? `,"path":${path},"tags":${tags}}` : relatedJson;
  // A score follows weights and surroundings without a new version.
  // Whether something was left out is not part of the tag: it would tell that a cost is filled.
  const isPlain = seen === PLAIN && phase === null && Number(quality) === 0 && isOpen && !hidesCards(visibility);
  // Of other cards a view tells by what may be seen of them: with another set of hidden types it is another view.
  const hidden = hidesCards(visibility) ? ` ${visibility.hiddenTypes.join()}` : '';
  return {
    json: json + seen,
    relatedJson,
    version: Number(version),
    derived: isPlain ? undefined : `${seen} ${phase} ${quality} ${!isOpen}${hidden}`,
  };
}

const PLAIN = ',"path":[],"tags":[],"stakeholders":[]}';

/** Which parts of a card are shown: views that differ in it are cached apart. */
export interface Shown {
  costs: boolean;
  stakeholders: boolean;
}

/**
 * Which parts of a card the reader is shown.
 * @param relatedJson text of RELATED_JSON, with the stakeholders of the card
 * @param inheritsCosts whether an inherited role above the card opens its costs to the reader
 */
export const shownTo = ({ visibility }: Reader, type: string, relatedJson: string, inheritsCosts: boolean): Shown => ({
  costs:
    !visibility.costRedactedTypes.has(type) ||
    seesCostsOf(visibility, type, stakeholdersOf(relatedJson), inheritsCosts),
  stakeholders: !visibility.stakeholderRedactedTypes.has(type),
});
