import { defineReport, Strict, type Picture, type Static } from '@lintel/sdk';
import { loadParameters, LoadView } from '../load/schemas.js';
import { VIEW } from '../permissions.js';
import type { PpmServices } from '../services.js';

const parameters = Strict(loadParameters);
type Answer = Static<typeof LoadView>;

/** From unused to more than the capacity; distinguishable with colour blindness. */
const SHADES = [
  { until: 0, color: '#f2f5f8', label: 'No work' },
  { until: 0.5, color: '#cfe5f3', label: 'Up to half of the capacity' },
  { until: 1, color: '#7fb8dc', label: 'Up to the capacity' },
  { until: 1.25, color: '#e69f00', label: 'Up to a quarter more' },
  { until: Number.POSITIVE_INFINITY, color: '#d55e00', label: 'More than that' },
] as const;

function colorOf(hours: number, capacity: number): string {
  if (hours === 0) return SHADES[0].color;
  const share = capacity === 0 ? Number.POSITIVE_INFINITY : hours / capacity;
  return SHADES.slice(1).find(({ until }) => share <= until)!.color;
}

function picture({ weeks, people, from, to, truncated }: Answer, lang: string): Picture {
  const number = new Intl.NumberFormat(lang, { maximumFractionDigits: 1 });
  const overloaded = people.filter((person) => person.overloaded_weeks > 0).length;
  return {
    title: 'Load by person and week',
    subtitle: `Hours of tasks from ${from} to ${to}; ${number.format(overloaded)} of ${number.format(people.length)} persons have more than their capacity`,
    description: people
      .map(
        (person) =>
          `${person.display_name}: ${number.format(person.total_hours)} hours, ${person.overloaded_weeks} weeks above the capacity`,
      )
      .join('; ')
      .slice(0, 5_000),
    ...(truncated && { notes: ['Not all persons are shown.'] }),
    content: {
      kind: 'grid',
      rowTitle: 'Person',
      columnTitle: 'Week',
      rows: people.map((person) => ({ label: person.display_name, total: person.total_hours })),
      columns: weeks.map(({ week }) => ({ label: week })),
      cells: people.flatMap((person, row) =>
        person.hours.map((hours, column) => ({
          row,
          column,
          texts: hours === 0 ? [] : [number.format(hours)],
          color: colorOf(hours, weeks[column]!.capacity_hours),
        })),
      ),
      legend: SHADES.map(({ color, label }) => ({ color, label })),
    },
  };
}

/** The work of persons by week, over all initiatives. */
export const resourceLoad = defineReport<PpmServices, typeof parameters, typeof LoadView>({
  id: 'resource-load',
  title: 'Load by person and week',
  description:
    'Hours of tasks by assignee and week beside the capacity. The effort of a task is spread over its working days. The filters narrow the initiatives.',
  permission: VIEW,
  parameters,
  cardFilters: true,
  answer: LoadView,
  run: ({ schedules }, { ctx, parameters: query, filters, lang, asOf }) =>
    schedules.load.ofPortfolio(ctx, filters, { lang, asOf }, query),
  tables: ({ weeks, people }) => [
    {
      name: 'Load',
      columns: [
        { title: 'Person', kind: 'text' },
        { title: 'Hours', kind: 'number' },
        { title: 'Hours without dates', kind: 'number' },
        { title: 'Weeks above capacity', kind: 'number' },
        ...weeks.map(({ week }) => ({ title: week, kind: 'number' as const })),
      ],
      rows: people.map(({ display_name, total_hours, undated_hours, overloaded_weeks, hours }) => [
        display_name,
        total_hours,
        undated_hours,
        overloaded_weeks,
        ...hours,
      ]),
    },
  ],
  picture: (view, { lang }) => picture(view, lang),
});
