/** Requests for reports that are generated from the catalogue: each parameter with values that may betray something. */
import type { Session } from '../support/app.js';
import type { Query } from './queries.js';

interface Schema {
  type?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  format?: string;
}

/** A report as the catalogue describes it. */
export interface Entry {
  id: string;
  formats: readonly string[];
  parameters: { properties: Record<string, Schema>; required?: readonly string[] };
}

/** What names and ids of the workspace stand in parameters. */
export interface Known {
  /** Of cards, users and relation types that exist, visible and hidden ones. */
  ids: readonly string[];
  types: readonly string[];
  relationTypes: readonly string[];
  fields: readonly string[];
  searches: readonly string[];
  externalIds: readonly string[];
}

/** Values of the required parameters with which a report answers. */
const REQUIRED: Query = {
  field: 'numberOfUsers',
  type: 'Application',
  parent_type: 'Desk',
  relation_type: 'sits',
  row_type: 'Application',
  col_type: 'Desk',
  x: 'subtype',
  y: 'timeModel',
};

const FIELDS = /^(x|y|size|color|color_by|group_by|field|measure)$/;
const TYPES = /(^|_)type$/;
const IDS = /(_id|^ids|^related_to)$/;

/** The values of a parameter that are sent, besides none. */
function valuesOf(name: string, schema: Schema, known: Known): readonly (string | number | boolean)[] {
  if (schema.enum) return schema.enum;
  if (schema.type === 'boolean') return [true, false];
  if (schema.type === 'integer' || schema.type === 'number') return [schema.minimum ?? 0, schema.maximum ?? 1_000];
  if (schema.format === 'date-time') return ['2020-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'];
  if (schema.format === 'date' || name === 'from' || name === 'to') return ['2025-01-01', '2027-12-31'];
  if (/^relation_type$|has_relation$|lacks_relation$/.test(name)) return [...known.relationTypes, 'none'];
  if (name === 'group_by') return [...known.fields, ...known.relationTypes, 'parent', 'type'];
  if (FIELDS.test(name)) return known.fields;
  if (name === 'external_id') return known.externalIds;
  if (TYPES.test(name)) return known.types;
  if (IDS.test(name)) return [...known.ids, 'null', 'me'];
  if (name === 'owner') return [...known.ids, 'me', 'none'];
  if (name.startsWith('stakeholder_role')) return ['responsible', 'observer', 'any'];
  if (name === 'search') return known.searches;
  return OTHER_TEXTS[name] ?? [];
}

const OTHER_TEXTS: Readonly<Record<string, readonly string[]>> = {
  subtype: ['microservice'],
  status: ['ACTIVE,ARCHIVED'],
  approval_status: ['APPROVED', 'DRAFT'],
  lifecycle_phase: ['active', 'none'],
  lang: ['de'],
  category: ['security'],
  card_role: ['affected'],
  tag: ['none'],
};

/** Filters whose names are patterns in the schema. */
const PATTERNED: readonly Query[] = [
  { 'attributes.costTotalAnnual[gte]': 5_000_000 },
  { 'attributes.costTotalAnnual[empty]': 'true' },
  { 'attributes.timeModel': 'invest' },
  { 'attributes.numberOfUsers[lt]': 700 },
  { 'lifecycle.active[lt]': '2020-01-01' },
];

/** Parameters that only change how the same answer is shown; each is asked for once. */
export const SHOWN = ['format', 'width', 'theme', 'as_of'];

/** The query with which a report answers everything it has. */
export function baseOf({ id, parameters: { required = [] } }: Entry, known: Known): Query {
  const base = Object.fromEntries(required.map((name) => [name, REQUIRED[name]!]));
  // It needs a card or a filter, which its schema cannot tell.
  return id === 'dependencies' ? { card_id: known.ids[0]! } : base;
}

/** All requests for a report, the first one without optional parameters. */
export function requestsFor(entry: Entry, known: Known): Query[] {
  const { properties } = entry.parameters;
  const base = baseOf(entry, known);
  const single = Object.entries(properties)
    .filter(([name]) => !SHOWN.includes(name))
    .flatMap(([name, schema]) => valuesOf(name, schema, known).map((value) => ({ ...base, [name]: value })));
  const patterned = 'search' in properties ? PATTERNED.map((filter) => ({ ...base, ...filter })) : [];
  const depends =
    'related_to' in properties
      ? known.ids.map((id) => ({ ...base, related_to: id, direction: 'both', relation_type: 'related' }))
      : [];
  return [base, ...single, ...patterned, ...depends];
}

/** The catalogue as the caller sees it. */
export async function catalogueOf({ api }: Session): Promise<Entry[]> {
  const { body } = await api.get<{ items: Entry[] }>('/reports', { query: { page_size: 200 } });
  return body.items;
}
