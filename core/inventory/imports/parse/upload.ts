import type { FieldError } from '@lintel/sdk';
import type { ValidateFunction } from 'ajv';
import type { FastifyRequest } from 'fastify';
import type { FileStore, StoredFile } from '../../../foundation/files/index.js';
import { fieldErrors, strictAjv } from '../../../foundation/http/ajv.js';
import { unsafeJson } from '../../../foundation/http/unsafe-json.js';
import { invalid, problem } from '../../../foundation/errors.js';
import type { ImportFormats } from '../formats.js';
import { Options, type UploadQuery } from '../schemas.js';
import { isPlainText } from '../../../foundation/text.js';
import type { ImportOptions } from '../types.js';

/** Maximum size of a file in bytes. */
export const UPLOAD_LIMIT = 100 * 1024 * 1024;
/** Hours until an unused file expires. */
const KEEP_HOURS = 24;
const MAX_FIELD = 10_000;
/** Maximum number of bytes of a form in addition to its file. */
export const MAX_FORM = 65_536;
const FORM = 'multipart/form-data';
export const FORM_LIMITS = {
  fileSize: UPLOAD_LIMIT + 1,
  files: 2,
  fields: 8,
  parts: 10,
  fieldSize: MAX_FIELD + 1,
  headerPairs: 100,
};

export interface Upload {
  file: StoredFile;
  fileName: string;
  /** Id of the format. */
  format: string;
  options: ImportOptions;
}

/** The used properties of a multipart part. */
type Part =
  | { type: 'file'; fieldname: string; filename: string; mimetype: string; file: AsyncIterable<Buffer> }
  | { type: 'field'; fieldname: string; value: unknown };

interface Form {
  fields: Map<string, string>;
  file?: StoredFile;
  fileName?: string;
  fileType?: string;
}

let checkOptions: ValidateFunction | undefined;
const mediaType = (header: string | undefined): string => (header ?? '').split(';')[0]!.trim().toLowerCase();

/** The last segment of a path, without control characters. */
function plainFileName(name: string): string {
  return name.toWellFormed().split(/[/\\]/).at(-1)!.replace(/\p{C}/gu, '').trim().slice(0, 255).toWellFormed();
}

function optionsOf(text: string | undefined): ImportOptions {
  if (text === undefined || text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid({ field: '/options', reason: 'is no JSON' });
  }
  const errors: FieldError[] = unsafeJson(value, true);
  checkOptions ??= strictAjv().compile(Options);
  if (errors.length === 0 && !checkOptions(value)) errors.push(...fieldErrors(checkOptions.errors ?? [], 'body'));
  if (errors.length > 0) throw invalid(...errors.map((e) => ({ ...e, field: `/options${e.field}` })));
  return value as ImportOptions;
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** True where the client disconnected during the upload. */
const aborted = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

/**
 * Stores the file of a request while it arrives, from a form or from the body itself.
 * @throws 400, 413, 415, 422; nothing is stored then
 */
export async function receive(
  request: FastifyRequest,
  { files, importFormats }: { files: FileStore; importFormats: ImportFormats },
  query: UploadQuery,
): Promise<Upload> {
  if (!['', 'identity'].includes(request.headers['content-encoding'] ?? ''))
    throw problem('unsupported_media_type', { detail: 'Bodies are read uncompressed.' });
  if (Number(request.headers['content-length'] ?? 0) > UPLOAD_LIMIT + MAX_FORM) throw problem('payload_too_large');
  const { format, file_name, ...options } = query;
  if (format !== undefined) importFormats.check(format, 'query');
  const type = mediaType(request.headers['content-type']);
  const form: Form = { fields: new Map() };
  const store = (stream: AsyncIterable<Buffer>) =>
    files.write(stream, { maxBytes: UPLOAD_LIMIT, createdBy: request.ctx.actor?.id ?? null, keepHours: KEEP_HOURS });
  try {
    if (type === FORM) await readForm(request as unknown as { parts(): AsyncIterable<Part> }, form, store);
    // Destroying the request stream at the end of the loop would also close the connection for the response.
    else if (importFormats.takes(type))
      form.file = await store(request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>);
    else if (type !== '' || hasBody(request)) throw problem('unsupported_media_type');
    const { file, fields } = form;
    if (!file || file.size === 0) throw invalid({ field: '/file', reason: file ? 'is empty' : 'is required' });
    const fileName = file_name ?? form.fileName ?? '';
    const named = fields.get('format');
    if (named !== undefined) importFormats.check(named, 'body');
    await request.readmit();
    const found = named ?? format ?? importFormats.recognise(form.fileType ?? type, fileName);
    return {
      file,
      fileName: plainFileName(fileName) || `import.${found}`,
      format: found,
      options: { ...options, ...optionsOf(fields.get('options')) },
    };
  } catch (error) {
    if (form.file) await files.remove(form.file.id);
    // Errors of the multipart parser have no code: the form is invalid.
    if (aborted(request) || (type === FORM && error instanceof Error && !('code' in error)))
      throw problem('bad_request', { detail: 'The form could not be read to its end.', cause: error });
    throw error;
  }
}

async function readForm(
  request: { parts(): AsyncIterable<Part> },
  form: Form,
  store: (stream: AsyncIterable<Buffer>) => Promise<StoredFile>,
): Promise<void> {
  for await (const part of request.parts()) {
    const name = plainFileName(part.fieldname);
    const bad = (reason: string) => invalid({ field: `/${name}`, reason });
    if (part.type === 'file') {
      if (name !== 'file') throw bad('is unknown');
      if (form.file) throw bad('occurs twice');
      form.file = await store(part.file);
      form.fileName = part.filename;
      form.fileType = mediaType(part.mimetype);
      continue;
    }
    if (name !== 'format' && name !== 'options') throw bad(name === 'file' ? 'must be a file' : 'is unknown');
    if (form.fields.has(name)) throw bad('occurs twice');
    const text = typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
    if (text.length > MAX_FIELD || !isPlainText(text)) throw bad('must be text');
    form.fields.set(name, text);
  }
}

/** Maximum number of concurrent uploads per user and node. */
const MOST_UPLOADS = 4;

/** Limits concurrent uploads per user, so that one user cannot exhaust memory and connections. */
export class UploadSlots {
  private readonly running = new Map<string, number>();

  /**
   * Runs an upload in one of the slots of its user.
   * @throws rate_limited where all slots are in use; what `work` throws
   */
  async run<T>(user: string, work: () => Promise<T>): Promise<T> {
    const before = this.running.get(user) ?? 0;
    if (before >= MOST_UPLOADS)
      throw problem('rate_limited', {
        detail: `A user may have at most ${MOST_UPLOADS} concurrent uploads per node.`,
        headers: { 'retry-after': '10' },
      });
    this.running.set(user, before + 1);
    try {
      return await work();
    } finally {
      const left = this.running.get(user)! - 1;
      if (left > 0) this.running.set(user, left);
      else this.running.delete(user);
    }
  }
}
