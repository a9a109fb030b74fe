import { Type, type Static } from '@lintel/sdk';
import { FeedSettings } from './feeds/settings.js';
import { ModernisationSettings } from './modernisation/settings.js';
import { RuleSettings } from './security/settings.js';

const Keys = (keys: string[], description: string, minItems = 0) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    default: keys,
    minItems,
    maxItems: 20,
    uniqueItems: true,
    description,
  });

export const Settings = Type.Object({
  ...FeedSettings,
  ...RuleSettings,
  ...ModernisationSettings,
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
  supplier_types: Keys(['Provider'], 'Keys of the card types whose cards are suppliers.'),
  supplier_fields: Keys(
    ['vendor', 'supplier', 'manufacturer', 'provider', 'publisher'],
    'Keys of the attributes of cards that name suppliers; several names by semicolon.',
  ),
  supplier_aliases: Type.Array(Type.String({ minLength: 3, maxLength: 500, pattern: '=' }), {
    default: [],
    maxItems: 1_000,
    description: 'Names of one supplier, such as `IBM = International Business Machines`.',
  }),
  spend_fields: Keys(['costTotalAnnual'], 'Keys of the cost attributes whose sum is the spend on a supplier.'),
  usage_fields: Keys(['numberOfUsers'], 'Keys of the attributes with numbers of users.'),
  criticality_field: Type.String({
    default: 'businessCriticality',
    maxLength: 64,
    description:
      'Key of the attribute whose options are the criticality of a card, from the most critical to the least.',
  }),
  duplicate_types: Keys(['Application'], 'Keys of the card types in which duplicates are looked for.', 1),
  capability_types: Keys(['BusinessCapability'], 'Keys of the card types whose cards say what a card is for.'),
  interface_types: Keys(['Interface'], 'Keys of the card types whose cards are interfaces.'),
  user_types: Keys(['Organization', 'BusinessContext'], 'Keys of the card types whose cards are users.'),
});
export type Settings = Static<typeof Settings>;
