import { createHash, createHmac } from 'node:crypto';
import multipart from '@fastify/multipart';
import type { ModuleServices, UploadedFile } from '@lintel/sdk';
import type { FastifyRequest } from 'fastify';
import { invalid, problem } from '../../foundation/errors.js';
import { dropBody } from '../../foundation/http/body-stream.js';

/** Bytes of a multipart form in addition to its files. */
const MAX_FORM = 65_536;
const PER_FILE = 1_024;

/** The used properties of a multipart part. */
type Part =
  | { type: 'file'; fieldname: string; filename?: string; mimetype: string; file: AsyncIterable<Buffer> }
  | { type: 'field'; fieldname: string };

/** The last segment of a path, without control characters. */
function plainName(name = ''): string {
  return name.toWellFormed().split(/[/\\]/).at(-1)!.replace(/\p{C}/gu, '').trim().slice(0, 255).toWellFormed();
}

/** Extends the fingerprint of the request by its files, which were not read when the fingerprint was computed. */
function coverFiles(request: FastifyRequest, files: readonly UploadedFile[]): void {
  const { idempotency } = request.ctx;
  if (!idempotency) return;
  const content = files.map(({ name, type, bytes }) => [name, type, createHash('sha256').update(bytes).digest('hex')]);
  const fingerprint = createHmac('sha256', idempotency.fingerprint).update(JSON.stringify(content)).digest();
  request.ctx = { ...request.ctx, idempotency: { ...idempotency, fingerprint } };
}

async function readFiles(request: FastifyRequest, field: string, most: number): Promise<UploadedFile[]> {
  const files: UploadedFile[] = [];
  let left = most;
  for await (const part of (request as unknown as { parts(): AsyncIterable<Part> }).parts()) {
    if (part.fieldname !== field) throw invalid({ field: `/${plainName(part.fieldname)}`, reason: 'is unknown' });
    if (part.type !== 'file') throw invalid({ field: `/${field}`, reason: 'must be a file' });
    const chunks: Buffer[] = [];
    for await (const chunk of part.file) {
      left -= chunk.length;
      if (left < 0) throw problem('payload_too_large', { detail: `The files have more than ${most} bytes.` });
      chunks.push(chunk);
    }
    files.push({
      name: plainName(part.filename),
      type: part.mimetype.split(';')[0]!.trim().toLowerCase(),
      bytes: Buffer.concat(chunks),
    });
  }
  if (files.length === 0) throw invalid({ field: `/${field}`, reason: 'is required' });
  return files;
}

/** Multipart forms with files, for modules. */
export const uploadPort: Pick<ModuleServices['http'], 'takeForms' | 'upload'> = {
  async takeForms(scope, { files, bytes }) {
    const { validatorCompiler } = scope;
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, {
      limits: { fileSize: bytes + 1, files, fields: 1, parts: files + 1, fieldSize: PER_FILE, headerPairs: 100 },
    });
    // The handler reads the body, so there is nothing to validate before.
    scope.setValidatorCompiler((route) => (route.httpPart === 'body' ? () => true : validatorCompiler!(route)));
  },

  async upload(request, reply, field, { files: count, bytes: most }) {
    try {
      if (!['', 'identity'].includes(request.headers['content-encoding'] ?? ''))
        throw problem('unsupported_media_type', { detail: 'Bodies are read uncompressed.' });
      if (!(request.headers['content-type'] ?? '').toLowerCase().startsWith('multipart/form-data'))
        throw invalid({ field: `/${field}`, reason: 'is required' });
      if (Number(request.headers['content-length'] ?? 0) > most + count * PER_FILE + MAX_FORM)
        throw problem('payload_too_large');
      const files = await readFiles(request, field, most);
      await request.readmit();
      coverFiles(request, files);
      return files;
    } catch (error) {
      const isBroken = request.raw.destroyed && !request.raw.complete;
      await dropBody(request, reply, most + count * PER_FILE + MAX_FORM);
      // Errors of the multipart parser have no code: the form is invalid.
      if (isBroken || (error instanceof Error && !('code' in error)))
        throw problem('bad_request', { detail: 'The form could not be read to its end.', cause: error });
      throw error;
    }
  },
};
