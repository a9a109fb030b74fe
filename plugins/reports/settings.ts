import { Type, type Static } from '@lintel/sdk';

export const Settings = Type.Object({
  stale_days: Type.Integer({
    minimum: 1,
    maximum: 3_650,
    default: 90,
    description: 'Days without a change after which a card counts as stale.',
  }),
});
export type Settings = Static<typeof Settings>;
