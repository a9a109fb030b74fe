import { createHash } from 'node:crypto';
import { Problem, TimeSlice, type RequestContext } from '@lintel/sdk';
import { laterProblem } from '@lintel/sdk/drawing';
import { Drawings, WorkerQueueError, type DrawOptions } from './drawings.js';
import type { ElementFacts } from './elements/repository.js';
import { refusal } from './errors.js';
import { MAX_BYTES, type Host } from './basics.js';
import type { BpmnProblem } from './notation/problems.js';
import type { BpmnReading } from './notation/reading.js';
import type { DiffAnswer } from './orders.js';
import type { FileFacts } from './versions/repository.js';

/** Hours after which the bytes of a file are deleted if the transaction that refers to it does not commit. */
const ARRIVING_HOURS = 24;
/** Diagrams of a file that are listed. */
const MOST_DIAGRAMS = 100;
/** Processes of a file that call activities of other flows can name. */
const MOST_PROCESSES = 1_000;
/** Longest text of a problem. */
const LONGEST_MESSAGE = 2_000;
/** Characters of a name that the search finds. */
const LONGEST_FOLDED = 1_000;

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A file that was read and stored, but that no version refers to yet. */
export interface ReadFile {
  facts: FileFacts;
  elements: ElementFacts[];
  problems: (BpmnProblem & { id: string })[];
  /** The name of the first process that has one. */
  name: string | null;
}

/** The files of flows: read, compared and drawn in another process, and stored as they are. */
export class FlowContent {
  private running: Drawings | undefined;

  constructor(private readonly host: Host) {}

  private get drawings(): Drawings {
    return (this.running ??= new Drawings());
  }

  /** Ends what runs; a later order begins anew. */
  async close(): Promise<void> {
    const ended = this.running;
    this.running = undefined;
    await ended?.close();
  }

  /**
   * Reads a file and stores its bytes.
   * @throws bpm_file_refused, bpm_file_too_complex, rate_limited, unavailable
   */
  async take(ctx: RequestContext, bytes: Buffer, fileName: string): Promise<ReadFile> {
    const reading = await this.read(ctx, bytes);
    const file = await this.host.files.write(ctx, chunks(bytes), { maxBytes: MAX_BYTES, keepHours: ARRIVING_HOURS });
    const errors = reading.problems.filter(({ severity }) => severity === 'error').length;
    return {
      facts: {
        file_id: file.id,
        file_name: fileName,
        size: bytes.length,
        content_hash: file.sha256,
        element_count: reading.elements.length,
        error_count: errors,
        warning_count: reading.problems.length - errors,
        has_interchange: reading.has_interchange,
        diagrams: reading.diagrams.slice(0, MOST_DIAGRAMS),
        process_ids: reading.processes.map(({ bpmn_id }) => bpmn_id).slice(0, MOST_PROCESSES),
      },
      elements: await this.foldNames(reading.elements),
      problems: [...reading.problems]
        .sort((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'))
        .map((problem) => ({
          ...problem,
          message: problem.message.slice(0, LONGEST_MESSAGE).toWellFormed(),
          id: this.host.newId(),
        })),
      name: reading.processes.find(({ name }) => name !== null && name.trim() !== '')?.name ?? null,
    };
  }

  /** Folds names for the search, in time slices; of a long name its beginning is found. */
  private async foldNames(elements: BpmnReading['elements']): Promise<ElementFacts[]> {
    const slice = new TimeSlice();
    const folded: ElementFacts[] = [];
    for (const element of elements) {
      const name = (element.name ?? '').slice(0, LONGEST_FOLDED).toWellFormed();
      folded.push({ ...element, id: this.host.newId(), name_folded: this.host.searchFold(name) });
      if (slice.isOver) await slice.next();
    }
    return folded;
  }

  /** Reads a file. @throws bpm_file_refused, bpm_file_too_complex, rate_limited, unavailable */
  async read(ctx: RequestContext, bytes: Buffer): Promise<BpmnReading> {
    if (bytes.length > MAX_BYTES) throw refused('too_large', `The file has more than ${MAX_BYTES} bytes.`, null, null);
    const result = await this.work(() => this.drawings.read(bytes, ctx));
    if (!result.ok) throw refused(result.reason, result.message, result.line, result.column);
    return result.reading;
  }

  /** What has changed between two files, in terms of elements. @throws bpm_file_too_complex, rate_limited, unavailable */
  async diff(ctx: RequestContext, before: Buffer, after: Buffer): Promise<DiffAnswer> {
    return await this.work(() => this.drawings.diff(before, after, ctx));
  }

  /**
   * Draws a diagram of a file.
   * @returns undefined for a diagram that the file does not have
   * @throws bpm_file_too_complex, rate_limited, unavailable
   */
  async draw(ctx: RequestContext, bytes: Buffer, options: DrawOptions): Promise<Buffer | undefined> {
    return (await this.work(() => this.drawings.draw(bytes, options, ctx)))?.content;
  }

  /** A file with a process that has only a start event. @param name of the process */
  async blank(ctx: RequestContext, name: string): Promise<Buffer> {
    return await this.work(() => this.drawings.blank(name, ctx));
  }

  /** The stored bytes of a file, as they were uploaded. @throws not_found if it has been deleted meanwhile */
  async bytesOf(fileId: string): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.host.files.read(fileId)) parts.push(part);
    if (parts.length === 0) throw this.host.problem('not_found');
    return Buffer.concat(parts);
  }

  /** Runs a write that keeps a file, which is deleted if the write is refused. */
  async keeping<T>(file: ReadFile, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      // After any other error the transaction may have been committed: the file expires if it was not.
      if (error instanceof Problem && error.status < 500)
        await this.host.files.remove(file.facts.file_id).catch(() => undefined);
      throw error;
    }
  }

  /** Turns errors of the process into problems: a file that takes too long is the fault of the file. */
  private async work<T>(order: () => Promise<T>): Promise<T> {
    try {
      return await order();
    } catch (error) {
      const later = laterProblem(this.host, error);
      if (later) throw later;
      if (!(error instanceof WorkerQueueError)) throw error;
      throw refusal('bpm_file_too_complex', { cause: error });
    }
  }
}

const refused = (reason: string, message: string, line: number | null, column: number | null): Problem =>
  refusal('bpm_file_refused', { detail: message.slice(0, LONGEST_MESSAGE).toWellFormed(), reason, line, column });

const CHUNK = 262_144;

async function* chunks(bytes: Buffer): AsyncIterable<Buffer> {
  for (let from = 0; from < bytes.length; from += CHUNK) yield bytes.subarray(from, from + CHUNK);
}
