import { Type, type Static } from '@lintel/sdk';

export const Settings = Type.Object({
  nightly: Type.Boolean({
    default: false,
    description: 'Whether all analyses run every night, at 02:10 UTC.',
  }),
  keep_runs: Type.Integer({
    default: 5,
    minimum: 1,
    maximum: 50,
    description: 'Number of completed runs of each analysis whose results are kept, the current one included.',
  }),
  owner_roles: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    default: ['responsible', 'technical_owner', 'business_owner', 'process_owner'],
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    description: 'Keys of the stakeholder roles whose holder counts as the owner of a card.',
  }),
});
export type Settings = Static<typeof Settings>;
