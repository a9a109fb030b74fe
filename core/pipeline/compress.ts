import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { availableParallelism } from 'node:os';
import { constants } from 'node:zlib';
import type { RequestUse } from '../foundation/request-use.js';
import { Semaphore } from '../foundation/semaphore.js';

/** Compressions at a time: more would take the processors from the thread that processes requests. */
const MOST = Math.max(1, availableParallelism() - 1);
/** Smaller responses are compressed at once. */
const LARGE_BYTES = 16_384;
const ENCODINGS = /\b(gzip|br)\b|\*/;

/**
 * Compresses responses above 1 KiB if the client accepts it. Event streams are never compressed (they bypass the
 * reply). The strong ETag remains unchanged, because it names the version that If-Match needs; `Vary` separates the
 * variants in caches. A large response is sent as it is while as many others as processors are free are being compressed.
 */
export default fp(
  async (app: FastifyInstance) => {
    const places = new Semaphore({
      what: 'compressions',
      most: MOST,
      each: Math.max(1, Math.floor(MOST / 2)),
      waitMs: 0,
    });
    app.addHook('onSend', (request, reply, payload, done) => {
      // A hook before that which counts requests may have answered.
      const use = request.use as RequestUse | undefined;
      const isLarge = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= LARGE_BYTES;
      if (!use || !isLarge || !ENCODINGS.test(request.headers['accept-encoding'] ?? '')) {
        done();
        return;
      }
      const end = places.tryTake(use.load.user);
      if (end) use.whenEnded(end);
      else {
        // Read by the plugin.
        request.headers['x-no-compression'] = 'true';
        reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '));
      }
      done();
    });
    await app.register(compress, {
      encodings: ['gzip', 'br'],
      threshold: 1024,
      // Request bodies are not decompressed: the limit on received bytes is then also the limit on parsed bytes.
      globalDecompression: false,
      zlibOptions: { level: 4 },
      brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    });
  },
  { name: 'compress', dependencies: ['headers', 'open-requests'] },
);
