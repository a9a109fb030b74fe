import { defineReport, Strict, type Picture, type Static } from '@lintel/sdk';
import { loadParameters, LoadView } from '../load/schemas.js';
import { VIEW } from '../permissions.js';
import type { PpmServices } from '../services.js';
import { dateIn } from './shapes.js';
import { textsOf } from './words/index.js';

const parameters = Strict(loadParameters);
type Answer = Static<typeof LoadView>;

/** From unused to more than the capacity; distinguishable with colour blindness. */
const SHADES = [
  { until: 0, color: '#f2f5f8' },
  { until: 0.5, color: '#cfe5f3' },
  { until: 1, color: '#7fb8dc' },
  { until: 1.25, color: '#e69f00' },
  { until: Number.POSITIVE_INFINITY, color: '#d55e00' },
] as const;

function colorOf(hours: number, capacity: number): string {
  if (hours === 0) return SHADES[0].color;
  const share = capacity === 0 ? Number.POSITIVE_INFINITY : hours / capacity;
  return SHADES.slice(1).find(({ until }) => share <= until)!.color;
}

function picture({ weeks, people, from, to, truncated }: Answer, lang: string): Picture {
  const number = new Intl.NumberFormat(lang, { maximumFractionDigits: 1 });
  const { load: words } = textsOf(lang);
  const day = dateIn(lang);
  const overloaded = people.filter((person) => person.overloaded_weeks > 0).length;
  return {
    title: words.title,
    subtitle: words.subtitle(day(from), day(to), number.format(overloaded), number.format(people.length)),
    description: people
      .map((person) =>
        words.person(person.display_name, number.format(person.total_hours), number.format(person.overloaded_weeks)),
      )
      .join('; ')
      .slice(0, 5_000),
    ...(truncated && { notes: [words.truncated] }),
    content: {
      kind: 'grid',
      rowTitle: words.personTitle,
      columnTitle: words.week,
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
      legend: SHADES.map(({ color }, i) => ({ color, label: words.shades[i]! })),
    },
  };
}

/** The work of persons by week, over all initiatives. */
export const resourceLoad = defineReport<PpmServices, typeof parameters, typeof LoadView>({
  id: 'resource-load',
  title: 'Load by person and week',
  description:
    'Hours of tasks by assignee and week beside the capacity. The effort of a task is spread over its working days; tasks without one are counted. The filters narrow the initiatives.',
  permission: VIEW,
  parameters,
  cardFilters: true,
  answer: LoadView,
  run: ({ schedules }, { ctx, parameters: query, filters, lang, asOf }) =>
    schedules.load.ofPortfolio(ctx, filters, { lang, asOf }, query),
  tables: ({ weeks, people }, { lang }) => {
    const { load: words } = textsOf(lang);
    return [
      {
        name: words.load,
        columns: [
          { title: words.personTitle, kind: 'text' },
          { title: words.hours, kind: 'number' },
          { title: words.undated, kind: 'number' },
          { title: words.weeksAbove, kind: 'number' },
          { title: words.withoutEffort, kind: 'number' },
          ...weeks.map(({ week }) => ({ title: week, kind: 'number' as const })),
        ],
        rows: people.map(
          ({ display_name, total_hours, undated_hours, overloaded_weeks, tasks_without_effort, hours }) => [
            display_name,
            total_hours,
            undated_hours,
            overloaded_weeks,
            tasks_without_effort,
            ...hours,
          ],
        ),
      },
    ];
  },
  picture: (view, { lang }) => picture(view, lang),
});
