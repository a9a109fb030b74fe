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
import { bandLabel, QUALITY_BANDS } from '../quality-bands.js';
import type { ReportsServices } from '../services.js';
import { countWords, filterWords, line, textsOf } from '../words/index.js';
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
    return await services.answers.get(request, inventory, () => compute(services, inventory, filters, lang));
  });
}

async function compute(
  { snapshots }: ReportsServices,
  inventory: Inventory,
  filters: InventoryFilters,
  lang: string,
): Promise<Answer> {
  const texts = textsOf(lang);
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
    by_quality: QUALITY_BANDS.map((band) => ({
      key: band.key,
      label: bandLabel(band, texts),
      color: band.color,
      count: qualities.get(band.key) ?? 0,
      href: href(band.filters),
    })),
    by_lifecycle: [
      ...options('lifecycle_phase', phases),
      {
        key: null,
        label: texts.dashboard.noPhase,
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

function picture({ total, by_type, by_approval, by_quality, by_lifecycle, trend }: Answer, request: Request): Picture {
  const { lang } = request;
  const { column, dashboard: own, unit } = textsOf(lang);
  const bars = (counted: readonly (Answer['by_approval'][number] & { icon?: string })[]) => ({
    kind: 'bars' as const,
    categories: counted.map(({ label, icon, href }) => ({ label, icon, href: href ?? undefined })),
    series: [
      { label: column.cards, values: counted.map(({ count }) => count), colors: counted.map(({ color }) => color) },
    ],
    unit: unit.cards,
  });
  return {
    title: own.title,
    subtitle: line(countWords(total, 'card', lang), filterWords(request)),
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
                title: own.byType,
                isWide: true,
                picture: bars(by_type.map(({ type, ...counted }) => ({ key: type, ...counted }))),
              },
            ]
          : []),
        { title: column.approval, picture: bars(by_approval) },
        { title: column.dataQuality, picture: bars(by_quality) },
        { title: column.lifecycle, picture: bars(by_lifecycle) },
        ...(trend && trend.length > 1
          ? [
              {
                title: own.trend,
                picture: {
                  kind: 'lines' as const,
                  dates: trend.map(({ date }) => date),
                  series: [
                    { label: column.cards, values: trend.map((day) => day.total) },
                    { label: column.approved, values: trend.map((day) => day.approved) },
                  ],
                  unit: unit.cards,
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
  tables: ({ by_type, by_approval, by_quality, by_lifecycle, recent, trend }, { lang }) => {
    const { column } = textsOf(lang);
    return [
      {
        name: column.figures,
        columns: [
          { title: column.figure, kind: 'text' },
          { title: column.value, kind: 'text' },
          { title: column.cards, kind: 'number' },
        ],
        rows: (
          [
            [column.type, by_type],
            [column.approval, by_approval],
            [column.dataQuality, by_quality],
            [column.lifecycle, by_lifecycle],
          ] as const
        ).flatMap(([figure, rows]) => rows.map(({ label, count }) => [figure, label, count])),
      },
      {
        name: column.latest,
        columns: [
          { title: column.name, kind: 'text' },
          { title: column.type, kind: 'text' },
          { title: column.changed, kind: 'text' },
          { title: column.id, kind: 'text' },
        ],
        rows: recent.map(({ id, name, type, updated_at }) => [name, type, updated_at, id]),
      },
      {
        name: column.trend,
        columns: [
          { title: column.date, kind: 'date' },
          { title: column.cards, kind: 'number' },
          { title: column.approved, kind: 'number' },
          { title: column.mean, kind: 'number' },
        ],
        rows: (trend ?? []).map(({ date, total, approved, average_quality }) => [
          date,
          total,
          approved,
          average_quality,
        ]),
      },
    ];
  },
  picture,
});
