import { OneOf, Type, type Static } from '@lintel/sdk';

/** The largest file that any setting allows, in bytes. */
export const MOST_BYTES = 10 * 1024 * 1024;

/** The longest file in a JSON body, in characters: parsing larger bodies would delay other requests. Forms have larger ones. */
export const MOST_TEXT = 4 * 1024 * 1024;

export const Settings = Type.Object({
  max_bytes: Type.Integer({
    minimum: 10_000,
    maximum: MOST_BYTES,
    default: MOST_BYTES,
    description: 'Maximum size of a draw.io file in bytes.',
  }),
  keep_versions: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: 0,
    description:
      'How many versions of the content of a diagram are kept, the current one included; 0: all. When a version is stored, older ones are deleted.',
  }),
  unknown_cards: OneOf(['remove', 'refuse'] as const, {
    default: 'remove',
    description:
      'What happens to shapes of a saved file that refer to no card, or to one that the caller does not see: `remove` saves them without the reference and lists them; `refuse` answers 422.',
  }),
});
export type Settings = Static<typeof Settings>;
