import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { problem } from '../../errors.js';
import { countKeys, duplicateKeys } from '../duplicate-keys.js';
import { inspectJson } from '../unsafe-json.js';
import { JSON_PATCH } from '../schemas.js';

/** Text PostgreSQL cannot store: U+0000 and lone surrogates, as JSON escapes or raw. */
const SUSPECT = /\\u(0000|[dD][89a-fA-F])|\0/;

/** Reads JSON bodies: refuses what is no JSON (400) and what is unsafe JSON (422); everything else is a 415. */
export default fp(async (app: FastifyInstance) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(['application/json', 'application/merge-patch+json', JSON_PATCH], { parseAs: 'string' }, (request, body, done) => {
    const isPatch = (request.headers['content-type'] ?? '').toLowerCase().startsWith(JSON_PATCH);
    if (isPatch && !request.routeOptions.config.jsonPatch) { done(problem('unsupported_media_type')); return; }
    if (!['', 'identity'].includes(request.headers['content-encoding'] ?? '')) { done(problem('unsupported_media_type', { detail: 'Bodies are read uncompressed.' })); return; }
    const text = body as string;
    if (text.length === 0) { done(null, undefined); return; }
    let value: unknown;
    try { value = JSON.parse(text); } catch { done(problem('malformed_json')); return; }
    const { errors, keys } = inspectJson(value, SUSPECT.test(text));
    // Which of two a reader goes by is anybody's guess: what was checked before it came here may be the other one.
    if (errors.length === 0 && countKeys(text) !== keys) errors.push(...duplicateKeys(text));
    if (errors.length > 0) done(problem('validation_failed', { detail: 'The body holds what cannot be stored, or not without doubt.', errors }));
    else done(null, value);
  });
}, { name: 'body' });
