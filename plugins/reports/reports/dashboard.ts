import {
  defineReport,
  Nullable,
  Strict,
  Type,
  type Inventory,
  type InventoryFilters,
  type Picture,
  type ReportRequest,
  type Static,
} from '@lintel/sdk';
import { LARGE } from '../answer-cache.js';
import { cardHref, cardsHref, within } from '../links.js';
import { NO_VALUE_COLOR } from '../palette.js';
import { Parameters, typesOf } from '../parameters.js';
import { VIEW } from '../permissions.js';
import { QUALITY_BANDS } from '../quality-bands.js';
import type { ReportsServices } from '../services.js';
import { countWords, filterWords, line } from '../words.js';
import { readCounts, readRecent } from './dashboard-repository.js';
import { CARD, FIGURE, TYPE, typeView } from './shapes.js';

const RECENT = 10;
const TREND_DAYS = 30;

const parameters = Strict({});

const Counted = Type.Object({
  key: Nullable(Type.String()),
  label: Type.String(),
  color: Type.Optional(Type.String()),
  ...FIGURE,
});
const answer = Type.Object({
  total: Type.Integer(),
  computed_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'With more than 50,000 cards, the answer may be up to 10 seconds old.',
    }),
  ),
  href: Type.String(),
  by_type: Type.Array(Type.Object({ ...TYPE, ...FIGURE })),
  by_approval: Type.Array(Counted),
  by_quality: Type.Array(Counted, { description: 'complete (≥ 80), partial (40 – < 80), minimal (< 40).' }),
  by_lifecycle: Type.Array(Counted, { description: 'By the phase of today; the key null for cards without one.' }),
  recent: Type.Array(Type.Object({ ...CARD, updated_at: Type.String({ format: 'date-time' }) }), {
    description: 'The cards that changed last, 10 at most.',
  }),
  trend: Nullable(
    Type.Array(
      Type.Object({
        date: Type.String({ format: 'date' }),
        total: Type.Integer(),
        approved: Type.Integer(),
        average_quality: Nullable(Type.Number()),
      }),
      {
        description:
          'The last 30 days, from figures stored each day; null with other filters than `type`. Scores leave out costs unless the caller may see all of them.',
      },
    ),
  ),
});
export type Answer = Static<typeof answer>;
type Request = ReportRequest<Static<typeof parameters>>;

async function run(services: ReportsServices, request: Request): Promise<Answer> {
  const { host } = services;
  const { ctx, filters, lang, asOf } = request;
  return await host.inventory.read(ctx, { lang, asOf }, async (inventory) => {
    const check = new Parameters(host, inventory);
    for (const type of typesOf(filters) ?? []) check.type('type', type);
    check.check();
    return await services.answers.get(request, inventory, () => compute(services, inventory, filters));
  });
}

async function compute(
  { snapshots }: ReportsServices,
  inventory: Inventory,
  filters: InventoryFilters,
): Promise<Answer> {
  const counts = await readCounts(inventory, filters);
  const recent = await readRecent(inventory, filters, RECENT);
  const trend = await snapshots.trend(inventory, filters, TREND_DAYS);
  const of = (dimension: string) =>
    new Map(counts.filter((row) => row.dimension === dimension).map(({ value, count }) => [value, count]));
  const href = (more: InventoryFilters | undefined): string | null => {
    const all = within(filters, more);
    return all ? cardsHref(all) : null;
  };
  const types = of('type');
  const options = (key: 'approval_status' | 'lifecycle_phase', of: ReadonlyMap<string | null, number>) =>
    inventory.field(key)!.options.map(({ key: value, label, color }) => ({
      key: value,
      label,
      ...(color !== undefined && { color }),
      count: of.get(value) ?? 0,
      href: href({ [key]: value }),
    }));
  const phases = of('phase');
  const qualities = of('quality');
  const total = [...types.values()].reduce((all, count) => all + count, 0);
  return {
    total,
    ...(total > LARGE && { computed_at: new Date().toISOString() }),
    href: cardsHref(filters),
    by_type: [...inventory.types.values()].flatMap((type) => {
      const count = types.get(type.key);
      return count === undefined ? [] : [{ ...typeView(type), count, href: href({ type: type.key }) }];
    }),
    by_approval: options('approval_status', of('approval')),
    by_quality: QUALITY_BANDS.map(({ key, label, color, filters: more }) => ({
      key,
      label,
      color,
      count: qualities.get(key) ?? 0,
      href: href(more),
    })),
    by_lifecycle: [
      ...options('lifecycle_phase', phases),
      {
        key: null,
        label: 'No phase',
        color: NO_VALUE_COLOR,
        count: phases.get(null) ?? 0,
        href: href({ lifecycle_phase: 'none' }),
      },
    ],
    recent: recent.map(({ id, type, name, updated_at }) => ({
      id,
      type,
      name,
      href: cardHref(id),
      updated_at: updated_at.toISOString(),
    })),
    trend: trend ?? null,
  };
}

function picture(
  { total, by_type, by_approval, by_quality, by_lifecycle, trend }: Answer,
  { filters, lang }: Request,
): Picture {
  const bars = (counted: readonly (Answer['by_approval'][number] & { icon?: string })[]) => ({
    kind: 'bars' as const,
    categories: counted.map(({ label, icon, href }) => ({ label, icon, href: href ?? undefined })),
    series: [{ label: 'Cards', values: counted.map(({ count }) => count), colors: counted.map(({ color }) => color) }],
    unit: 'cards',
  });
  return {
    title: 'Dashboard',
    subtitle: line(countWords(total, 'card', lang), filterWords(filters)),
    description: [...by_type, ...by_approval, ...by_quality, ...by_lifecycle]
      .map(({ label, count }) => `${label}: ${count}`)
      .join('; '),
    content: {
      kind: 'panels',
      panels: [
        // One bar would say no more than the line above it.
        ...(by_type.length > 1
          ? [
              {
                title: 'Cards by type',
                isWide: true,
                picture: bars(by_type.map(({ type, ...counted }) => ({ key: type, ...counted }))),
              },
            ]
          : []),
        { title: 'Approval', picture: bars(by_approval) },
        { title: 'Data quality', picture: bars(by_quality) },
        { title: 'Life cycle', picture: bars(by_lifecycle) },
        ...(trend && trend.length > 1
          ? [
              {
                title: 'Cards in the last 30 days',
                picture: {
                  kind: 'lines' as const,
                  dates: trend.map(({ date }) => date),
                  series: [
                    { label: 'Cards', values: trend.map((day) => day.total) },
                    { label: 'Approved', values: trend.map((day) => day.approved) },
                  ],
                  unit: 'cards',
                },
              },
            ]
          : []),
      ],
    },
  };
}

/** The state of the inventory on one page. */
export const dashboard = defineReport<ReportsServices, typeof parameters, typeof answer>({
  id: 'dashboard',
  title: 'Dashboard',
  description: 'Cards by type, approval, data quality and life cycle, the latest changes, and the trend of 30 days.',
  permission: VIEW,
  parameters,
  cardFilters: true,
  answer,
  run,
  tables: ({ by_type, by_approval, by_quality, by_lifecycle, recent, trend }) => [
    {
      name: 'Figures',
      columns: [
        { title: 'Figure', kind: 'text' },
        { title: 'Value', kind: 'text' },
        { title: 'Cards', kind: 'number' },
      ],
      rows: (
        [
          ['Type', by_type],
          ['Approval', by_approval],
          ['Data quality', by_quality],
          ['Life cycle', by_lifecycle],
        ] as const
      ).flatMap(([figure, rows]) => rows.map(({ label, count }) => [figure, label, count])),
    },
    {
      name: 'Latest changes',
      columns: [
        { title: 'Name', kind: 'text' },
        { title: 'Type', kind: 'text' },
        { title: 'Changed', kind: 'text' },
        { title: 'Id', kind: 'text' },
      ],
      rows: recent.map(({ id, name, type, updated_at }) => [name, type, updated_at, id]),
    },
    {
      name: 'Trend',
      columns: [
        { title: 'Date', kind: 'date' },
        { title: 'Cards', kind: 'number' },
        { title: 'Approved', kind: 'number' },
        { title: 'Mean score', kind: 'number' },
      ],
      rows: (trend ?? []).map(({ date, total, approved, average_quality }) => [date, total, approved, average_quality]),
    },
  ],
  picture,
});
