import { DateOnly, defineReport, Nullable, OneOf, Strict, Type, Uuid, type Picture, type Static } from '@lintel/sdk';
import { HEALTHS } from '../initiatives/schemas.js';
import { ratesOf } from '../money/settings.js';
import { VIEW } from '../permissions.js';
import type { PpmServices } from '../services.js';
import { readBars } from './gantt-repository.js';
import { COLORS, Count, dateIn, initiative } from './shapes.js';
import { count, textsOf } from './words/index.js';

/** Milestones of one initiative. */
const MILESTONES = 12;
/** Colours of milestones that are reached, and of others. */
const MILESTONE_COLORS = { reached: '#5c6b78', open: '#332288' } as const;

const parameters = Strict({
  from: Type.Optional(Type.String({ format: 'date', description: 'Only initiatives that end on this day or later.' })),
  to: Type.Optional(
    Type.String({ format: 'date', description: 'Only initiatives that start on this day or earlier.' }),
  ),
  most: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 60,
      description: 'Maximum number of initiatives, the earliest first.',
    }),
  ),
});
const answer = Type.Object({
  today: DateOnly(),
  total: Count('Initiatives with dates.'),
  truncated: Type.Boolean(),
  initiatives: Type.Array(
    Type.Object({
      id: Uuid(),
      name: Type.String(),
      href: Type.String(),
      start_date: Type.String({
        format: 'date',
        description: 'Of the plan, otherwise of the card.',
        examples: ['2026-01-15'],
      }),
      end_date: DateOnly(),
      completion: Nullable(Type.Number({ description: 'Per cent; null without items of a work breakdown.' })),
      late_items: Count(),
      health: Nullable(OneOf(HEALTHS, { description: 'The worst of the latest status report.' })),
      milestones: Type.Array(
        Type.Object({ id: Uuid(), title: Type.String(), date: DateOnly(), reached: Type.Boolean() }),
        { description: `At most ${MILESTONES}, by date.` },
      ),
    }),
    { description: 'By start and name.' },
  ),
});
type Answer = Static<typeof answer>;

function picture(
  { initiatives: all, today, total, truncated }: Answer,
  { from, to }: { from?: string; to?: string },
  lang: string,
): Picture {
  const { gantt: words, health: labels, picture: common } = textsOf(lang);
  const day = dateIn(lang);
  const dates = all
    .flatMap(({ start_date, end_date, milestones }) => [start_date, end_date, ...milestones.map(({ date }) => date)])
    .sort();
  const states = [...HEALTHS, 'none'] as const;
  const used = states.filter((state) => all.some(({ health }) => (health ?? 'none') === state));
  const hasMilestones = (reached: boolean): boolean =>
    all.some(({ milestones }) => milestones.some((one) => one.reached === reached));
  return {
    title: words.title,
    subtitle: words.subtitle(count(total, 'initiative', lang)),
    description: all
      .map(({ name, start_date, end_date }) => words.span(name, day(start_date), day(end_date)))
      .join('; ')
      .slice(0, 5_000),
    ...(truncated && { notes: [words.truncated] }),
    content: {
      kind: 'timeline',
      from: from ?? dates[0] ?? today,
      to: to ?? dates.at(-1) ?? today,
      marker: today,
      groups: [
        {
          label: '',
          items: all.map(({ name, href, start_date, end_date, health, completion, milestones }) => ({
            label: name,
            href,
            spans: [
              {
                from: start_date,
                to: end_date,
                label: completion === null ? labels[health ?? 'none'] : `${Math.round(completion)} %`,
                color: COLORS[health ?? 'none'],
              },
              ...milestones.map(({ title, date, reached }) => ({
                from: date,
                to: date,
                label: title,
                color: reached ? MILESTONE_COLORS.reached : MILESTONE_COLORS.open,
                isPoint: true,
              })),
            ],
          })),
        },
      ],
      legend: [
        ...used.map((state) => ({ label: labels[state], color: COLORS[state] })),
        ...(hasMilestones(false) ? [{ label: common.milestone, color: MILESTONE_COLORS.open }] : []),
        ...(hasMilestones(true) ? [{ label: words.milestoneReached, color: MILESTONE_COLORS.reached }] : []),
      ],
    },
  };
}

/** Initiatives on a time axis with their milestones. */
export const gantt = defineReport<PpmServices, typeof parameters, typeof answer>({
  id: 'gantt',
  title: 'Initiatives over time',
  description:
    'Initiatives from their start to their end, coloured by the health of the latest status report, with their milestones. The filters narrow the initiatives.',
  permission: VIEW,
  parameters,
  cardFilters: true,
  answer,
  run: ({ host }, { ctx, parameters: { from, to, most = 60 }, filters, lang, asOf }) =>
    host.inventory.read(ctx, { lang, asOf }, async (inventory): Promise<Answer> => {
      const rows = await readBars(inventory, ratesOf(host), filters, { from, to, most, milestones: MILESTONES });
      const total = rows[0]?.total ?? 0;
      return {
        today: inventory.today,
        total,
        truncated: total > rows.length,
        initiatives: rows.map(({ total: _total, milestones, ...row }) => ({
          ...row,
          href: initiative(row.id),
          milestones: milestones.map(({ id, title, date, completion }) => ({
            id,
            title,
            date,
            reached: completion >= 100,
          })),
        })),
      };
    }),
  tables: ({ initiatives: all }, { lang }) => {
    const { gantt: words, health: labels, picture: common, tables } = textsOf(lang);
    return [
      {
        name: common.initiatives,
        columns: [
          { title: common.initiative, kind: 'text' },
          { title: words.start, kind: 'date' },
          { title: tables.end, kind: 'date' },
          { title: `${tables.completion} (%)`, kind: 'number' },
          { title: common.health, kind: 'text' },
          { title: tables.lateItems, kind: 'number' },
        ],
        rows: all.map(({ name, start_date, end_date, completion, health, late_items }) => [
          name,
          start_date,
          end_date,
          completion,
          labels[health ?? 'none'],
          late_items,
        ]),
      },
      {
        name: tables.milestones,
        columns: [
          { title: common.initiative, kind: 'text' },
          { title: common.milestone, kind: 'text' },
          { title: common.date, kind: 'date' },
          { title: words.reached, kind: 'boolean' },
        ],
        rows: all.flatMap(({ name, milestones }) =>
          milestones.map(({ title, date, reached }) => [name, title, date, reached]),
        ),
      },
    ];
  },
  picture: (view, { parameters: { from, to }, lang }) =>
    picture(view, { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }, lang),
});
