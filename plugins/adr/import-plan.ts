import { posix } from 'node:path';
import { TimeSlice } from '@lintel/sdk';
import type { FileRecord, ReadFile } from './import-files.js';
import type { Known } from './import-repository.js';
import type { FileVerdict } from './import-schemas.js';
import { numberOfFile, type Reference } from './madr/status.js';

/** The planned result for one file, before comparing it with changes of the decision. */
export interface Step {
  path: string;
  record?: FileRecord;
  known?: Known;
  /** Another file of the same import with the same content. */
  same?: Step;
  /** `change`: the decision is updated from the file; `end`: the file puts it out of force. */
  action: 'none' | 'create' | 'change' | 'end';
  outcome: FileVerdict['outcome'];
  reason: string | null;
  /** Id of the decision. */
  id: string | null;
  number: number | null;
}

const step = (
  path: string,
  outcome: Step['outcome'],
  reason: string | null = null,
  more: Partial<Step> = {},
): Step => ({ path, action: 'none', outcome, reason, id: null, number: null, ...more });

/** The plan for a changed file whose decision was imported before. */
function changed(record: FileRecord, known: Known, mayEnd: boolean): Step {
  const about = { record, known, id: known.id, number: known.number };
  if (known.revision === 1 && known.status === 'draft')
    return step(record.path, 'updated', null, { ...about, action: 'change' });
  if (
    mayEnd &&
    known.revision === 1 &&
    known.status === 'signed' &&
    known.signatures === 0 &&
    record.parsed.status === 'superseded'
  )
    return step(record.path, 'updated', null, { ...about, action: 'end' });
  return step(record.path, 'conflict', `the decision is ${known.status} and cannot be changed`, about);
}

/**
 * Plans the result for each file: it is new, known by its path or its content, or changed.
 * @param mayEnd whether the caller may put decisions out of force
 */
export function planImport(files: readonly ReadFile[], knowns: readonly Known[], mayEnd: boolean): Step[] {
  const byPath = new Map(knowns.map((known) => [known.path, known]));
  const bySha = new Map(knowns.map((known) => [known.sha256, known]));
  const paths = new Map<string, Step>();
  const contents = new Map<string, Step>();
  return files.map((file) => {
    if (!('record' in file)) return step(file.path, file.outcome, file.reason);
    const { record } = file;
    const twin = paths.get(record.path);
    if (twin)
      return twin.record!.sha256 === record.sha256
        ? step(record.path, 'unchanged', 'is there twice', { same: twin })
        : step(record.path, 'failed', 'is there twice, with different contents');
    const known = byPath.get(record.path);
    const copy = contents.get(record.sha256);
    const elsewhere = bySha.get(record.sha256);
    const next =
      known?.sha256 === record.sha256
        ? step(record.path, 'unchanged', null, { record, known, id: known.id, number: known.number })
        : known
          ? changed(record, known, mayEnd)
          : elsewhere
            ? step(record.path, 'unchanged', `is known as ${elsewhere.path}`, {
                record,
                known: elsewhere,
                id: elsewhere.id,
                number: elsewhere.number,
              })
            : copy
              ? step(record.path, 'unchanged', `is the same as ${copy.path}`, { record, same: copy })
              : step(record.path, 'created', null, { record, action: 'create' });
    paths.set(record.path, next);
    if (!copy) contents.set(record.sha256, next);
    return next;
  });
}

/** A relation to another decision, stated in a decision's file. */
interface Stated {
  adr_id: string;
  target_id: string;
  type: Reference['type'];
}

/**
 * The relations stated in stored records, to other files of the import and to previously imported ones: by path, else
 * by a number that is unique within the folder. Each belongs to the decision whose file states it, so that an import
 * changes only decisions that it creates or updates; for a decision it puts out of force, only the superseding relation
 * is stored.
 */
export async function relationsOf(steps: readonly Step[], knowns: readonly Known[]): Promise<Stated[]> {
  const byPath = new Map<string, string>();
  const byNumber = new Map<string, string | null>();
  const place = (path: string, id: string) => {
    if (byPath.has(path)) return;
    byPath.set(path, id);
    const number = numberOfFile(path);
    const key = `${posix.dirname(path)}\0${number ?? ''}`;
    if (number !== undefined) byNumber.set(key, byNumber.has(key) && byNumber.get(key) !== id ? null : id);
  };
  for (const { record, id, same } of steps) {
    const own = id ?? same?.id;
    if (record && own) place(record.path, own);
  }
  for (const known of knowns) place(known.path, known.id);

  const stated: Stated[] = [];
  const slice = new TimeSlice();
  for (const { record, id, action } of steps) {
    if (!record || id === null || action === 'none') continue;
    for (const reference of record.parsed.references) {
      const target = resolve(reference, record.path, byPath, byNumber);
      if (target === undefined || target === id || (action === 'end' && reference.type !== 'superseded_by')) continue;
      stated.push({ adr_id: id, target_id: target, type: reference.type });
    }
    if (slice.isOver) await slice.next();
  }
  return stated;
}

function resolve(
  { path, number }: Reference,
  from: string,
  byPath: ReadonlyMap<string, string>,
  byNumber: ReadonlyMap<string, string | null>,
): string | undefined {
  const folder = posix.dirname(from);
  const found =
    path === undefined
      ? undefined
      : (byPath.get(posix.join(folder, path)) ?? byPath.get(posix.join(folder, posix.basename(path))));
  return found ?? (number === undefined ? undefined : (byNumber.get(`${folder}\0${number}`) ?? undefined));
}
