import { Type, type ModuleManifest } from '@lintel/sdk';
import { comments } from './comments/resource.js';
import { documents, lifecycle } from './documents/resource.js';
import { VIEW } from './permissions.js';
import { templates } from './templates/resource.js';

const change = documents.events.types['soaw.created']!;
const Numbered = Type.Object({
  ...(change as unknown as { properties: Record<string, never> }).properties,
  number: Type.String(),
});
const File = Type.Object({ kind: Type.String(), withheld: Type.Boolean() });

/** Kinds of the events of the module, and their data. None has figures of a table: they would be seen by all who see the document. */
export const EVENTS: NonNullable<ModuleManifest['events']> = [
  {
    kind: 'soaw',
    permission: VIEW,
    cards: 'none',
    types: {
      'soaw.created': Numbered,
      'soaw.updated': Numbered,
      'soaw.deleted': Numbered,
      'soaw.files_stored': Type.Object({ files: Type.Array(File) }),
      ...lifecycle.eventTypes,
    },
  },
  templates.events,
  comments.events,
];
