import { Type } from 'typebox';

export const CardPermissionsView = Type.Object({
  can: Type.Record(
    Type.String(),
    Type.Object({ allowed: Type.Boolean(), because: Type.String() }, { 'x-name': 'CardPermission' }),
    {
      description:
        'By permission: those stakeholder roles can grant, and those on cards that only a role grants. Where an inherited role grants it, the card above is named.',
      examples: [
        {
          'card.edit': { allowed: true, because: 'stakeholder role responsible grants card.edit' },
          'card.archive': {
            allowed: true,
            because: 'stakeholder role responsible on BusinessCapability “Sales” above grants card.archive',
          },
          'cards.delete': { allowed: false, because: 'role member does not grant cards.delete' },
        },
      ],
    },
  ),
});
