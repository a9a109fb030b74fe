import { Nullable, Type, resource } from '@lintel/sdk';
import { MANAGE, VIEW } from '../permissions.js';
import { faultsOf, stored } from '../sections/rules.js';
import { Sections, type StoredSection } from '../sections/schema.js';
import { withoutHiddenFilters } from '../tables/filters.js';

/** Templates of the workspace: sections with guidance, initial texts and live tables. */
export const templates = resource({
  kind: 'soaw_template',
  table: 'soaw_templates',
  tag: 'soaw',
  operation: 'SoawTemplate',
  label: 'a template of statements of architecture work',
  labels: 'templates of statements of architecture work',
  permissions: { view: VIEW, manage: MANAGE },
  bounds: [{ most: 1_000 }],
  fields: {
    name: Type.String({ minLength: 1, maxLength: 200, pattern: '^(?!\\s*$)[^\\p{Cc}]*$' }),
    description: Nullable(Type.String({ maxLength: 5_000 })),
    sections: Sections({ minItems: 1, description: 'In their order, each key once.' }),
  },
  computed: { name_key: ({ name }, host) => host.nameKey(name) },
  search: ['name', 'description'],
  sorts: { name: { column: 'name_key', type: 'text' } },
  defaultSort: 'name',
  example: {
    name: 'Cloud migration',
    description: 'For projects that move applications.',
    sections: [
      { key: 'overview', title: 'Target', guidance: 'What will be different?' },
      {
        key: 'landscape',
        title: 'Applications to be moved',
        tables: [{ id: 'applications', kind: 'cards', title: 'Applications', filter: { type: 'Application' } }],
      },
    ],
  },
  prepare({ host, next }) {
    const sections = stored(next.sections);
    const faults = faultsOf(sections);
    if (faults.length > 0) throw host.invalid(...faults);
    return { name: next.name.trim(), sections };
  },
  async present(rows, ctx, host) {
    const sections = await withoutHiddenFilters(
      host,
      ctx,
      rows.map((row) => row.sections as StoredSection[]),
    );
    return sections.map((list) => ({ sections: list }));
  },
});
