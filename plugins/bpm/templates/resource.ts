import { Nullable, Type, resource } from '@lintel/sdk';
import { EDIT, VIEW } from '../permissions.js';

/** A flow from which versions are created. Its file is sent and read under `/templates/{id}.bpmn`. */
export const templates = resource({
  kind: 'bpm_template',
  table: 'bpm_templates',
  tag: 'bpm',
  operation: 'BpmTemplate',
  label: 'a template of flows',
  labels: 'templates of flows',
  permissions: { view: VIEW, manage: EDIT },
  bounds: [{ most: 1_000 }],
  fields: {
    name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
    description: Nullable(Type.String({ maxLength: 5_000 })),
  },
  assigned: {
    file_id: Nullable(Type.String({ format: 'uuid' })),
    content_hash: Nullable(
      Type.String({ examples: [null], description: 'SHA-256 of the file, hexadecimal; null until a file is sent.' }),
    ),
    size: Nullable(Type.Integer({ minimum: 0, description: 'Bytes of the file.' })),
    element_count: Nullable(Type.Integer({ minimum: 0 })),
    shipped: Nullable(
      Type.String({
        examples: [null],
        description:
          'Key of a template that ships with the module. Its file is in the language of the workspace, or in `lang`; null after another file was sent.',
      }),
    ),
  },
  hidden: ['file_id'],
  derived: ['file_id'],
  types: { file_id: 'uuid' },
  computed: { name_key: ({ name }, host) => host.nameKey(name) },
  search: ['name', 'description'],
  sorts: { name: { column: 'name_key', type: 'text' } },
  defaultSort: 'name',
  example: { name: 'Approval in two steps', description: null },
});
export type Templates = ReturnType<typeof templates.service>;
