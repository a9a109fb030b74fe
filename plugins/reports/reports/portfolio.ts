import {
  defineReport,
  Nullable,
  Strict,
  Type,
  type InventoryFilters,
  type ReportRequest,
  type Static,
} from '@lintel/sdk';
import { groupingOf, type Group } from '../groups.js';
import { cardsHref, within } from '../links.js';
import { amount } from '../numbers.js';
import { CardTypeKey, FieldKey, Parameters } from '../parameters.js';
import { VIEW } from '../permissions.js';
import type { ReportsServices } from '../services.js';
import { textsOf } from '../words/index.js';
import { portfolioPicture } from './portfolio-picture.js';
import { readBuckets } from './portfolio-repository.js';

const parameters = Strict({
  type: CardTypeKey('The card type.'),
  x: FieldKey('The field of the columns.'),
  y: FieldKey('The field of the rows.', 'attributes.timeModel'),
  size: Type.Optional(FieldKey('A number or cost that is summed in each bucket.', 'attributes.costTotalAnnual')),
  color: Type.Optional(FieldKey('A field by which each bucket is split.', 'lifecycle_phase')),
  group_by: Type.Optional(
    FieldKey('A field by which each bucket is repeated, such as a portfolio per subtype.', 'subtype'),
  ),
});
export type Query = Static<typeof parameters>;

const GroupView = Type.Object(
  { key: Nullable(Type.String()), label: Type.String(), color: Type.Optional(Type.String()) },
  { 'x-name': 'ReportGroup' },
);
const Axis = Type.Object({ field: Type.String(), label: Type.String(), values: Type.Array(GroupView) });
const COUNT = { count: Type.Integer({ minimum: 0 }), href: Nullable(Type.String()) };
const Sum = Type.Optional(
  Nullable(Type.Number({ description: 'Of `size`; null if no card of it has a visible value.' })),
);

const answer = Type.Object({
  type: Type.String(),
  type_label: Type.String(),
  total: Type.Integer(),
  href: Type.String(),
  axes: Type.Object({ x: Axis, y: Axis }),
  size: Type.Optional(
    Type.Object({ field: Type.String(), label: Type.String(), currency: Type.Optional(Type.String()) }),
  ),
  color: Type.Optional(Axis),
  group_by: Type.Optional(Axis),
  buckets: Type.Array(
    Type.Object({
      x: Nullable(Type.String()),
      y: Nullable(Type.String()),
      group: Type.Optional(Nullable(Type.String())),
      ...COUNT,
      sum: Sum,
      colors: Type.Optional(
        Type.Array(Type.Object({ key: Nullable(Type.String()), label: Type.String(), ...COUNT, sum: Sum })),
      ),
    }),
    { description: 'A card with several values of a field is in the bucket of each.' },
  ),
});
export type Answer = Static<typeof answer>;
type Bucket = Answer['buckets'][number];

async function run(
  { host }: ReportsServices,
  { ctx, parameters: query, filters: given, lang, asOf }: ReportRequest<Query>,
): Promise<Answer> {
  return await host.inventory.read(ctx, { lang, asOf }, async (inventory) => {
    const check = new Parameters(host, inventory);
    const types = [query.type];
    const type = check.type('type', query.type);
    const x = check.grouped('x', query.x, types);
    const y = check.grouped('y', query.y, types);
    const size = check.summed('size', query.size, types);
    if (size?.isCost && inventory.costs === 'none') check.wrong('size', 'is a cost, and you may see no costs');
    const color = check.grouped('color', query.color, types, true);
    const group = check.grouped('group_by', query.group_by, types);
    check.check();
    const filters: InventoryFilters = { ...given, type: query.type };
    const by = async (field: typeof x) => field && (await groupingOf(inventory, field, filters, lang));
    const groupings = { x: (await by(x))!, y: (await by(y))!, group: await by(group), color: await by(color) };
    const { rows, total } = await readBuckets(inventory, filters, groupings, size);
    const href = (...groups: (Group | undefined)[]): string | null => {
      let all: InventoryFilters | undefined = filters;
      for (const one of groups) if (one && all) all = within(all, one.filters);
      return all ? cardsHref(all) : null;
    };
    const buckets = new Map<string, Bucket>();
    for (const row of rows) {
      const at = {
        x: groupings.x.group(row.x),
        y: groupings.y.group(row.y),
        group: groupings.group?.group(row.g),
        color: groupings.color?.group(row.color),
      };
      const figures = (...groups: (Group | undefined)[]) => ({
        count: row.count,
        href: href(...groups),
        ...(size && { sum: amount(row.sum) }),
      });
      const place = JSON.stringify([row.x, row.y, row.g]);
      if (row.is_whole)
        buckets.set(place, {
          x: at.x.key,
          y: at.y.key,
          ...(at.group && { group: at.group.key }),
          ...figures(at.x, at.y, at.group),
          ...(at.color && { colors: [] }),
        });
      else
        buckets
          .get(place)
          ?.colors?.push({ key: at.color!.key, label: at.color!.label, ...figures(at.x, at.y, at.group, at.color) });
    }
    const axis = (of: typeof groupings.group, keys: (string | null)[]) =>
      of && {
        field: of.field.key,
        label: of.field.label,
        values: of
          .ordered(keys)
          .map(({ key, label, color: shade }) => ({ key, label, ...(shade && { color: shade }) })),
      };
    const currency = size?.isCost ? host.workspace().currency : undefined;
    return {
      type: query.type,
      type_label: type!.label,
      total,
      href: cardsHref(filters),
      axes: {
        x: axis(
          groupings.x,
          rows.map((row) => row.x),
        )!,
        y: axis(
          groupings.y,
          rows.map((row) => row.y),
        )!,
      },
      ...(size && { size: { field: size.key, label: size.label, ...(currency !== undefined && { currency }) } }),
      ...(groupings.color && {
        color: axis(
          groupings.color,
          rows.filter((row) => !row.is_whole).map((row) => row.color),
        )!,
      }),
      ...(groupings.group && {
        group_by: axis(
          groupings.group,
          rows.map((row) => row.g),
        )!,
      }),
      buckets: [...buckets.values()],
    };
  });
}

/** Cards of a type by two fields. */
export const portfolio = defineReport<ReportsServices, typeof parameters, typeof answer>({
  id: 'portfolio',
  title: 'Portfolio',
  description: 'Cards of a type by two fields, with counts and sums.',
  permission: VIEW,
  parameters,
  cardFilters: true,
  answer,
  run,
  tables: ({ axes, size, group_by, buckets }, { lang }) => {
    const { column } = textsOf(lang);
    const label = (values: { key: string | null; label: string }[], key: string | null | undefined) =>
      values.find((value) => value.key === key)?.label ?? null;
    return [
      {
        name: column.portfolio,
        columns: [
          { title: axes.x.label, kind: 'text' },
          { title: axes.y.label, kind: 'text' },
          ...(group_by ? [{ title: group_by.label, kind: 'text' as const }] : []),
          { title: column.cards, kind: 'number' },
          ...(size ? [{ title: [size.label, size.currency].filter(Boolean).join(', '), kind: 'number' as const }] : []),
        ],
        rows: buckets.map(({ x, y, group, count, sum }) => [
          label(axes.x.values, x),
          label(axes.y.values, y),
          ...(group_by ? [label(group_by.values, group)] : []),
          count,
          ...(size ? [sum ?? null] : []),
        ]),
      },
    ];
  },
  picture: portfolioPicture,
});
