import type { ReportTable } from '@lintel/sdk';
import type { Answer } from './end-of-life-schemas.js';

/** One row per card, then what depends on them, and the numbers by type. */
export function endOfLifeTables({ items, affected, by_type }: Answer): ReportTable[] {
  const labels = new Map(by_type.map(({ type, label }) => [type, label]));
  return [
    {
      name: 'End of life',
      columns: [
        { title: 'Card', kind: 'text' },
        { title: 'Type', kind: 'text' },
        { title: 'End of life', kind: 'date' },
        { title: 'Days', kind: 'number' },
        { title: 'State', kind: 'text' },
        { title: 'Dependents', kind: 'number' },
      ],
      rows: items.map(({ name, type, end_of_life, days, state, dependents }) => [
        name,
        labels.get(type) ?? type,
        end_of_life,
        days,
        state === 'past' ? 'Past' : 'Soon',
        dependents.count,
      ]),
    },
    {
      name: 'Affected',
      columns: [
        { title: 'Card', kind: 'text' },
        { title: 'Type', kind: 'text' },
        { title: 'Components', kind: 'number' },
      ],
      rows: affected.map(({ name, type, components }) => [name, type, components.count]),
    },
    {
      name: 'By type',
      columns: [
        { title: 'Type', kind: 'text' },
        { title: 'Past', kind: 'number' },
        { title: 'Soon', kind: 'number' },
      ],
      rows: by_type.map(({ label, past, soon }) => [label, past.count, soon.count]),
    },
  ];
}
