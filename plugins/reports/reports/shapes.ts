import { Nullable, Type, Uuid, type InventoryType } from '@lintel/sdk';

/** A figure with the list of what it counts. */
export const FIGURE = {
  count: Type.Integer({ minimum: 0 }),
  href: Nullable(Type.String({ description: 'The list whose total is the figure; null where no list expresses it.' })),
};
export const Figure = (options: Record<string, unknown> = {}) => Type.Object(FIGURE, options);

/** A card as it is named in reports. */
export const CARD = { id: Uuid(), type: Type.String(), name: Type.String(), href: Type.String() };

/** The colour and the icon of a card type, where it has them. */
export const LOOK = {
  color: Type.Optional(Type.String()),
  icon: Type.Optional(
    Type.String({ description: 'Name of a Material Symbol, as in the metamodel.', examples: ['apps'] }),
  ),
};
/** A card type of a report. */
export const TYPE = { type: Type.String(), label: Type.String(), ...LOOK };

/** A card type as the reports name it, with its colour and icon where it has them. */
export const typeView = ({ key, label, color, icon }: InventoryType) => ({
  type: key,
  label,
  ...(color !== undefined && { color }),
  ...(icon !== undefined && { icon }),
});
