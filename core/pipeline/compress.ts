import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { constants } from 'node:zlib';

/**
 * Compresses responses above 1 KiB if the client accepts it. Event streams are never compressed (they bypass the
 * reply). The strong ETag remains unchanged, because it names the version that If-Match needs; `Vary` separates the
 * variants in caches.
 */
export default fp(
  async (app: FastifyInstance) => {
    await app.register(compress, {
      encodings: ['gzip', 'br'],
      threshold: 1024,
      // Request bodies are not decompressed: the limit on received bytes is then also the limit on parsed bytes.
      globalDecompression: false,
      zlibOptions: { level: 4 },
      brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    });
  },
  { name: 'compress', dependencies: ['headers'] },
);
