import { defineReport, type InventoryFilters, type ReportRequest } from '@lintel/sdk';
import { groupingOf, type Group } from '../groups.js';
import { cardHref, cardsHref, within } from '../links.js';
import { Parameters } from '../parameters.js';
import { VIEW } from '../permissions.js';
import type { ReportsServices } from '../services.js';
import { textsOf } from '../words/index.js';
import { axisOf, boundsOf } from './lifecycle-axis.js';
import { lifecyclePicture } from './lifecycle-picture.js';
import { readGroups, readItems, readTotals } from './lifecycle-repository.js';
import { answer, parameters, type Answer, type Query } from './lifecycle-schemas.js';
import { overlaps, phaseRanges, PHASES, phaseView } from './phases.js';

const MOST_ITEMS = 500;

async function run(
  { host }: ReportsServices,
  { ctx, parameters: query, filters: given, lang, asOf }: ReportRequest<Query>,
): Promise<Answer> {
  return await host.inventory.read(ctx, { lang, asOf }, async (inventory) => {
    const check = new Parameters(host, inventory);
    const type = check.type('type', query.type);
    const field = type && check.grouped('group_by', query.group_by, [query.type], true);
    const bounds = boundsOf(check, query);
    check.check();
    const filters: InventoryFilters = { ...given, type: query.type };
    const dated = within(filters, { 'lifecycle[empty]': false });
    const undated = within(filters, { 'lifecycle[empty]': true });
    const totals = await readTotals(inventory, filters);
    const group = field && (await groupingOf(inventory, field, filters, lang));
    // Where the caller filters by `lifecycle[empty]=true`, no card has dates.
    const counts = group && dated ? await readGroups(inventory, dated, group) : [];
    const rows = dated ? await readItems(inventory, dated, group, MOST_ITEMS + 1) : [];
    const axis = axisOf(bounds, totals, inventory.today);
    const groups = group ? group.ordered(counts.map(({ key }) => key)) : [];
    const places = new Map(groups.map(({ key }, place) => [key, place]));
    const keyOf = (key: string | null): string | null => group?.group(key).key ?? null;
    const href = (one: Group): string | null => {
      const all = dated && within(dated, one.filters);
      return all ? cardsHref(all) : null;
    };
    const phases = inventory.field('lifecycle_phase')?.options ?? [];
    return {
      type: { key: type!.key, label: type!.label },
      ...(group && { group_by: { field: group.field.key, label: group.field.label } }),
      today: inventory.today,
      ...axis,
      phases: PHASES.map((phase) => phaseView(phase, phases)),
      groups: groups.map((one) => ({
        key: one.key,
        label: one.label,
        ...(one.color !== undefined && { color: one.color }),
        count: counts.reduce((sum, { key, count }) => (keyOf(key) === one.key ? sum + count : sum), 0),
        href: href(one),
      })),
      items: rows
        .slice(0, MOST_ITEMS)
        .map(({ id, name, group: key, lifecycle }) => ({
          id,
          name,
          group: keyOf(key),
          href: cardHref(id),
          phases: phaseRanges(lifecycle).filter((range) => overlaps(range, axis.from, axis.to)),
        }))
        .sort((a, b) => (places.get(a.group) ?? 0) - (places.get(b.group) ?? 0)),
      total: totals.total,
      href: dated ? cardsHref(dated) : null,
      without: { count: totals.without, href: undated ? cardsHref(undated) : null },
      truncated: rows.length > MOST_ITEMS,
    };
  });
}

/** The phases of cards on a time axis. */
export const lifecycle = defineReport<ReportsServices, typeof parameters, typeof answer>({
  id: 'lifecycle',
  title: 'Life cycle',
  description: 'A roadmap: the phases of the cards of a type on a time axis, in groups.',
  permission: VIEW,
  parameters,
  cardFilters: true,
  answer,
  run,
  tables: ({ type, group_by, groups, items, phases }, { lang }) => {
    const { column } = textsOf(lang);
    const labels = new Map(groups.map(({ key, label }) => [key, label]));
    const names = new Map(phases.map(({ phase, label }) => [phase, label]));
    return [
      {
        name: column.phases,
        columns: [
          ...(group_by ? [{ title: group_by.label, kind: 'text' as const }] : []),
          { title: type.label, kind: 'text' },
          { title: column.phase, kind: 'text' },
          { title: column.from, kind: 'date' },
          { title: column.to, kind: 'date' },
        ],
        rows: items.flatMap((item) =>
          item.phases.map(({ phase, from, to }) => [
            ...(group_by ? [labels.get(item.group) ?? null] : []),
            item.name,
            names.get(phase)!,
            from,
            to,
          ]),
        ),
      },
    ];
  },
  picture: lifecyclePicture,
});
