import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { clientOf, TokenAnswer } from '../auth/index.js';
import {
  CallbackQuery,
  CodeBody,
  LoginQuery,
  LogoutQuery,
  LogoutView,
  ProviderParams,
  SsoConfigView,
} from './schemas.js';
import type { SsoService } from './service.js';

const tags = ['auth'];
const rateLimit = { setting: 'sso' as const };
const Redirect = Type.Null({ description: 'Redirect.' });

export default (async (app, { services: { sso } }) => {
  /** Neither the address nor the cookie may be stored, and no later page learns the address. */
  const redirect = (reply: FastifyReply, { location, cookies = [] }: { location: string; cookies?: string[] }) => {
    if (cookies.length > 0) reply.header('set-cookie', cookies);
    return reply
      .headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .code(302)
      .send(null);
  };

  app.get(
    '/config',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getSsoConfig',
        summary: 'Providers of single sign-on',
        description: 'What a login page needs.',
        tags,
        response: { 200: SsoConfigView },
      },
    },
    async () => sso.config(),
  );

  app.get(
    '/:provider/login',
    {
      config: { access: 'public', rateLimit, whenFull: true },
      schema: {
        operationId: 'beginSso',
        summary: 'Begin a sign-in by a provider',
        description:
          'For browsers: redirects to the provider. Afterwards the browser is sent to `return_to` with the parameter `code`, for `POST /auth/sso/token`, or with `error=sso_failed`; the log has the reason.',
        tags,
        params: ProviderParams,
        querystring: LoginQuery,
        response: { 302: Redirect },
      },
    },
    async (request, reply) => {
      const { ctx, params, query, headers } = request;
      return redirect(reply, await sso.begin(ctx, params.provider, query, headers.cookie));
    },
  );

  app.get(
    '/callback',
    {
      config: { access: 'public', rateLimit, whenFull: true },
      schema: {
        operationId: 'completeSso',
        summary: 'Return from a provider',
        description: 'The redirect URI to be registered at every provider: `PUBLIC_URL` followed by this path.',
        tags,
        querystring: CallbackQuery,
        response: { 302: Redirect },
      },
    },
    async (request, reply) => {
      const at = request.url.indexOf('?');
      const query = at < 0 ? '' : request.url.slice(at + 1);
      return redirect(reply, await sso.complete(request.ctx, query, request.headers.cookie));
    },
  );

  app.post(
    '/token',
    {
      config: { access: 'public', rateLimit, whenFull: true },
      schema: {
        operationId: 'exchangeSsoCode',
        summary: 'Exchange the code of a sign-in for a session',
        description:
          'Within 60 seconds, once, by the browser that began: with its cookie, or with the `code_verifier` of the `code_challenge`. The response is that of a log-in.',
        tags,
        body: CodeBody,
        response: { 200: TokenAnswer },
      },
    },
    async (request, reply) => {
      const { ctx, body, headers } = request;
      const { answer, cookie } = await sso.exchange(ctx, body, headers.cookie, clientOf(request));
      return reply.headers({ 'cache-control': 'no-store', 'set-cookie': cookie }).send(answer);
    },
  );

  app.get(
    '/logout',
    {
      config: { access: 'authenticated', sessionOnly: true },
      schema: {
        operationId: 'getSsoLogout',
        summary: 'Where the browser logs out at the provider',
        description:
          'A client reads this, ends the session by `POST /auth/logout`, and sends the browser to `logout_url`, from where it returns to `return_to`; the provider has to know that address.',
        tags,
        querystring: LogoutQuery,
        response: { 200: LogoutView },
      },
    },
    async (request, reply) => {
      const logout_url = await sso.logoutUrl(request.ctx.actor!.sessionId, request.query.return_to);
      return reply.header('cache-control', 'no-store').send({ logout_url });
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { sso: SsoService } }>;
