import { Type } from '@lintel/sdk';

/** A card in an answer. */
export const Named = Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() });
export const Count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description !== undefined && { description }) });
/** A number with the list that it counts. */
export const Counted = Type.Object({
  count: Count(),
  href: Type.String({ description: 'The list whose total is the count.' }),
});
export const most = (initial: number, maximum: number, what: string) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum, default: initial, description: `Maximum number of ${what} shown.` }),
  );

/** Addresses of lists. */
export const processes = (query: Readonly<Record<string, string>> = {}): string =>
  `/api/v1/bpm/processes${Object.keys(query).length > 0 ? `?${new URLSearchParams(query).toString()}` : ''}`;
export const elementsOf = (processId: string, cardId: string): string =>
  `/api/v1/bpm/processes/${processId}/elements?card_id=${cardId}`;
export const card = (id: string): string => `/api/v1/cards/${id}`;

/** Colours that can be told apart with colour blindness. */
export const COLORS = {
  published: '#009e73',
  pending: '#e69f00',
  draft: '#56b4e9',
  none: '#9e9e9e',
  scores: ['#b42318', '#e5802d', '#f2c94c', '#8fbf6f', '#009e73'],
} as const;
/** The colour of a score from 1 to 5, also of an average. */
export const scoreColor = (score: number): string => COLORS.scores[Math.min(5, Math.max(1, Math.round(score))) - 1]!;
