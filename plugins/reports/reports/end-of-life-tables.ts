import type { ReportRequest, ReportTable } from '@lintel/sdk';
import { textsOf } from '../words/index.js';
import type { Answer } from './end-of-life-schemas.js';

/** One row per card, then what depends on them, and the numbers by type. */
export function endOfLifeTables(
  { items, affected, by_type }: Answer,
  { lang }: Pick<ReportRequest, 'lang'>,
): ReportTable[] {
  const { column, value } = textsOf(lang);
  const labels = new Map(by_type.map(({ type, label }) => [type, label]));
  return [
    {
      name: column.endOfLife,
      columns: [
        { title: column.card, kind: 'text' },
        { title: column.type, kind: 'text' },
        { title: column.endOfLife, kind: 'date' },
        { title: column.days, kind: 'number' },
        { title: column.state, kind: 'text' },
        { title: column.dependents, kind: 'number' },
      ],
      rows: items.map(({ name, type, end_of_life, days, state, dependents }) => [
        name,
        labels.get(type) ?? type,
        end_of_life,
        days,
        state === 'past' ? value.past : value.soon,
        dependents.count,
      ]),
    },
    {
      name: column.affected,
      columns: [
        { title: column.card, kind: 'text' },
        { title: column.type, kind: 'text' },
        { title: column.components, kind: 'number' },
      ],
      rows: affected.map(({ name, type, components }) => [name, type, components.count]),
    },
    {
      name: column.byType,
      columns: [
        { title: column.type, kind: 'text' },
        { title: value.past, kind: 'number' },
        { title: value.soon, kind: 'number' },
      ],
      rows: by_type.map(({ label, past, soon }) => [label, past.count, soon.count]),
    },
  ];
}
