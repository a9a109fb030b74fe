import { Nullable, Strict, Type, Uuid, type ModuleManifest } from '@lintel/sdk';
import { assessments } from './assessments/resource.js';
import { VIEW } from './permissions.js';
import { templates } from './templates/resource.js';

const Change = Type.Object({ field: Type.String(), old: Type.Unknown(), new: Type.Unknown() });
const COMMON = { card_id: Uuid(), revision: Type.Integer({ minimum: 1 }), version: Type.Integer({ minimum: 1 }) };
const changes = Type.Array(Change);
const comment = Nullable(Type.String());
const content_hash = Type.String();
const Card = Strict({ card_id: Uuid() });

/** Kinds of the events of the module, and their data. */
export const EVENTS: NonNullable<ModuleManifest['events']> = [
  {
    kind: 'bpm_version',
    permission: VIEW,
    cards: ['card_id'],
    types: {
      'bpm_version.created': Strict({
        ...COMMON,
        source: Type.String(),
        content_hash,
        based_on: Nullable(Uuid()),
      }),
      'bpm_version.updated': Strict({ ...COMMON, changes }),
      'bpm_version.deleted': Strict(COMMON),
      'bpm_version.submitted': Strict({ ...COMMON, content_hash, comment, changes }),
      'bpm_version.withdrawn': Strict({ ...COMMON, comment, changes }),
      'bpm_version.rejected': Strict({ ...COMMON, reason: Type.String(), changes }),
      'bpm_version.published': Strict({ ...COMMON, content_hash, comment, changes }),
      'bpm_version.archived': Strict({ ...COMMON, replaced_by: Uuid(), changes }),
    },
  },
  {
    kind: 'bpm_element',
    permission: VIEW,
    cards: ['card_id'],
    types: {
      'bpm_element.linked': Strict({
        card_id: Uuid(),
        version_id: Uuid(),
        bpmn_id: Type.String(),
        version: Type.Integer({ minimum: 1 }),
        added: Type.Array(Card),
        removed: Type.Array(Card),
      }),
    },
  },
  assessments.events,
  templates.events,
];
