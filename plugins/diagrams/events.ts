import { Nullable, OneOf, Strict, Type, Uuid, type ModuleManifest } from '@lintel/sdk';
import { groups } from './groups.js';
import { VIEW } from './permissions.js';

const changes = Type.Array(
  Type.Object({ field: Type.String(), old: Type.Optional(Type.Unknown()), new: Type.Optional(Type.Unknown()) }),
);
const Version = Type.Integer({ minimum: 1 });
const content_version = Version;
const card_ids = Type.Array(Uuid());

/** Kinds of the events of the module, and their data. */
export const EVENTS: NonNullable<ModuleManifest['events']> = [
  {
    kind: 'diagrams',
    permission: VIEW,
    // An event about changed cards does not exist for users from whom one of them is hidden; all have one type.
    cards: ['changed_card_ids'],
    types: {
      'diagrams.created': Strict({ version: Version, content_version, card_ids, changes }),
      'diagrams.updated': Strict({
        version: Version,
        content_version,
        card_ids: Type.Optional(
          Type.Array(Uuid(), { description: 'The cards of the diagram, where its content or its cards were changed.' }),
        ),
        restored_from: Type.Optional(Version),
        removed_versions: Type.Optional(Type.Integer({ minimum: 1 })),
        changes,
      }),
      'diagrams.deleted': Strict({ version: Version }),
      'diagrams.cards_changed': Strict({
        changed_card_ids: card_ids,
        change: OneOf(['changed', 'deleted'] as const),
      }),
    },
  },
  {
    kind: 'diagrams_favourite',
    permission: VIEW,
    cards: 'none',
    only: 'user_id',
    types: {
      'diagrams_favourite.added': Strict({ user_id: Nullable(Uuid()) }),
      'diagrams_favourite.removed': Strict({ user_id: Nullable(Uuid()) }),
    },
  },
  { ...groups.events, cards: 'none' },
];
