import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { constants } from 'node:zlib';

/**
 * Compresses answers above 1 KiB for whoever accepts it. Streams of events are never compressed (they go past the
 * reply). The strong ETag stays as it is: it names the version of the resource, which If-Match needs, and `Vary`
 * keeps caches apart.
 */
export default fp(
  async (app: FastifyInstance) => {
    await app.register(compress, {
      encodings: ['gzip', 'br'],
      threshold: 1024,
      // Request bodies come uncompressed: a limit on what arrives is then a limit on what is parsed.
      globalDecompression: false,
      zlibOptions: { level: 4 },
      brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    });
  },
  { name: 'compress', dependencies: ['headers'] },
);
