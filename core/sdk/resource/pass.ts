import { isDeepStrictEqual } from 'node:util';
import { requireRoom } from '../bounds.js';
import { ErrorBudget } from '../bulk.js';
import type { BulkPass } from '../bulk-runner.js';
import { Problem } from '../problem.js';
import type { ModuleServices, UnitOfWork } from '../services.js';
import { TimeSlice } from '../time-slice.js';
import { failedRow } from './bulk-operations.js';
import type { Known } from './known.js';
import type { Link } from './links.js';
import type { Call, ResourceOperation, ResourceOutcome, ResourceBulkRow } from './operation.js';
import type { ResourceParts } from './parts.js';
import { ResourcePlan } from './plan.js';
import type { Written } from './repository.js';
import type { Row, Values } from './spec.js';

/** The place of a pass in its bulk request. */
interface Part {
  /** Index of its first operation in the bulk request. */
  first: number;
  /** Ids of created resources by `ref`. */
  refs: Map<string, string>;
  /** By index in the pass: the problem of an operation that is refused without being applied. */
  refused: readonly (Problem | undefined)[];
}

/** Operations on a resource that are applied in memory while its rows are locked, and then written together. */
export class ResourcePass implements BulkPass<ResourceBulkRow> {
  private readonly done: (ResourceOutcome | Problem)[] = [];
  private rows: ResourceBulkRow[] = [];
  private plan: ResourcePlan | undefined;
  private stored: ReadonlyMap<string, Row> = new Map();

  constructor(
    private readonly parts: ResourceParts,
    private readonly host: ModuleServices,
    private readonly uow: UnitOfWork,
    private readonly operations: readonly ResourceOperation[],
    private readonly known: Known,
    private readonly call: Call,
    private readonly part: Part = { first: 0, refs: new Map(), refused: [] },
  ) {}

  async check(): Promise<readonly ResourceBulkRow[]> {
    const { parts, host, uow, operations, known, call, part } = this;
    const named = operations.flatMap(
      ({ id, ref }) => id?.toLowerCase() ?? (ref === undefined ? undefined : part.refs.get(ref)) ?? [],
    );
    const removes = operations.some(({ op }) => op === 'delete');
    const purpose = call.isDryRun ? 'dry run' : removes ? 'remove' : 'change';
    this.stored = await parts.rows.lock(uow, [...new Set(named)], purpose);
    this.plan = new ResourcePlan(parts, host, uow, this.stored, known, call, part.refs);
    const slice = new TimeSlice();
    for (const [i, operation] of operations.entries()) {
      this.done.push(part.refused[i] ?? (await attempt(this.plan.apply(operation))));
      if (slice.isOver) await slice.next();
    }
    const budget = new ErrorBudget();
    this.rows = this.done.map((result, index) => {
      const operation = operations[index]!;
      if (result instanceof Problem) {
        const checked = { operation, refusal: part.refused[index] };
        return failedRow(parts.spec, checked, index, part.first + index, result, budget);
      }
      const { ref } = operation;
      return { index, ...(ref !== undefined && { ref }), ...result };
    });
    // References of new resources may depend on what is allocated when they are written.
    if (call.isDryRun) this.addReferences((id) => this.stored.get(id));
    return this.rows;
  }

  async write(): Promise<void> {
    const { uow, parts } = this;
    const plan = this.plan!;
    await this.derive(plan);
    const left = [...plan.after.values()].filter((row) => row !== undefined);
    const [created, changed] = [
      left.filter(({ id }) => !this.stored.has(id)),
      left.filter(({ id }) => this.stored.has(id)),
    ];
    await this.requireRoom(created);
    // In this order, because changed rows may reference created ones, and no longer reference deleted ones.
    await parts.rows.insert(uow, await this.written(created));
    await parts.rows.update(uow, await this.written(changed));
    await this.link(left);
    await parts.rows.remove(
      uow,
      [...plan.after].flatMap(([id, row]) => (!row && this.stored.has(id) ? [id] : [])),
    );
    const slice = new TimeSlice();
    for (const event of plan.events()) {
      uow.emit(event);
      if (slice.isOver) await slice.next();
    }
    this.addReferences((id) => plan.after.get(id) ?? plan.gone.get(id) ?? this.stored.get(id));
  }

  problem(index: number): Problem {
    return this.done[index] as Problem;
  }

  /** Sets the `derived` fields of all rows. */
  private async derive(plan: ResourcePlan): Promise<void> {
    const { host, uow } = this;
    const rows = [...plan.after].flatMap(([id, row]) => {
      const next = row ?? plan.gone.get(id);
      return next ? [{ id, before: this.stored.get(id), next }] : [];
    });
    if (rows.length === 0) return;
    const set = await this.parts.spec.prepareAll?.({ host, uow, ctx: uow.ctx, rows });
    rows.forEach(({ next }, i) => plan.derive(next, set?.[i]));
  }

  /** @throws limit_reached if there would be more resources than the bounds allow */
  private async requireRoom(created: readonly Row[]): Promise<void> {
    const { bounded, columns } = this.parts;
    if (!bounded || created.length === 0) return;
    const named = created.map((row) =>
      Object.fromEntries([
        ['created_by', row.created_by],
        ...columns.map(({ name, column }) => [column, row[name]] as const),
      ]),
    );
    await requireRoom(this.uow, bounded, named, (code, details) => this.host.problem(code, details));
  }

  /** The data to write: of stored resources, only the changed fields. */
  private async written(rows: readonly Row[]): Promise<Written[]> {
    const slice = new TimeSlice();
    const written: Written[] = [];
    for (const row of rows) {
      const before = this.stored.get(row.id);
      const values = Object.fromEntries(
        this.parts.columns.flatMap(({ name }) =>
          before && isDeepStrictEqual(before[name], row[name]) ? [] : [[name, row[name]]],
        ),
      );
      written.push({ id: row.id, version: row.version, values, computed: this.computed(row) });
      if (slice.isOver) await slice.next();
    }
    return written;
  }

  private computed(row: Row): Values {
    const { computed = {}, search, reference } = this.parts.spec;
    const values = Object.entries(computed).map(([name, compute]) => [name, compute(row, this.host)]);
    const words = search
      ?.flatMap((name) => row[name] ?? [])
      .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
    if (reference) words?.unshift(reference(row, this.host));
    return {
      ...(Object.fromEntries(values) as Values),
      ...(words && { search_text: this.host.searchFold(words.join(' ')) }),
    };
  }

  private async link(rows: readonly Row[]): Promise<void> {
    const { links } = this.parts;
    if (!links) return;
    const put: { id: string; link: Link }[] = [];
    const gone: { id: string; card_id: string }[] = [];
    for (const row of rows) {
      const moved = links.moved(this.stored.get(row.id), row);
      for (const link of moved.put) put.push({ id: row.id, link });
      for (const card_id of moved.gone) gone.push({ id: row.id, card_id });
    }
    await links.rows.write(this.uow, put, gone);
  }

  /** Adds references to the rows of the response; they may depend on `derived` fields. */
  private addReferences(rowOf: (id: string) => Row | undefined): void {
    const { reference } = this.parts.spec;
    if (!reference) return;
    for (const result of this.rows) {
      const { id } = result;
      const row = id === undefined ? undefined : rowOf(id);
      if (row) result.reference = reference(row, this.host);
    }
  }
}

async function attempt(work: Promise<ResourceOutcome>): Promise<ResourceOutcome | Problem> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return error;
    throw error;
  }
}
