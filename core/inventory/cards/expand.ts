import type { FieldError } from '@lintel/sdk';
import { Type } from 'typebox';
import { invalid } from '../../foundation/errors.js';
import { DateOnly, Nullable, OneOf, Uuid } from '../../foundation/http/schemas.js';
import { commaSeparated } from './comma-separated.js';

/** Maximum number of cards, or of relations, in one expansion of a card. */
export const MOST_EXPANDED = 50;
/** Maximum page size of a list with `expand`: 200 cards could have 20,000 rows in their expansions. */
export const MAX_EXPANDED_PAGE = 50;

/**
 * The schema of the parameter `expand`.
 * @param what each expansion adds, as text in Markdown
 * @param example a value
 */
export const Expand = (what: string, example: string) =>
  Type.Optional(
    Type.String({
      maxLength: 200,
      description: `Adds further data, comma separated: ${what} In a list, \`page_size\` is then at most ${MAX_EXPANDED_PAGE}.`,
      examples: [example],
    }),
  );

/** A card by its name. */
export const CardName = Type.Object({ id: Uuid(), type: Type.String(), name: Type.String() }, { 'x-name': 'CardName' });
const Truncated = Type.Boolean({ description: `Whether there are more than these ${MOST_EXPANDED}.` });

/** Members of a card that are only included with `expand`. */
export const EXPANDED = {
  relations: Type.Optional(
    Type.Object(
      {
        items: Type.Array(
          Type.Object(
            {
              id: Uuid(),
              type: Type.String(),
              direction: OneOf(['outgoing', 'incoming']),
              valid_from: Nullable(DateOnly()),
              valid_to: Nullable(DateOnly()),
              card: CardName,
            },
            { 'x-name': 'ExpandedRelation' },
          ),
          { description: 'In the order of `GET /relations?card_id=<id>&sort_by=type`.' },
        ),
        truncated: Truncated,
      },
      { 'x-name': 'ExpandedRelations', description: 'With `expand=relations`: the first relations to active cards.' },
    ),
  ),
  parent: Type.Optional(
    Type.Union([CardName, Type.Null()], {
      description: 'With `expand=parent`; null if there is none, or it is hidden from the reader.',
    }),
  ),
  children: Type.Optional(
    Type.Object(
      {
        items: Type.Array(CardName, { description: 'In the order of `GET /cards?parent_id=<id>`.' }),
        truncated: Truncated,
      },
      { 'x-name': 'ExpandedChildren', description: 'With `expand=children`: the first active children.' },
    ),
  ),
};

/**
 * Parses the `expand` parameter.
 * @param names the expansions of the resource
 * @throws a 422 listing all unknown names, and a page size that is too large
 */
export function expansionsOf<T extends string>(
  query: { expand?: string | undefined; page_size?: number | undefined },
  names: readonly T[],
): ReadonlySet<T> {
  const given = query.expand === undefined ? [] : commaSeparated(query.expand);
  const unknown = given.filter((name) => !names.includes(name as T));
  const errors: FieldError[] = [];
  if (unknown.length > 0)
    errors.push({
      field: 'expand',
      reason: `${unknown.join(', ')}: no expansion; these are ${names.join(', ')}`,
      in: 'query',
    });
  if (given.length > 0 && (query.page_size ?? 0) > MAX_EXPANDED_PAGE)
    errors.push({ field: 'page_size', reason: `must be at most ${MAX_EXPANDED_PAGE} with expand`, in: 'query' });
  if (errors.length > 0) throw invalid(...errors);
  return new Set(given as T[]);
}
