import { isDeepStrictEqual } from 'node:util';
import { TimeSlice, type RequestContext, type UnitOfWork } from '@lintel/sdk';
import { requireActiveInitiative, type Host } from '../basics.js';
import { dayOf } from '../calendar/days.js';
import type { WorkingCalendar } from '../calendar/working-calendar.js';
import type { Costs } from '../costs/costs.js';
import { currencyFaults } from '../costs/currency.js';
import { releaseCostsOf } from '../costs/release.js';
import { lockPlan, patchPlan } from '../plan/repository.js';
import { planChanged } from '../rollup/queue.js';
import type { LoadedPlan, Plans } from '../schedule/plan.js';
import type { ItemRow } from '../schedule/repository.js';
import type { StoredCalendar } from '../schedule/repository.js';
import type { PlanItem } from '../schedule/types.js';
import { releaseTasksOf } from '../tasks/release.js';
import type { Tasks } from '../tasks/resource.js';
import { daysIn } from '../wbs/dates.js';
import { recountDurations } from '../wbs/repository.js';
import { compareItems, type CompareContext, type ItemChanges, type WantedItem } from './compare.js';
import { compareLinks, type LinkChanges } from './compare-links.js';
import { eventsOf } from './events.js';
import { sorted } from './export.js';
import { refused, type PlanFiles } from './files.js';
import { Problems, type FilePlan } from './file-plan.js';
import {
  deleteItems,
  deleteLinks,
  freeExternals,
  insertItems,
  noteProgress,
  renumber,
  updateItems,
  writeLinks,
  type WrittenItem,
} from './repository.js';
import type { ImportQuery, ImportView } from './schemas.js';
import { storable } from './xml.js';

/** Everything that an import would change. */
export interface PlanChanges {
  items: ItemChanges;
  links: LinkChanges;
  /** Undefined for no change. */
  calendar: StoredCalendar | undefined;
  start_date: string | undefined;
  /** The calendar after the import. */
  effective: WorkingCalendar;
  notes: string[];
}

/** Imports of plans: compared with what is stored, then written in one transaction. */
export class PlanImport {
  constructor(
    private readonly host: Host,
    private readonly plans: Plans,
    private readonly files: PlanFiles,
    private readonly tasks: Tasks,
    private readonly costs: Costs,
  ) {}

  /** @throws not_found, invalid_state, ppm_file_refused, rate_limited, unavailable */
  async run(
    ctx: RequestContext,
    cardId: string,
    bytes: Buffer,
    format: 'csv' | 'mspdi',
    query: ImportQuery,
  ): Promise<ImportView> {
    const card = await requireActiveInitiative(this.host, ctx, cardId);
    const file = await this.files.read(ctx, bytes, format);
    const hasCosts = (await this.host.cards.seesCosts(ctx, [card.id])).has(card.id);
    const removes = query.remove_missing === true;
    if (query.dry_run === true)
      return viewOf(
        await this.#compare(file, await this.plans.loadStored(card.id), removes, hasCosts),
        file,
        query,
        removes,
      );
    let view: ImportView | undefined;
    await this.host.transactions.run(ctx, async (uow) => {
      const { version, start_date, calendar } = await lockPlan(uow, card.id);
      this.host.checkVersion(ctx, version, ['calendar', 'start_date']);
      const changes = await this.#compare(file, await this.plans.loadStored(card.id, uow), removes, hasCosts);
      await this.#write(uow, card, changes, removes, { version, start_date, calendar });
      view = viewOf(changes, file, query, removes);
      return { id: card.id, version };
    });
    // A repeated request with the same Idempotency-Key is not run again: it then compares with what it has stored.
    return (
      view ??
      viewOf(await this.#compare(file, await this.plans.loadStored(card.id), removes, hasCosts), file, query, removes)
    );
  }

  /** @throws ppm_file_refused */
  async #compare(file: FilePlan, plan: LoadedPlan<ItemRow>, removes: boolean, hasCosts: boolean): Promise<PlanChanges> {
    const problems = new Problems();
    const rows = plan.items.map(({ row }) => row);
    const { stored, calendar } = this.#calendar(file, plan);
    const context: CompareContext = {
      calendar,
      currency: this.host.workspace().currency,
      hasCosts,
      currencyFault: (currency, date) =>
        currencyFaults(this.host, currency, date ?? new Date().toISOString().slice(0, 10))[0]?.reason,
      newId: () => this.host.newId(),
    };
    const items = await compareItems(file, rows, removes, context, problems);
    const slice = new TimeSlice();
    const after: PlanItem[] = [
      ...items.items.map(({ id, values }) => ({ id, ...values })),
      ...(removes ? [] : items.missing),
    ];
    await slice.next();
    const links = await compareLinks(file.links, plan.dependencies, items, removes, after, context, problems);
    if (problems.list.length > 0) throw refused(problems.list);
    const hasAmounts = file.items.some(({ planned_cost }) => planned_cost !== undefined && planned_cost !== null);
    const notes =
      hasAmounts && !hasCosts ? ['Costs were not read: the right to see the costs of the initiative is required.'] : [];
    const start_date = startOf(file, plan, calendar);
    return { items, links, calendar: stored, effective: calendar, start_date, notes: [...file.notes, ...notes] };
  }

  /** The calendar after the import; `stored` is undefined if that of the plan need not be changed for it. */
  #calendar(
    file: FilePlan,
    { row, holidays, calendar }: LoadedPlan,
  ): { stored: StoredCalendar | undefined; calendar: WorkingCalendar } {
    if (file.calendar === undefined) return { stored: undefined, calendar };
    const { working_days, exceptions } = file.calendar;
    const stored: StoredCalendar = {
      ...(working_days !== null && { working_days }),
      ...(exceptions.length > 0 && {
        exceptions: exceptions.map(({ date, working, name }) => ({ date, working, ...(name !== null && { name }) })),
      }),
    };
    const before = row?.calendar;
    const isSame = before && isDeepStrictEqual(normal(before), normal(stored));
    const wanted = this.plans.calendarOf(stored, holidays);
    // A calendar that works on the same days as before would only say so twice.
    if (isSame || (!before && wanted.equals(calendar))) return { stored: undefined, calendar };
    return { stored, calendar: wanted };
  }

  async #write(
    uow: UnitOfWork,
    card: { id: string; name: string },
    changes: PlanChanges,
    removes: boolean,
    before: { version: number; start_date: string | null; calendar: unknown },
  ): Promise<void> {
    const { items, links } = changes;
    const isWritten = ({ stored, changed, isReordered }: WantedItem): boolean =>
      stored === undefined || changed.length > 0 || isReordered;
    const rowOf = ({ id, values }: WantedItem): WrittenItem => ({
      ...values,
      id,
      position: items.positions.get(id) ?? null,
      search_text: this.host.searchFold([values.title, values.description ?? ''].join(' ').trim()),
    });
    const slice = new TimeSlice();
    const rowsOf = async (wanted: readonly WantedItem[]): Promise<WrittenItem[]> => {
      const rows: WrittenItem[] = [];
      for (const item of wanted) {
        rows.push(rowOf(item));
        if (slice.isOver) await slice.next();
      }
      return rows;
    };
    const written = items.items.filter(isWritten);
    const gone = removes ? items.missing : [];
    const left = new Set(gone.map(({ id }) => id));
    const goneLinks = links.missing.filter(
      ({ predecessor_id, successor_id }) => removes || left.has(predecessor_id) || left.has(successor_id),
    );
    await deleteLinks(
      uow,
      card.id,
      goneLinks.map(({ id }) => id),
    );
    const updates = written.filter(({ stored }) => stored !== undefined);
    // A new external id may be that of an item that gets another one, or is removed.
    await freeExternals(uow, card.id, [
      ...updates.filter(({ changed }) => changed.includes('external_id')).map(({ id }) => id),
      ...left,
    ]);
    await insertItems(uow, card.id, await rowsOf(written.filter(({ stored }) => stored === undefined)));
    await updateItems(uow, card.id, await rowsOf(updates));
    const ids = new Set(written.map(({ id }) => id));
    await renumber(
      uow,
      card.id,
      [...items.positions].filter(([id]) => !ids.has(id)),
    );
    // Items that are kept may have been below one that is removed: they have been moved away by now.
    await releaseTasksOf(uow, this.tasks, [...left]);
    await releaseCostsOf(uow, this.costs, [...left]);
    await deleteItems(
      uow,
      card.id,
      gone.map(({ id }) => id),
    );
    await noteProgress(
      uow,
      written.flatMap(({ id, stored, values: { completion } }) =>
        completion === (stored?.completion ?? 0) ? [] : [{ id, completion }],
      ),
    );
    await writeLinks(uow, card.id, [...links.creates, ...links.updates]);
    const patch = {
      start_date: changes.start_date ?? before.start_date,
      calendar: changes.calendar ?? before.calendar,
    };
    const isPatched = changes.start_date !== undefined || changes.calendar !== undefined;
    const version = isPatched
      ? await patchPlan(uow, card.id, patch as Parameters<typeof patchPlan>[2])
      : before.version;
    if (changes.calendar !== undefined) await recountDurations(uow, card.id, daysIn(changes.effective));
    const hasChanges =
      isPatched ||
      written.length > 0 ||
      gone.length > 0 ||
      links.creates.length + links.updates.length + goneLinks.length > 0;
    if (!hasChanges) return;
    await planChanged(this.host, uow, card.id);
    for (const event of eventsOf({
      card,
      written,
      gone,
      links,
      goneLinks,
      patch: isPatched ? { before, after: patch, version } : undefined,
    })) {
      uow.emit(event);
      if (slice.isOver) await slice.next();
    }
  }
}

/** The start of the plan if the file changes it. */
function startOf(file: FilePlan, { row, items }: LoadedPlan<ItemRow>, calendar: WorkingCalendar): string | undefined {
  const [wanted, before] = [file.start_date, row?.start_date ?? null];
  if (typeof wanted !== 'string' || wanted === before) return undefined;
  if (!file.isExport) return wanted;
  if (before !== null) return calendar.indexOf(dayOf(before)) === calendar.indexOf(dayOf(wanted)) ? undefined : wanted;
  // A plan without a start goes on to compute it; another plan would compute another one.
  const stored = new Set(items.map(({ row: { id } }) => id));
  return file.items.some(({ id }) => id !== null && stored.has(id)) ? undefined : wanted;
}

const normal = ({ working_days, exceptions }: StoredCalendar) => ({
  working_days: working_days ? [...working_days].sort((a, b) => a - b) : null,
  // As a file has them: without spaces around names, and without characters that XML cannot have.
  exceptions: sorted((exceptions ?? []).map((one) => ({ ...one, name: one.name && storable(one.name).trim() }))),
});

function viewOf(
  { items, links, calendar, start_date, notes }: PlanChanges,
  file: FilePlan,
  query: ImportQuery,
  removes: boolean,
): ImportView {
  const isPreview = query.dry_run === true;
  const changes: ImportView['changes'] = items.items.flatMap(
    ({ line, id, stored, values, changed, isReordered }): ImportView['changes'] => {
      if (!stored) return [{ line, outcome: 'created', id: isPreview ? null : id, title: values.title, changed: [] }];
      if (changed.length === 0 && !isReordered) return [];
      return [
        {
          line,
          outcome: 'updated',
          id,
          title: values.title,
          changed: [...changed, ...(isReordered ? ['order' as const] : [])],
        },
      ];
    },
  );
  const count = (outcome: ImportView['changes'][number]['outcome']): number =>
    changes.filter((one) => one.outcome === outcome).length;
  const [created, updated] = [count('created'), count('updated')];
  if (removes)
    for (const { id, title } of items.missing) changes.push({ line: null, outcome: 'removed', id, title, changed: [] });
  const most = query.most ?? 1_000;
  const missing = (all: number) => ({ removed: removes ? all : 0, kept: removes ? 0 : all });
  return {
    dry_run: isPreview,
    format: file.format,
    items: { created, updated, unchanged: items.items.length - created - updated, ...missing(items.missing.length) },
    dependencies: {
      created: links.creates.length,
      updated: links.updates.length,
      unchanged: links.unchanged,
      ...missing(links.missing.length),
    },
    calendar_changed: calendar !== undefined,
    start_date_changed: start_date !== undefined,
    notes,
    truncated: changes.length > most,
    changes: changes.slice(0, most),
  };
}
