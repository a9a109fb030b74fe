import { Nullable, OneOf, Strict, Type, Uuid, type Static } from '@lintel/sdk';

const KEYS = ['netbox', 'servicenow'] as const;

export const Templates = Type.Object({
  items: Type.Array(
    Type.Object(
      {
        key: OneOf(KEYS),
        title: Type.String(),
        description: Type.String(),
        connector: Type.String({ description: 'Key of the connector that it is for.' }),
        mappings: Type.Array(Type.Object({ name: Type.String(), table: Type.String(), card_type: Type.String() })),
      },
      { 'x-name': 'CmdbsyncTemplate' },
    ),
  ),
});

export const FromTemplateBody = Strict(
  {
    template: OneOf(KEYS),
    runs_as: Type.Optional(Nullable(Uuid({ description: 'The service account whose rights the runs have.' }))),
    owner_id: Type.Optional(Nullable(Uuid({ description: 'The user who is notified.' }))),
    schedule: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
    time_zone: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    auto_apply: Type.Optional(Type.Boolean()),
  },
  { examples: [{ template: 'netbox', runs_as: null }] },
);
export type FromTemplateBody = Static<typeof FromTemplateBody>;

export const CreatedMappings = Type.Object({
  ids: Type.Array(Uuid(), { description: 'In the order in which the mappings are best run.' }),
});
