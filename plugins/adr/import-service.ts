import { isDeepStrictEqual } from 'node:util';
import {
  contentHash,
  TimeSlice,
  type ModuleServices,
  type RequestContext,
  type UnitOfWork,
  type UploadedFile,
} from '@lintel/sdk';
import { contentOf } from './content-repository.js';
import { readFiles, type FileRecord } from './import-files.js';
import { planImport, relationsOf, type Step } from './import-plan.js';
import {
  endImported,
  findKnown,
  insertImported,
  lockImported,
  readCompared,
  updateImported,
  type Compared,
  type Imported,
} from './import-repository.js';
import type { FileVerdict, ImportQuery, ImportResult, Outcome } from './import-schemas.js';
import type { RecordFields } from './model.js';
import { parseRecord, type Parsed } from './madr/parse.js';
import { READER } from './madr/words.js';
import { SIGN } from './permissions.js';
import { addImported, supersedeTargets } from './related-repository.js';
import { nextNumber } from './repository.js';
import type { Settings } from './settings.js';
import { columnsOf, numberOf } from './text.js';

/** Gives files with the same record as another one its decision. */
function followSame(steps: readonly Step[]): void {
  for (const step of steps) if (step.same) Object.assign(step, { id: step.same.id, number: step.same.number });
}

/** Maximum number of bytes of a title, because of the B-tree index. */
const MOST_KEY = 2_000;
const CONTENT = ['title', 'context', 'drivers', 'options', 'decision', 'consequences'] as const;

const fieldsOf = ({ title, context, drivers, options, decision, consequences }: Parsed): RecordFields => ({
  title,
  context,
  drivers,
  decision,
  consequences,
  options: options.map((option) => ({ title: option.title, pros: option.pros, cons: option.cons })),
});

/** Imports architecture decision records in Markdown, repeatedly: decisions already imported are not duplicated. */
export class AdrImportService {
  constructor(private readonly host: ModuleServices<Settings>) {}

  /**
   * Imports the records of a form in one transaction; a file that cannot be read does not affect the others.
   * @returns a verdict for each file
   */
  async import(ctx: RequestContext, files: readonly UploadedFile[], query: ImportQuery): Promise<ImportResult> {
    const read = (await readFiles(files)).map((file) =>
      'record' in file && Buffer.byteLength(this.host.nameKey(file.record.parsed.title)) > MOST_KEY
        ? { path: file.path, outcome: 'failed' as const, reason: 'has a title that is too long' }
        : file,
    );
    // With four-eyes approval decisions need signatures, which a record does not contain.
    const settles = query.status !== 'draft' && ctx.permissions.has(SIGN) && this.host.settings().four_eyes === 'off';
    const source = query.source ?? '';
    const { verdicts } = await this.host.transactions.run(ctx, async (uow) => {
      // Serialises imports, so that a concurrent import finds these records. A preview locks nothing.
      const last = ctx.dryRun ? 0 : await nextNumber(uow, 0);
      const known = await findKnown(uow, source);
      const steps = planImport(read, known, settles);
      const compared = await this.compare(uow, steps, ctx.dryRun);
      if (ctx.dryRun) {
        followSame(steps);
        return { verdicts: steps.map((step) => this.verdict(step, settles, true)) };
      }
      await this.write(uow, steps, compared, { source, settles, last });
      const related = await relationsOf(steps, known);
      await addImported(uow, related);
      await this.emitAll(
        uow,
        steps,
        compared,
        related.filter(({ type }) => type === 'superseded_by'),
        settles,
      );
      await supersedeTargets(
        uow,
        steps.flatMap(({ record, action, id }) =>
          record &&
          settles &&
          (action === 'create' || action === 'change') &&
          record.parsed.status === 'signed' &&
          id !== null
            ? [id]
            : [],
        ),
      );
      return { verdicts: steps.map((step) => this.verdict(step, settles, false)) };
    });
    return this.answer(verdicts);
  }

  /** Determines which decisions with changed files are still as imported. */
  private async compare(uow: UnitOfWork, steps: readonly Step[], isDry: boolean): Promise<Map<string, Compared>> {
    const changed = new Map(
      steps.flatMap((step) => (step.action === 'change' && step.id !== null ? [[step.id, step] as const] : [])),
    );
    const ids = [...changed.keys()];
    if (!isDry) await lockImported(uow, ids);
    const compared = new Map<string, Compared>();
    const slice = new TimeSlice();
    for await (const row of readCompared(uow, ids)) {
      compared.set(row.id, row);
      const step = changed.get(row.id)!;
      if (!isDeepStrictEqual(fieldsOf(parseRecord(row.source_markdown, step.path, row.source_reader)), pick(row)))
        Object.assign(step, {
          action: 'none',
          outcome: 'conflict',
          reason: 'the decision was changed here since it was imported',
        });
      if (slice.isOver) await slice.next();
    }
    return compared;
  }

  private async write(
    uow: UnitOfWork,
    steps: readonly Step[],
    compared: ReadonlyMap<string, Compared>,
    { source, settles, last }: { source: string; settles: boolean; last: number },
  ): Promise<void> {
    const created = steps.filter(({ action }) => action === 'create');
    for (const [i, step] of created.entries()) Object.assign(step, { id: this.host.newId(), number: last + 1 + i });
    followSame(steps);
    if (created.length > 0) await nextNumber(uow, created.length);
    const slice = new TimeSlice();
    const rows = async (of: readonly Step[]): Promise<Imported[]> => {
      const made: Imported[] = [];
      for (const step of of) {
        const known = step as Step & { record: FileRecord; id: string; number: number };
        made.push(await this.row(known, compared.get(step.id!), source, settles, uow.ctx, slice));
        if (slice.isOver) await slice.next();
      }
      return made;
    };
    await insertImported(uow, await rows(created));
    await updateImported(uow, await rows(steps.filter(({ action }) => action === 'change')));
    await endImported(
      uow,
      steps.flatMap(({ action, id, record }) =>
        action === 'end' && record ? [{ id: id!, sha256: record.sha256 }] : [],
      ),
    );
  }

  private async row(
    { record: { parsed, path, sha256, markdown }, id, number }: { record: FileRecord; id: string; number: number },
    before: Compared | undefined,
    source: string,
    settles: boolean,
    ctx: RequestContext,
    slice: TimeSlice,
  ): Promise<Imported> {
    const fields = fieldsOf(parsed);
    const status = settles ? parsed.status : 'draft';
    const content = contentOf({
      ...fields,
      card_ids: before?.card_ids ?? [],
      related: before?.related ?? [],
      markdown,
    });
    return {
      id,
      number,
      status,
      content_hash: status === 'draft' ? null : contentHash(content),
      signed_at: parsed.date === null ? null : `${parsed.date}T00:00:00.000Z`,
      ...(await columnsOf(this.host, fields, number, markdown, slice)),
      source,
      source_path: path,
      source_sha256: sha256,
      source_markdown: markdown,
      source_reader: READER,
      source_status: parsed.statusText,
      created_by: ctx.actor?.id ?? null,
    };
  }

  private async emitAll(
    uow: UnitOfWork,
    steps: readonly Step[],
    compared: ReadonlyMap<string, Compared>,
    ended: readonly { adr_id: string; target_id: string }[],
    settles: boolean,
  ): Promise<void> {
    const slice = new TimeSlice();
    for (const { action, record, known, id, number } of steps) {
      if (slice.isOver) await slice.next();
      if (action === 'none' || !record || id === null) continue;
      const fields = fieldsOf(record.parsed);
      const subject = { kind: 'adr', id, name: fields.title };
      const status = settles ? record.parsed.status : 'draft';
      if (action === 'create') {
        uow.emit({
          type: 'adr.created',
          subject,
          data: { number: numberOf(this.host, number!), status, card_ids: [], file: record.path },
        });
        continue;
      }
      const before = compared.get(id);
      const changes =
        action === 'end'
          ? []
          : CONTENT.filter((field) => !isDeepStrictEqual(before?.[field], fields[field])).map((field) => ({
              field: field as string,
              old: before?.[field],
              new: fields[field],
            }));
      if (known!.status !== status) changes.push({ field: 'status', old: known!.status, new: status });
      const by = action === 'end' ? ended.find(({ adr_id }) => adr_id === id)?.target_id : undefined;
      const data = { version: uow.nextVersion({ id, version: known!.version }), changes, file: record.path };
      if (by === undefined) uow.emit({ type: 'adr.updated', subject, data });
      else uow.emit({ type: 'adr.superseded', subject, data: { ...data, superseded_by: by } });
    }
  }

  private verdict(
    { path, outcome, reason, record, action, id, number }: Step,
    settles: boolean,
    isDry: boolean,
  ): FileVerdict {
    const warnings = action === 'none' ? [] : [...(record?.parsed.warnings ?? [])];
    if (action !== 'none' && !settles && record && record.parsed.status !== 'draft')
      warnings.push(`it is ${record.parsed.statusText ?? record.parsed.status} in the file and a draft here`);
    if (action === 'end') warnings.push('the accepted content is unchanged; the decision is superseded');
    const isThere = !isDry || (action !== 'create' && outcome !== 'created');
    return { file: path, outcome, id: isThere ? id : null, number: isThere ? number : null, reason, warnings };
  }

  private answer(verdicts: readonly FileVerdict[]): ImportResult {
    const summary: Record<Outcome, number> = {
      created: 0,
      updated: 0,
      unchanged: 0,
      conflict: 0,
      skipped: 0,
      failed: 0,
    };
    for (const { outcome } of verdicts) summary[outcome]++;
    return {
      summary,
      results: verdicts.map((verdict) => ({
        ...verdict,
        number: verdict.number === null ? null : numberOf(this.host, verdict.number),
      })),
    };
  }
}

const pick = (row: Compared): RecordFields => ({
  title: row.title,
  context: row.context,
  drivers: row.drivers,
  decision: row.decision,
  consequences: row.consequences,
  options: row.options,
});
