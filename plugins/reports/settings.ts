import { Type, type Static } from '@lintel/sdk';

export const Settings = Type.Object({
  stale_days: Type.Integer({
    minimum: 1,
    maximum: 3_650,
    default: 90,
    description: 'Days without a change after which a card counts as stale.',
  }),
  snapshot_days: Type.Integer({
    minimum: 31,
    maximum: 36_500,
    default: 1_830,
    description: 'Days for which the figures of each day are kept, for trends.',
  }),
});
export type Settings = Static<typeof Settings>;
