import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { LogoService } from './logo-service.js';
import { problem } from '../foundation/errors.js';
import { NoContent } from '../foundation/http/schemas.js';
import { sendBytes, sendNothing, sendResource } from '../foundation/http/respond.js';
import { LogoAnswer, LogoBody, LogoView, LOGO_LIMIT, LOGO_MEDIA } from './logo-schemas.js';

const tags = ['settings'];
const access = { permission: 'settings.manage' };
/** An SVG may load nothing and run no script, even when opened directly; any page may embed the logo. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, no-cache',
};

/** The body is an image, not JSON. */
export default (async (app, { services: { logo } }) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser([...LOGO_MEDIA], { parseAs: 'buffer', bodyLimit: LOGO_LIMIT }, (request, body, done) => {
    const isPlain = ['', 'identity'].includes(request.headers['content-encoding'] ?? '');
    if (isPlain) done(null, body);
    else done(problem('unsupported_media_type', { detail: 'Bodies are read uncompressed.' }));
  });
  const { validatorCompiler } = app;

  app.get(
    '',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getLogo',
        summary: 'The logo of the workspace',
        tags,
        description: 'Public; 404 if there is none.',
        response: { 200: LogoAnswer },
      },
    },
    async (request, reply) => {
      const { version, media_type, bytes } = await logo.get();
      return sendBytes(request, reply.headers(HEADERS), { version, type: media_type, bytes });
    },
  );

  app.put(
    '',
    {
      config: { access, conditional: true },
      bodyLimit: LOGO_LIMIT,
      validatorCompiler: (route) => (route.httpPart === 'body' ? () => true : validatorCompiler!(route)),
      schema: {
        operationId: 'setLogo',
        summary: 'Set the logo',
        tags,
        body: LogoBody as never,
        response: { 200: LogoView },
        description:
          'PNG, JPEG, WebP, GIF or SVG up to 1 MiB, as the body itself. The type is determined from the bytes. An SVG with scripts, foreign content or external references is rejected.',
      },
    },
    async (request, reply) => {
      const body = await logo.set(request.ctx, request.body as Buffer | undefined);
      return sendResource(request, reply, { version: body.version, body });
    },
  );

  app.delete(
    '',
    {
      config: { access, conditional: true },
      schema: { operationId: 'deleteLogo', summary: 'Remove the logo', tags, response: NoContent },
    },
    async (request, reply) => {
      await logo.remove(request.ctx);
      return sendNothing(reply);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { logo: LogoService } }>;
