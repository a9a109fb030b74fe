import { Nullable, Type, Uuid } from '@lintel/sdk';

/** A figure with the list of what it counts. */
export const FIGURE = {
  count: Type.Integer({ minimum: 0 }),
  href: Nullable(Type.String({ description: 'The list whose total is the figure; null where no list expresses it.' })),
};
export const Figure = (options: Record<string, unknown> = {}) => Type.Object(FIGURE, options);

/** A card as it is named in reports. */
export const CARD = { id: Uuid(), type: Type.String(), name: Type.String(), href: Type.String() };

/** A card type of a report. */
export const TYPE = { type: Type.String(), label: Type.String(), color: Type.Optional(Type.String()) };
