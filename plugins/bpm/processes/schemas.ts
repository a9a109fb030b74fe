import {
  AnyOf,
  DateOnly,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  SortBy,
  Strict,
  Type,
  Uuid,
  type Static,
} from '@lintel/sdk';
import { TrendView, assessments } from '../assessments/resource.js';
import { ElementView } from '../elements/schemas.js';
import { VersionSummary } from '../versions/schemas.js';

const ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
const FLOW_STATES = ['published', 'pending', 'draft', 'none'] as const;
const Count = (description?: string) => Type.Integer({ minimum: 0, ...(description !== undefined && { description }) });
const Named = { id: Uuid(), name: Type.String() };
const Score = Type.Integer({ minimum: 1, maximum: 5 });

const Flow = Type.Object(
  {
    published: Nullable(Type.Object({ id: Uuid(), revision: Type.Integer(), element_count: Count() })),
    pending_id: Nullable(Uuid()),
    draft_count: Count(),
  },
  { 'x-name': 'BpmFlowState' },
);
const Latest = Nullable(
  Type.Object({ id: Uuid(), assessed_on: DateOnly(), overall: Score }, { 'x-name': 'BpmLatestAssessment' }),
);
const ITEM = {
  ...Named,
  subtype: Nullable(Type.String()),
  status: Type.String({ examples: ['ACTIVE'] }),
  parent_id: Nullable(Uuid()),
  depth: Count('Number of processes above it.'),
  path: Type.Array(Type.Object(Named), { description: 'The processes above it, the highest first.' }),
  child_count: Count('Active processes directly below it.'),
  flow: Flow,
  assessment: Latest,
};
const FLOW = { published: { id: ID, revision: 2, element_count: 12 }, pending_id: null, draft_count: 1 };
const ITEM_EXAMPLE = {
  id: ID,
  name: 'Order to cash',
  subtype: 'process',
  status: 'ACTIVE',
  parent_id: null,
  depth: 0,
  path: [],
  child_count: 3,
  flow: FLOW,
  assessment: { id: ID, assessed_on: '2026-01-15', overall: 3 },
};
export const ProcessItem = Type.Object(ITEM, { 'x-name': 'BpmProcessItem', examples: [ITEM_EXAMPLE] });
export type ProcessItem = Static<typeof ProcessItem>;
export const ProcessPage = Page(ProcessItem);
export const ProcessQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('name', 'element_count', 'overall', 'depth'),
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'As in `GET /cards`.' })),
  status: Type.Optional(OneOf(['ACTIVE', 'ARCHIVED'], { default: 'ACTIVE' })),
  parent_id: Type.Optional(
    Type.String({
      pattern: '^(none|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
      maxLength: 36,
      description: 'Directly below this process; `none`: the highest ones.',
    }),
  ),
  state: Type.Optional(AnyOf(FLOW_STATES)),
  assessed: Type.Optional(Type.Boolean({ description: 'Whether the process has an assessment.' })),
});
export type ProcessQuery = Static<typeof ProcessQuery>;

const Relation = Type.Object(
  {
    id: Uuid({ description: 'Of the relation.' }),
    type: Type.String(),
    card: Type.Object({ ...Named, type: Type.String() }),
  },
  { 'x-name': 'BpmImpliedRelation' },
);
export const ProcessView = Type.Object(
  {
    ...ITEM,
    children: Type.Array(ProcessItem, { description: 'The first 200 active processes directly below it.' }),
    versions: Type.Array(VersionSummary, { description: 'The latest 20; `/flow/versions` lists all.' }),
    version_count: Count(),
    elements: Type.Array(ElementView, {
      description: 'The first 200 elements of the published version, otherwise of the latest; `/elements` lists all.',
    }),
    element_count: Count('Elements of that version.'),
    assessments: Type.Array(assessments.view, { description: 'The latest 20; `/assessments` lists all.' }),
    assessment_count: Count(),
    trend: TrendView,
    relations: Type.Array(Relation, {
      description: 'At most 500 relations that links of the published version imply.',
    }),
  },
  { 'x-name': 'BpmProcess' },
);
