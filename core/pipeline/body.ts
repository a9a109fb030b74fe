import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { problem } from '../foundation/errors.js';
import { BODY_VALUES, readBody } from '../foundation/http/body-stream.js';
import { BulkReader } from '../foundation/http/bulk-reader.js';
import { JsonScanner } from '../foundation/http/json-scanner.js';
import { parseJson, unsafeBody } from '../foundation/http/json-text.js';
import { JSON_PATCH } from '../foundation/http/schemas.js';

async function readWhole(request: FastifyRequest, most: number, values: number): Promise<unknown> {
  const scanner = new JsonScanner(values);
  const parts: Buffer[] = [];
  await readBody(request, most, (chunk) => {
    scanner.scan(chunk);
    parts.push(chunk);
  });
  const text = Buffer.concat(parts).toString('utf8');
  if (text.length === 0) return undefined;
  const { value, errors } = parseJson(text);
  if (errors.length > 0) throw unsafeBody(errors);
  return value;
}

async function readBulk(request: FastifyRequest, most: number, values: number, operations: number): Promise<unknown> {
  const reader = new BulkReader({ values, operations });
  await readBody(request, most, (chunk) => reader.take(chunk));
  const { value, unsafe } = reader.end();
  request.unsafeOperations = unsafe;
  return value;
}

/**
 * Reads JSON bodies: rejects invalid JSON (400), unsafe JSON (422) and more values than the route accepts (413),
 * counted before parsing; other media types are a 415. Bulk requests are parsed operation by operation.
 */
export default fp(
  async (app: FastifyInstance) => {
    app.decorateRequest('unsafeOperations');
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      ['application/json', 'application/merge-patch+json', JSON_PATCH],
      async (request: FastifyRequest) => {
        // The body of a request for an unknown path is not read; Node.js discards it.
        if (request.is404) return undefined;
        const { config, bodyLimit } = request.routeOptions;
        const isPatch = (request.headers['content-type'] ?? '').toLowerCase().startsWith(JSON_PATCH);
        if (isPatch && !config.jsonPatch) throw problem('unsupported_media_type');
        if (!['', 'identity'].includes(request.headers['content-encoding'] ?? ''))
          throw problem('unsupported_media_type', { detail: 'Bodies are read uncompressed.' });
        const values = config.bodyValues ?? BODY_VALUES;
        return config.mostOperations === undefined
          ? await readWhole(request, bodyLimit, values)
          : await readBulk(request, bodyLimit, values, config.mostOperations);
      },
    );
  },
  { name: 'body' },
);
