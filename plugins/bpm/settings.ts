import { Strict, Type, type Static } from '@lintel/sdk';

const Key = (initial: string, of: string) =>
  Type.String({
    maxLength: 100,
    pattern: '^[A-Za-z0-9_]*$',
    default: initial,
    description: `Key of the relation type between a process and ${of}; empty: links make no relation.`,
  });

export const Settings = Type.Object({
  four_eyes: Type.Boolean({
    default: true,
    description: 'A submitted flow is approved or rejected by another user than the one who submitted it.',
  }),
  block_submit_on_problems: Type.Boolean({
    default: true,
    description: 'A flow with problems of severity `error` cannot be submitted.',
  }),
  relation_types: Strict(
    {
      Application: Key('businessProcessToApplication', 'an application'),
      DataObject: Key('businessProcessToDataObject', 'a data object'),
      ITComponent: Key('businessProcessToITComponent', 'an IT component'),
      Organization: Key('businessProcessToOrganization', 'an organization'),
      BusinessProcess: Key('businessProcessToBusinessProcess', 'a process that it calls'),
    },
    { default: {}, description: 'Which relation a link of an element implies, by the type of the linked card.' },
  ),
});
export type Settings = Static<typeof Settings>;
