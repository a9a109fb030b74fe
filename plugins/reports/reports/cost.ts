import {
  defineReport,
  Nullable,
  Strict,
  Type,
  type Inventory,
  type InventoryFilters,
  type InventoryType,
  type ReportRequest,
  type Static,
} from '@lintel/sdk';
import { groupingOf } from '../groups.js';
import { cardsHref, within } from '../links.js';
import { amount } from '../numbers.js';
import { FieldKey, Parameters, typesOf } from '../parameters.js';
import { VIEW } from '../permissions.js';
import type { ReportsServices } from '../services.js';
import { costPicture } from './cost-picture.js';
import { readByCards, readByField, type Related, type SumRow } from './cost-repository.js';
import { treeOf } from './cost-tree.js';
import { textsOf } from '../words/index.js';
import { FIGURE, LOOK } from './shapes.js';

const MOST_GROUPS = 500;
const HIERARCHY = 'parent';
const TREND_DAYS = 365;

const parameters = Strict({
  field: FieldKey('The cost that is summed.', 'attributes.costTotalAnnual'),
  group_by: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 130,
      default: 'type',
      description:
        '`type` or another field as in the portfolio; `parent` for the hierarchy of the cards; or the key of a relation type: by the cards at its other end, with their hierarchy.',
      examples: ['applicationToBusinessCapability'],
    }),
  ),
});

const GROUP = {
  key: Nullable(Type.String({ description: 'A value, or the id of a card; null for cards without one.' })),
  label: Type.String(),
  ...LOOK,
  sum: Nullable(Type.Number()),
  ...FIGURE,
};
/** A group, with the groups of the cards below it. */
export interface CostGroup {
  key: string | null;
  label: string;
  color?: string;
  /** Where the group is a card type. */
  icon?: string;
  sum: number | null;
  count: number;
  href: string | null;
  children?: CostGroup[];
}

export const answer = Type.Object({
  field: Type.String(),
  label: Type.String(),
  currency: Nullable(Type.String()),
  total: Nullable(Type.Number({ description: 'Of all matching cards with a visible value.' })),
  ...FIGURE,
  group_by: Type.String(),
  group_label: Type.String({ description: 'What the groups are.' }),
  groups: Type.Array(
    Type.Object(
      { ...GROUP, children: Type.Optional(Type.Array(Type.Unsafe<CostGroup>({ type: 'object' }))) },
      {
        description:
          'By sum. A group of cards has the sum of the cards below it as well, each card once. A card that is in several groups counts in each.',
      },
    ),
  ),
  truncated: Type.Boolean({ description: 'Whether there are more than 500 groups.' }),
  trend: Nullable(
    Type.Array(Type.Object({ date: Type.String({ format: 'date' }), sum: Nullable(Type.Number()) }), {
      description:
        'Sums of the last 365 days, from figures stored each day; null with other filters than `type`, and for callers who do not see all costs.',
    }),
  ),
});
export type Answer = Static<typeof answer>;

/** The relation type by which costs are grouped, the end at which their cards are, and the types of these. */
function relatedBy(
  inventory: Inventory,
  key: string,
  types: readonly InventoryType[],
): (Related & { types: readonly InventoryType[] }) | undefined {
  const type = inventory.relationTypes.get(key);
  if (!type) return undefined;
  const at = (end: string): readonly InventoryType[] => types.filter((one) => end === '*' || one.key === end);
  for (const [side, end] of [
    ['source', type.sourceType],
    ['target', type.targetType],
  ] as const)
    if (at(end).length > 0) {
      const far = side === 'source' ? type.targetType : type.sourceType;
      // A type that the caller does not see is none that a filter may name.
      return { relationType: key, side, farType: inventory.types.has(far) ? far : undefined, types: at(end) };
    }
  return undefined;
}

/** The label of the cards at the other ends of the relations. */
function farLabel({ relationTypes, types }: Inventory, { relationType, side }: Related): string {
  const { label, reverseLabel, sourceType, targetType } = relationTypes.get(relationType)!;
  const [far, own] = side === 'source' ? [targetType, label] : [sourceType, reverseLabel];
  return types.get(far)?.label ?? own;
}

async function run(
  { host, snapshots }: ReportsServices,
  { ctx, parameters: query, filters: given, lang, asOf }: ReportRequest<Static<typeof parameters>>,
): Promise<Answer> {
  const groupBy = query.group_by ?? 'type';
  return await host.inventory.read(ctx, { lang, asOf }, async (inventory) => {
    const check = new Parameters(host, inventory);
    const named = typesOf(given);
    for (const type of named ?? []) check.type('type', type);
    const cost = check.summed('field', query.field, named);
    const having = [...inventory.types.values()].filter(
      ({ key, fields }) => fields.some((field) => field.key === cost?.key) && (named?.includes(key) ?? true),
    );
    const related = relatedBy(inventory, groupBy, having);
    const isTree = groupBy === HIERARCHY || related !== undefined;
    const field = isTree
      ? undefined
      : check.grouped(
          'group_by',
          groupBy,
          having.map(({ key }) => key),
        );
    check.check();
    if (cost!.isCost) inventory.demandCosts();
    const filters: InventoryFilters = {
      ...given,
      type: (related?.types ?? having).map(({ key }) => key).join(','),
    };
    const withValue = { [`${cost!.key}[empty]`]: false };
    const href = (more: InventoryFilters | undefined): string | null => {
      const all = within(filters, more);
      return all && !Object.hasOwn(given, `${cost!.key}[empty]`) ? cardsHref(all, withValue) : null;
    };
    const trend =
      inventory.costs === 'all' && cost!.isCost ? await snapshots.trend(inventory, given, TREND_DAYS, cost) : undefined;
    const head = (total: SumRow) => ({
      trend: trend?.map((day) => ({ date: day.date, sum: day.cost ?? null })) ?? null,
      field: cost!.key,
      label: cost!.label,
      currency: cost!.isCost ? host.workspace().currency : null,
      total: amount(total.sum),
      count: total.count,
      href: href({}),
      group_by: groupBy,
      group_label: field?.label ?? (related ? farLabel(inventory, related) : textsOf(lang).cost.hierarchy),
    });
    if (isTree) {
      const { total, without, rows } = await readByCards(inventory, filters, cost!, related, MOST_GROUPS + 1);
      const link = (id: string): string | null =>
        href(
          related
            ? { related_root_id: id, relation_type: related.relationType, direction: directionOf(related) }
            : { root_id: id },
        );
      const groups: CostGroup[] = treeOf(rows.slice(0, MOST_GROUPS), inventory, link);
      if (without && without.count > 0)
        groups.push({
          key: null,
          label: textsOf(lang).value.without,
          sum: amount(without.sum),
          count: without.count,
          href: href({ lacks_relation: related!.relationType, direction: directionOf(related!) }),
        });
      return { ...head(total), groups, truncated: rows.length > MOST_GROUPS };
    }
    const grouping = await groupingOf(inventory, field!, filters, lang);
    const { total, rows } = await readByField(inventory, filters, cost!, grouping, MOST_GROUPS + 1);
    return {
      ...head(total),
      groups: rows.slice(0, MOST_GROUPS).map(({ key: value, sum, count }) => {
        const { key, label, color, filters: own } = grouping.group(value);
        const icon = field!.key === 'type' && key !== null ? inventory.types.get(key)?.icon : undefined;
        return {
          key,
          label,
          ...(color !== undefined && { color }),
          ...(icon !== undefined && { icon }),
          sum: amount(sum),
          count,
          href: href(own),
        };
      }),
      truncated: rows.length > MOST_GROUPS,
    };
  });
}

const directionOf = ({ side }: Related): string => (side === 'source' ? 'outgoing' : 'incoming');

/** Sums of a cost. */
export const cost = defineReport<ReportsServices, typeof parameters, typeof answer>({
  id: 'cost',
  title: 'Cost',
  description: 'Sums of a cost by a field, by the hierarchy of the cards, or by related cards with their hierarchy.',
  permission: VIEW,
  parameters,
  cardFilters: true,
  answer,
  run,
  tables: ({ label, currency, groups }, { lang }) => {
    const { column } = textsOf(lang);
    const rows = (of: readonly CostGroup[], level: number): (string | number | null)[][] =>
      of.flatMap((group) => [[group.label, level, group.count, group.sum], ...rows(group.children ?? [], level + 1)]);
    return [
      {
        name: column.cost,
        columns: [
          { title: column.group, kind: 'text' },
          { title: column.level, kind: 'number' },
          { title: column.cards, kind: 'number' },
          { title: currency === null ? label : `${label}, ${currency}`, kind: 'number' },
        ],
        rows: rows(groups, 1),
      },
    ];
  },
  picture: costPicture,
});
