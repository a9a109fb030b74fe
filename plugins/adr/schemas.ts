import { Nullable, Page, PageQuery, SortBy, Strict, Timestamp, Type, Uuid, type Static } from '@lintel/sdk';

const STATUSES = ['draft', 'in_review', 'signed', 'superseded'] as const;
const Status = () => Type.String({ enum: STATUSES, description: 'A decision begins as a draft; only drafts can be changed.' });
const Title = () => Type.String({ minLength: 1, maxLength: 300, pattern: '^(?!\\s*$)[^\\p{Cc}]*$' });
/** Markdown. */
const Prose = (description: string) => Type.String({ maxLength: 100_000, description });
const Points = (description: string) => Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { maxItems: 100, description });
const Option = Strict({ title: Title(), pros: Points('What speaks for it.'), cons: Points('What speaks against it.') });

const fields = {
  title: Title(),
  context: Nullable(Prose('The problem, in Markdown.')),
  drivers: Points('What the decision is measured by.'),
  options: Type.Array(Option, { maxItems: 50, description: 'The options that were considered.' }),
  decision: Nullable(Prose('What was decided and why, in Markdown.')),
  consequences: Nullable(Prose('What follows from it, in Markdown.')),
  card_ids: Type.Array(Uuid(), { maxItems: 200, uniqueItems: true, description: 'The cards it concerns.' }),
};
const EXAMPLE = {
  title: 'Use PostgreSQL for the order system', context: 'Orders need transactions.', drivers: ['Operations know it'],
  options: [{ title: 'PostgreSQL', pros: ['Transactions'], cons: ['One writer'] }], decision: 'PostgreSQL, because it is known.', consequences: 'One more database to run.', card_ids: [],
};

export const AdrView = Type.Object({
  id: Uuid(),
  number: Type.String({ description: 'Given once, without gaps.' }),
  status: Status(),
  ...fields,
  created_by: Nullable(Uuid()),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  version: Type.Integer({ minimum: 1 }),
}, {
  examples: [{
    id: '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b', number: 'ADR-0001', status: 'draft', ...EXAMPLE, created_by: null,
    created_at: '2026-01-15T10:00:00.000Z', updated_at: '2026-01-15T10:00:00.000Z', version: 1,
  }],
});
export type AdrView = Static<typeof AdrView>;
export const AdrPage = Page(AdrView);

const { title, ...rest } = fields;
export const AdrCreate = Strict({ title, ...Type.Partial(Type.Object(rest)).properties }, { examples: [EXAMPLE] });
export type AdrCreate = Static<typeof AdrCreate>;

export const AdrPatch = Strict({ ...Type.Partial(Type.Object(fields)).properties }, { minProperties: 1, examples: [{ decision: 'PostgreSQL, because it is known.' }] });
export type AdrPatch = Static<typeof AdrPatch>;

export const AdrQuery = Strict({
  ...PageQuery,
  sort_by: SortBy('number', 'title', 'created_at', 'updated_at'),
  status: Type.Optional(Type.String({ maxLength: 100, pattern: `^(${STATUSES.join('|')})(,(${STATUSES.join('|')}))*$`, description: `Any of these by comma: ${STATUSES.join(', ')}.` })),
  card_id: Type.Optional(Uuid({ description: 'Decisions that concern the card.' })),
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Every word must stand in the number, the title or a text.' })),
});
export type AdrQuery = Static<typeof AdrQuery>;

const { card_id: _, ...cardQuery } = AdrQuery.properties;
export const CardAdrQuery = Strict(cardQuery);
