import type { Log } from '../../../foundation/log.js';
import type { OwnedFormat } from '../../extensions.js';
import type { Metamodel } from '../../metamodel/index.js';
import type { ImportOptions, StagedRow } from '../types.js';
import { readArchimate } from './archimate/parser.js';
import { planArchimate, type Workspace } from './archimate/plan.js';
import { readCsv, type CsvSummary } from './csv.js';
import { readByModule } from './module-format.js';
import { readNdjson } from './ndjson.js';

/** Input of the readers besides the file. */
interface ReadContext extends Workspace {
  metamodel: Metamodel;
  options: ImportOptions;
  /** Receives the ignored columns and the notes of the file. */
  summary: CsvSummary;
  /** The format of a module, for ids that are none of the core's. @throws where no enabled module has it */
  ofModule(): OwnedFormat;
  /** Aborts the reader of a module. */
  signal: AbortSignal;
  log: Log;
}

/**
 * Reads a file by the reader of its format. A new format of the core is listed in `formats.ts` and read here.
 * @param format id of the format
 * @returns the rows in the order of the file
 * @throws UnreadableFile, here or at a row
 */
export function readRows(
  bytes: AsyncIterable<Buffer>,
  format: string,
  context: ReadContext,
): AsyncGenerator<StagedRow> {
  const { metamodel, options, summary, signal, log } = context;
  if (format === 'csv') return readCsv(bytes, metamodel, options, summary);
  if (format === 'ndjson') return readNdjson(bytes, options, summary);
  if (format === 'archimate') return readModel(bytes, context);
  return readByModule(bytes, context.ofModule(), { options, summary, signal, log });
}

async function* readModel(bytes: AsyncIterable<Buffer>, context: ReadContext): AsyncGenerator<StagedRow> {
  yield* planArchimate(await readArchimate(bytes), context.metamodel, context, context.summary);
}
