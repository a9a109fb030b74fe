import {
  AnyOf,
  DocumentStatusField,
  LIFECYCLE_EXAMPLE,
  LifecycleFields,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  SortBy,
  Strict,
  Timestamp,
  Type,
  Uuid,
  type Static,
} from '@lintel/sdk';

const STATUSES = ['draft', 'in_review', 'signed', 'superseded'] as const;
const RELATIONS = ['supersedes', 'relates_to'] as const;
const Title = () => Type.String({ minLength: 1, maxLength: 300, pattern: '^(?!\\s*$)[^\\p{Cc}]*$' });
/** Markdown. */
const Prose = (description: string) => Type.String({ maxLength: 100_000, description });
const Points = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { maxItems: 100, description });
const Option = Strict({ title: Title(), pros: Points('What speaks for it.'), cons: Points('What speaks against it.') });
const RelationType = () =>
  OneOf(RELATIONS, {
    description: 'A decision that this one supersedes becomes superseded when this one is signed.',
  });

export const RelatedInput = Strict({ type: RelationType(), adr_id: Uuid() });
export type RelatedInput = Static<typeof RelatedInput>;

const fields = {
  title: Title(),
  context: Nullable(Prose('The problem, in Markdown.')),
  drivers: Points('What the decision is measured by.'),
  options: Type.Array(Option, { maxItems: 50, description: 'The options that were considered.' }),
  decision: Nullable(Prose('What was decided and why, in Markdown.')),
  consequences: Nullable(Prose('What follows from it, in Markdown.')),
  card_ids: Type.Array(Uuid(), {
    maxItems: 200,
    uniqueItems: true,
    description: 'The cards it concerns, those the caller sees.',
  }),
};
const related = Type.Array(RelatedInput, {
  maxItems: 200,
  description: 'Other decisions it supersedes or relates to, each once.',
});
const NEIGHBOUR = { adr_id: Uuid(), number: Type.String(), title: Type.String(), status: DocumentStatusField() };
const Related = Type.Object({ type: RelationType(), ...NEIGHBOUR });
const RelatedBy = Type.Object({
  type: OneOf([...RELATIONS, 'superseded_by'], {
    description: 'What the other decision is to this one; `superseded_by`: its file says that this one supersedes it.',
  }),
  ...NEIGHBOUR,
});
export type RelatedBy = Static<typeof RelatedBy>;

const EXAMPLE = {
  title: 'Use PostgreSQL for the order system',
  context: 'Orders need transactions.',
  drivers: ['Operations know it'],
  options: [{ title: 'PostgreSQL', pros: ['Transactions'], cons: ['One writer'] }],
  decision: 'PostgreSQL, because it is known.',
  consequences: 'One more database to run.',
  card_ids: [],
};
const EXAMPLE_ID = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';

export const AdrView = Type.Object(
  {
    id: Uuid(),
    number: Type.String({ description: 'Without gaps; all revisions of a decision have the same one.' }),
    ...LifecycleFields,
    ...fields,
    related: Type.Array(Related, {
      description: 'Other decisions that it supersedes or relates to, with their current status.',
    }),
    related_by: Type.Array(RelatedBy, {
      description:
        'Decisions that refer to this one, and those that supersede it according to its own file. Not part of its content: determined when it is read.',
    }),
    source: Nullable(
      Type.Object(
        {
          collection: Type.String(),
          path: Type.String(),
          status: Nullable(Type.String({ description: 'As the file spells it.' })),
        },
        { description: 'The file it was imported from.' },
      ),
    ),
    created_by: Nullable(Uuid()),
    created_at: Timestamp(),
    updated_at: Timestamp(),
    version: Type.Integer({ minimum: 1 }),
  },
  {
    examples: [
      {
        id: EXAMPLE_ID,
        number: 'ADR-0001',
        ...LIFECYCLE_EXAMPLE,
        ...EXAMPLE,
        related: [],
        related_by: [],
        source: null,
        created_by: null,
        created_at: '2026-01-15T10:00:00.000Z',
        updated_at: '2026-01-15T10:00:00.000Z',
        version: 1,
      },
    ],
  },
);
export type AdrView = Static<typeof AdrView>;
export const AdrPage = Page(AdrView);

const { title, ...rest } = fields;
export const AdrCreate = Strict(
  { title, ...Type.Partial(Type.Object({ ...rest, related })).properties },
  { examples: [EXAMPLE] },
);
export type AdrCreate = Static<typeof AdrCreate>;

export const AdrPatch = Strict(
  { ...Type.Partial(Type.Object({ ...fields, related })).properties },
  { minProperties: 1, examples: [{ decision: 'PostgreSQL, because it is known.' }] },
);
export type AdrPatch = Static<typeof AdrPatch>;

const filters = {
  status: Type.Optional(AnyOf(STATUSES)),
  card_id: Type.Optional(Uuid({ description: 'Decisions that concern the card.' })),
  related_to: Type.Optional(Uuid({ description: 'Decisions that name this one, or that it names.' })),
  awaiting: Type.Optional(Uuid({ description: 'Decisions in review that the user has yet to sign.' })),
  source: Type.Optional(
    Type.String({ maxLength: 100, description: 'Decisions imported from files of the collection.' }),
  ),
  created_from: Type.Optional(
    Type.String({
      format: 'date',
      description: 'Written from, that day (UTC) included; of a revision, when it was begun.',
    }),
  ),
  created_to: Type.Optional(Type.String({ format: 'date', description: 'Written up to, that day (UTC) included.' })),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Every word must occur in the number, the title or a text.',
    }),
  ),
};
export const AdrFilters = Strict(filters);
export type AdrFilters = Static<typeof AdrFilters>;

export const AdrQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('number', 'title', 'created_at', 'updated_at'),
  ...filters,
});
export type AdrQuery = Static<typeof AdrQuery>;

const { card_id: _, ...cardQuery } = AdrQuery.properties;
export const CardAdrQuery = Strict(cardQuery);

const Node = Type.Object({
  id: Uuid(),
  number: Type.String(),
  title: Type.String(),
  status: DocumentStatusField(),
  revision: Type.Integer({ minimum: 1 }),
});
export const AdrGraph = Type.Object(
  {
    nodes: Type.Array(Node, { description: 'Each decision once: its revision in force, or else its latest.' }),
    edges: Type.Array(Type.Object({ source: Uuid(), target: Uuid(), type: RelationType() })),
    statuses: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description: 'How many of the nodes have each status.',
    }),
    is_truncated: Type.Boolean({
      description:
        'Whether there are more than 5,000 decisions or 20,000 relations; the decisions with the latest numbers are shown then, and the relations that these state.',
    }),
  },
  {
    examples: [
      {
        nodes: [{ id: EXAMPLE_ID, number: 'ADR-0001', title: 'Use PostgreSQL', status: 'signed', revision: 1 }],
        edges: [],
        statuses: { draft: 0, in_review: 0, signed: 1, superseded: 0 },
        is_truncated: false,
      },
    ],
  },
);
export type AdrGraph = Static<typeof AdrGraph>;
