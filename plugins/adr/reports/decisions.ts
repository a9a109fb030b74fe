import {
  DateOnly,
  defineReport,
  DocumentStatusField,
  OneOf,
  Strict,
  Type,
  Uuid,
  type DocumentStatus,
  type Picture,
  type ReportRequest,
  type Static,
} from '@lintel/sdk';
import { filtersFor } from '../caller-filters.js';
import { VIEW } from '../permissions.js';
import type { AdrServices } from '../routes.js';
import { INTERVALS, periodsOf, startBefore } from './periods.js';
import { countDecisions } from './repository.js';
import { countDecisionWords, textsOf } from './words.js';

/** In the order of their life, with the colours of the picture. */
const STATUSES: readonly (readonly [key: DocumentStatus, color: string])[] = [
  ['draft', '#9e9e9e'],
  ['in_review', '#e69f00'],
  ['signed', '#009e73'],
  ['superseded', '#56b4e9'],
];
const MOST_PERIODS = 120;
/** Periods shown if the request has no `from`. */
const DEFAULT_PERIODS = 12;

const parameters = Strict({
  interval: Type.Optional(OneOf(INTERVALS, { default: 'month', description: 'Length of a period, in UTC.' })),
  from: Type.Optional(
    Type.String({
      format: 'date',
      description: 'First day; default: the beginning of the period eleven before the last.',
    }),
  ),
  to: Type.Optional(Type.String({ format: 'date', description: 'Last day; default: today.' })),
  card_id: Type.Optional(Uuid({ description: 'Only decisions that concern the card.' })),
});
type Query = Static<typeof parameters>;

const COUNT = {
  count: Type.Integer({ minimum: 0 }),
  href: Type.String({ description: 'The list of the counted decisions.' }),
};
const Statuses = Type.Array(Type.Object({ key: DocumentStatusField(), label: Type.String(), ...COUNT }));
const answer = Type.Object({
  interval: OneOf(INTERVALS),
  from: DateOnly(),
  to: DateOnly(),
  total: Type.Integer({ minimum: 0, description: 'Each revision of a decision counts.' }),
  href: Type.String(),
  statuses: Statuses,
  periods: Type.Array(
    Type.Object({
      key: Type.String({ examples: ['2026-01'], description: '`2026-01` or `2026-Q1`.' }),
      from: DateOnly(),
      to: DateOnly(),
      ...COUNT,
      statuses: Statuses,
    }),
    { description: 'By the time when the decision, or its revision, was begun; by its status now.' },
  ),
});
type Answer = Static<typeof answer>;

/** The list of decisions under these filters. */
function listOf(filters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value);
  return `/api/v1/adr?${query.toString()}`;
}

async function run(
  { host }: AdrServices,
  { ctx, parameters: { interval = 'month', card_id, ...range }, asOf, lang }: ReportRequest<Query>,
): Promise<Answer> {
  const wrong = (field: string, reason: string) => ({ field, reason, in: 'query' as const });
  const to = range.to ?? new Date().toISOString().slice(0, 10);
  const from = range.from ?? startBefore(to, interval, DEFAULT_PERIODS - 1);
  const periods = periodsOf(from, to, interval, MOST_PERIODS);
  const errors = [
    ...(asOf === undefined ? [] : [wrong('as_of', 'states of the past cannot be read')]),
    ...(from > to ? [wrong('from', 'is after `to`')] : []),
    ...(periods.length > MOST_PERIODS ? [wrong('from', `is more than ${MOST_PERIODS} periods before \`to\``)] : []),
  ];
  if (errors.length > 0) throw host.problem('validation_failed', { errors });
  const filters = { card_id, created_from: from, created_to: to };
  const rows = await countDecisions(host.db, interval, await filtersFor(host, ctx, filters));
  const sum = (of: typeof rows): number => of.reduce((total, { count }) => total + count, 0);
  const labels = textsOf(lang).statuses;
  const statuses = (of: typeof rows, days: typeof filters) =>
    STATUSES.map(([key]) => ({
      key,
      label: labels[key],
      count: sum(of.filter(({ status }) => status === key)),
      href: listOf({ status: key, ...days }),
    }));
  return {
    interval,
    from,
    to,
    total: sum(rows),
    href: listOf(filters),
    statuses: statuses(rows, filters),
    periods: periods.map(({ key, start, ...days }) => {
      const own = rows.filter((row) => row.start === start);
      const within = { card_id, created_from: days.from, created_to: days.to };
      return { key, ...days, count: sum(own), href: listOf(within), statuses: statuses(own, within) };
    }),
  };
}

function picture({ interval, from, to, total, periods }: Answer, { lang }: ReportRequest<Query>): Picture {
  const months = new Intl.DateTimeFormat(lang, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  const day = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeZone: 'UTC' });
  const number = new Intl.NumberFormat(lang);
  const texts = textsOf(lang);
  const label = (key: string, first: string): string =>
    interval === 'month' ? months.format(new Date(first)) : texts.quarter(key.slice(0, 4), key.slice(-1));
  return {
    title: texts.title,
    subtitle: texts.begun(countDecisionWords(total, lang), day.format(new Date(from)), day.format(new Date(to))),
    description: periods
      .map((period) => `${label(period.key, period.from)}: ${number.format(period.count)}`)
      .join('; '),
    content: {
      kind: 'bars',
      categories: periods.map((period) => ({ label: label(period.key, period.from), href: period.href })),
      series: STATUSES.map(([key, color], place) => ({
        label: texts.statuses[key],
        color,
        values: periods.map(({ statuses }) => statuses[place]!.count),
        hrefs: periods.map(({ statuses }) => statuses[place]!.href),
      })),
      unit: texts.unit,
    },
  };
}

/** Decisions over time, by status. */
export const decisions = defineReport<AdrServices, typeof parameters, typeof answer>({
  id: 'decisions',
  title: 'Architecture decisions over time',
  description: 'How many architecture decisions were begun in each month or quarter, by their status now.',
  permission: VIEW,
  parameters,
  answer,
  run,
  tables: ({ periods }, { lang }) => {
    const { column, statuses: labels } = textsOf(lang);
    return [
      {
        name: column.decisions,
        columns: [
          { title: column.period, kind: 'text' },
          { title: column.from, kind: 'date' },
          { title: column.to, kind: 'date' },
          ...STATUSES.map(([key]) => ({ title: labels[key], kind: 'number' as const })),
          { title: column.decisions, kind: 'number' },
        ],
        rows: periods.map(({ key, from, to, count, statuses }) => [
          key,
          from,
          to,
          ...statuses.map((status) => status.count),
          count,
        ]),
      },
    ];
  },
  picture,
});
