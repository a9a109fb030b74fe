import { FourEyesSetting, Type, type Static } from '@lintel/sdk';

export const Settings = Type.Object({
  number_prefix: Type.String({
    pattern: '^[A-Z][A-Z0-9]{0,9}$',
    default: 'ADR',
    description: 'Prefix of the number of a decision.',
  }),
  stale_after_days: Type.Integer({
    minimum: 1,
    maximum: 3650,
    default: 30,
    description: 'Days without a change after which a draft is reported, once.',
  }),
  four_eyes: FourEyesSetting(),
});
export type Settings = Static<typeof Settings>;
