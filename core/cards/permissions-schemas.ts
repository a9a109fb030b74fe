import { Type } from 'typebox';

export const CardPermissionsView = Type.Object({
  can: Type.Record(Type.String(), Type.Object({ allowed: Type.Boolean(), because: Type.String() }), {
    description: 'By permission: those stakeholder roles can grant, and those on cards that only a role grants.',
    examples: [{ 'card.edit': { allowed: true, because: 'stakeholder role responsible grants card.edit' }, 'cards.delete': { allowed: false, because: 'role member does not grant cards.delete' } }],
  }),
});
