import {
  defineReport,
  Nullable,
  Strict,
  Type,
  Uuid,
  type Inventory,
  type InventoryFilters,
  type Picture,
  type ReportRequest,
  type Static,
} from '@lintel/sdk';
import { cardHref, cardsHref } from '../links.js';
import { Parameters, typesOf } from '../parameters.js';
import { VIEW } from '../permissions.js';
import { permitted } from '../permitted.js';
import { bandLabel, QUALITY_BANDS, type QualityBand } from '../quality-bands.js';
import type { ReportsServices } from '../services.js';
import { countWords, filterWords, line, textsOf } from '../words/index.js';
import { readMissing, readOrphans, readOwners, readQuality, readWorst } from './data-quality-repository.js';
import { CARD, Figure, FIGURE, TYPE, typeView } from './shapes.js';

const WORST = 20;
const OWNERS = 100;
const DAY_MS = 86_400_000;

const parameters = Strict({});

const Band = Type.Integer({ minimum: 0 });
const answer = Type.Object({
  total: Type.Integer(),
  href: Type.String(),
  average: Nullable(Type.Number({ description: 'Mean score, 0 to 100.' })),
  by_type: Type.Array(
    Type.Object({
      ...TYPE,
      count: Band,
      average: Type.Number(),
      complete: Band,
      partial: Band,
      minimal: Band,
      href: Type.String(),
      hrefs: Type.Object({ complete: Type.String(), partial: Type.String(), minimal: Type.String() }),
    }),
    { description: 'Scores of at least 80 are complete, of 40 to less than 80 partial, others minimal.' },
  ),
  worst: Type.Array(Type.Object({ ...CARD, data_quality: Type.Number() }), { description: 'At most 20.' }),
  orphans: Nullable(Figure({ description: 'Cards without a relation; null without relations.view.' })),
  stale: Type.Object({
    ...FIGURE,
    before: Type.String({ format: 'date-time', description: 'Cards that have not changed since.' }),
  }),
  missing: Type.Array(Type.Object({ ...TYPE, field: Type.String(), field_label: Type.String(), ...FIGURE }), {
    description: 'With one card type: how many of its cards have no value in a field, most first.',
  }),
  by_owner: Nullable(
    Type.Array(
      Type.Object({
        user: Type.Object({ id: Uuid(), display_name: Type.String() }),
        count: Band,
        average: Type.Number(),
        href: Nullable(Type.String()),
      }),
      {
        description:
          'Users with a stakeholder role on the cards, 100 at most; null for callers who may not see stakeholders.',
      },
    ),
  ),
});
type Answer = Static<typeof answer>;

/** Missing values by field of the only type; empty where the filters have none or several. */
async function missingOf(inventory: Inventory, filters: InventoryFilters): Promise<Answer['missing']> {
  const [key, ...others] = typesOf(filters) ?? [];
  const type = key === undefined || others.length > 0 ? undefined : inventory.types.get(key);
  if (!type) return [];
  // Whether a cost that the caller may not see is missing would be told by the figure.
  const fields = type.fields.filter(({ isCost }) => !isCost || inventory.costs === 'all');
  const counts = await readMissing(inventory, filters, fields);
  return fields
    .map((field, i) => ({
      ...typeView(type),
      field: field.key,
      field_label: field.label,
      count: counts[i]!,
      href: cardsHref(filters, { [`${field.key}[empty]`]: true }),
    }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.field < b.field ? -1 : 1));
}

async function run(
  { host }: ReportsServices,
  { ctx, filters, lang, asOf }: ReportRequest<Static<typeof parameters>>,
): Promise<Answer> {
  const days = host.settings().stale_days;
  return await host.inventory.read(ctx, { lang, asOf }, async (inventory) => {
    const check = new Parameters(host, inventory);
    for (const type of typesOf(filters) ?? []) check.type('type', type);
    check.check();
    const before = new Date(Date.parse(`${inventory.today}T00:00:00.000Z`) - days * DAY_MS).toISOString();
    const rows = new Map((await readQuality(inventory, filters, before)).map((row) => [row.type, row]));
    const worst = await readWorst(inventory, filters, WORST);
    const orphans = await permitted(() => readOrphans(inventory, filters));
    const owners = await permitted(() => readOwners(inventory, filters, OWNERS));
    const missing = await missingOf(inventory, filters);
    const names = await host.users.find((owners ?? []).map(({ user_id }) => user_id));
    const sum = (of: (row: { count: number; stale: number; scores: string }) => number): number =>
      [...rows.values()].reduce((all, row) => all + of(row), 0);
    const total = sum(({ count }) => count);
    const by_type = [...inventory.types.values()].flatMap((type) => {
      const { key } = type;
      const row = rows.get(key);
      if (!row) return [];
      const { count, complete, partial, minimal, average } = row;
      const href = (more: InventoryFilters = {}): string => cardsHref(filters, { type: key }, more);
      return {
        ...typeView(type),
        count,
        average: Number(average),
        complete,
        partial,
        minimal,
        href: href(),
        hrefs: Object.fromEntries(QUALITY_BANDS.map(({ key: band, filters: more }) => [band, href(more)])) as Record<
          QualityBand['key'],
          string
        >,
      };
    });
    return {
      total,
      href: cardsHref(filters),
      average: total === 0 ? null : Math.round((sum(({ scores }) => Number(scores)) / total) * 10) / 10,
      by_type,
      worst: worst.map(({ id, type, name, score }) => ({
        id,
        type,
        name,
        data_quality: Number(score),
        href: cardHref(id),
      })),
      orphans: orphans === undefined ? null : { count: orphans, href: cardsHref(filters, { has_relation: 'none' }) },
      stale: { count: sum(({ stale }) => stale), href: cardsHref(filters, { updated_before: before }), before },
      missing,
      by_owner:
        owners?.flatMap(({ user_id, count, average }) => {
          const user = names.get(user_id);
          return user
            ? {
                user: { id: user.id, display_name: user.display_name },
                count,
                average: Number(average),
                href: 'stakeholder_id' in filters ? null : cardsHref(filters, { stakeholder_id: user_id }),
              }
            : [];
        }) ?? null,
    };
  });
}

function picture(
  { total, average, by_type, orphans, stale, missing }: Answer,
  request: ReportRequest<Static<typeof parameters>>,
): Picture {
  const { lang } = request;
  const texts = textsOf(lang);
  const { column, quality, unit } = texts;
  const number = new Intl.NumberFormat(lang);
  // Of one type, the bands are compared instead of the types.
  const only = by_type.length === 1 ? by_type[0] : undefined;
  return {
    title: column.dataQuality,
    subtitle: line(
      average === null
        ? countWords(total, 'card', lang)
        : quality.mean(countWords(total, 'card', lang), number.format(average)),
      filterWords(request),
    ),
    description: by_type
      .map(
        ({ label, count, average: mean }) =>
          `${label}: ${quality.mean(countWords(count, 'card', lang), number.format(mean))}`,
      )
      .join('; '),
    content: {
      kind: 'panels',
      panels: [
        ...(only
          ? [
              {
                title: quality.byScore,
                picture: {
                  kind: 'bars' as const,
                  categories: QUALITY_BANDS.map((band) => ({
                    label: bandLabel(band, texts),
                    href: only.hrefs[band.key],
                  })),
                  series: [
                    {
                      label: column.cards,
                      values: QUALITY_BANDS.map(({ key }) => only[key]),
                      colors: QUALITY_BANDS.map(({ color }) => color),
                    },
                  ],
                  unit: unit.cards,
                },
              },
            ]
          : [
              {
                title: quality.byType,
                isWide: true,
                picture: {
                  kind: 'bars' as const,
                  categories: by_type.map(({ label, icon, href }) => ({ label, icon, href })),
                  series: QUALITY_BANDS.map((band) => ({
                    label: bandLabel(band, texts),
                    color: band.color,
                    values: by_type.map((row) => row[band.key]),
                    hrefs: by_type.map(({ hrefs }) => hrefs[band.key]),
                  })),
                  unit: unit.cards,
                },
              },
            ]),
        {
          title: quality.attention,
          picture: {
            kind: 'figures',
            figures: [
              ...(orphans
                ? [
                    {
                      label: quality.orphans,
                      value: number.format(orphans.count),
                      href: orphans.href ?? undefined,
                    },
                  ]
                : []),
              {
                label: quality.stale,
                value: number.format(stale.count),
                note: quality.since(stale.before.slice(0, 10)),
                href: stale.href ?? undefined,
              },
            ],
          },
        },
        ...(missing.length === 0
          ? []
          : [
              {
                title: column.missing,
                picture: {
                  kind: 'bars' as const,
                  categories: missing
                    .slice(0, 15)
                    .map(({ field_label, href }) => ({ label: field_label, href: href ?? undefined })),
                  series: [{ label: column.withoutValue, values: missing.slice(0, 15).map(({ count }) => count) }],
                  unit: unit.cards,
                },
              },
            ]),
      ],
    },
  };
}

/** Scores of data quality, and what lowers them. */
export const dataQuality = defineReport<ReportsServices, typeof parameters, typeof answer>({
  id: 'data-quality',
  title: 'Data quality',
  description:
    'Scores by card type and owner, the cards with the lowest scores, cards without relations, cards that have not changed for long, and with one card type its missing values.',
  permission: VIEW,
  parameters,
  cardFilters: true,
  answer,
  run,
  tables: ({ by_type, worst, missing, by_owner }, { lang }) => {
    const texts = textsOf(lang);
    const { column } = texts;
    return [
      {
        name: column.byType,
        columns: [
          { title: column.type, kind: 'text' },
          { title: column.cards, kind: 'number' },
          { title: column.mean, kind: 'number' },
          ...QUALITY_BANDS.map((band) => ({ title: bandLabel(band, texts), kind: 'number' as const })),
        ],
        rows: by_type.map((row) => [row.label, row.count, row.average, row.complete, row.partial, row.minimal]),
      },
      {
        name: column.lowest,
        columns: [
          { title: column.name, kind: 'text' },
          { title: column.type, kind: 'text' },
          { title: column.score, kind: 'number' },
          { title: column.id, kind: 'text' },
        ],
        rows: worst.map(({ id, name, type, data_quality }) => [name, type, data_quality, id]),
      },
      {
        name: column.missing,
        columns: [
          { title: column.field, kind: 'text' },
          { title: column.cards, kind: 'number' },
        ],
        rows: missing.map(({ field_label, count }) => [field_label, count]),
      },
      {
        name: column.byOwner,
        columns: [
          { title: column.user, kind: 'text' },
          { title: column.cards, kind: 'number' },
          { title: column.mean, kind: 'number' },
        ],
        rows: (by_owner ?? []).map(({ user, count, average }) => [user.display_name, count, average]),
      },
    ];
  },
  picture,
});
