import { Type, type Static } from '@lintel/sdk';

export const Settings = Type.Object({
  keep_days: Type.Integer({
    minimum: 1,
    maximum: 3_650,
    default: 90,
    description: 'Days after which items that are done are deleted.',
  }),
});
export type Settings = Static<typeof Settings>;
