import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalidToken } from './access-tokens.js';
import type { AuthService } from './service.js';
import { IdParams } from '../../foundation/http/schemas.js';
import { sendPage, sendResource } from '../../foundation/http/respond.js';
import { isFromLoopback } from '../../foundation/http/client-address.js';
import { clientOf } from './client.js';
import {
  ChangePasswordBody,
  LoginBody,
  LogoutBody,
  MePatch,
  MeView,
  NoContent,
  RefreshBody,
  RegisterBody,
  SessionPage,
  SessionQuery,
  TokenAnswer,
} from './schemas.js';

const tags = ['auth'];
const access = 'authenticated' as const;

export default (async (app, { services: { auth } }) => {
  const sendTokens = (reply: FastifyReply, status: number, answer: TokenAnswer) =>
    reply.code(status).header('cache-control', 'no-store').send(answer);

  /** The caller's permissions change without their version, so they are part of the ETag. */
  async function sendMe(request: FastifyRequest, reply: FastifyReply): Promise<MeView> {
    const body = await auth.account.me(request.identity!);
    return sendResource(request, reply, {
      version: body.version,
      derived: [body.permissions, body.last_login_at, body.signed_in_by],
      body,
    });
  }

  app.post(
    '/register',
    {
      config: { access: 'public', rateLimit: { setting: 'register' } },
      schema: {
        operationId: 'register',
        summary: 'Register',
        description:
          'The first user becomes the administrator; from another machine than that of the service this requires the one-time `setup_code` from its log. Other users can register only if the workspace allows it.',
        tags,
        body: RegisterBody,
        response: { 201: TokenAnswer },
      },
    },
    async (request, reply) => {
      const isLocal = isFromLoopback(request.socket.remoteAddress, request.headers);
      return sendTokens(reply, 201, await auth.register(request.ctx, request.body, clientOf(request), isLocal));
    },
  );

  app.post(
    '/login',
    {
      config: { access: 'public', rateLimit: { setting: 'login' }, whenFull: true },
      schema: {
        operationId: 'login',
        summary: 'Log in',
        description:
          'After five wrong passwords within 15 minutes from one address, further attempts on the account from that address are refused for 15 minutes; after 20 from all addresses without a log-in to the account in the last 30 days, attempts from such addresses are refused. The workspace setting `login_limits` can change the numbers. The response is the same in every case.',
        tags,
        body: LoginBody,
        response: { 200: TokenAnswer },
      },
    },
    async (request, reply) => sendTokens(reply, 200, await auth.logIn(request.ctx, request.body, clientOf(request))),
  );

  app.post(
    '/refresh',
    {
      config: { access: 'public', rateLimit: { setting: 'refresh' }, whenFull: true },
      schema: {
        operationId: 'refresh',
        summary: 'Prolong a session',
        description:
          'With a refresh token, which can be used only once, or with a valid bearer token, for which only an access token is issued. A refresh token used twice ends the session. The end time of the session does not change.',
        tags,
        body: RefreshBody,
        response: { 200: TokenAnswer },
      },
    },
    async (request, reply) => {
      const token = request.body?.refresh_token;
      if (token !== undefined) return sendTokens(reply, 200, await auth.refresh(request.ctx, token, clientOf(request)));
      const identity = await auth.identify(request);
      if (!identity) throw invalidToken('A refresh token or a valid bearer token is required.');
      if (identity.actor.token) throw invalidToken('An API token cannot be refreshed.');
      return sendTokens(
        reply,
        200,
        await auth.refreshSession(
          { ...request.ctx, actor: identity.actor },
          identity.actor.sessionId,
          clientOf(request),
        ),
      );
    },
  );

  app.post(
    '/logout',
    {
      config: { access, sessionOnly: true, whenFull: true },
      schema: {
        operationId: 'logout',
        summary: 'Log out',
        description: 'Ends the session on every node within a second.',
        tags,
        body: LogoutBody,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await auth.logOut(request.ctx);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/me',
    {
      config: { access },
      schema: { operationId: 'getMe', summary: 'The caller', tags, response: { 200: MeView } },
    },
    async (request, reply) => sendMe(request, reply),
  );

  app.patch(
    '/me',
    {
      config: { access, sessionOnly: true, conditional: true },
      schema: {
        operationId: 'updateMe',
        summary: 'Change the caller’s own profile',
        tags,
        body: MePatch,
        response: { 200: MeView },
      },
    },
    async (request, reply) => {
      await auth.account.updateMe(request.ctx, request.body);
      return sendMe(request, reply);
    },
  );

  app.post(
    '/change-password',
    {
      config: { access, sessionOnly: true, rateLimit: { setting: 'change_password', by: 'user' } },
      schema: {
        operationId: 'changePassword',
        summary: 'Change the caller’s own password',
        description: 'Ends all other sessions. Wrong passwords are counted for the session, see `login_limits`.',
        tags,
        body: ChangePasswordBody,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await auth.account.changePassword(request.ctx, request.body, request.ip);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/sessions',
    {
      config: { access, sessionOnly: true },
      schema: {
        operationId: 'listSessions',
        summary: 'Active sessions of the caller',
        tags,
        querystring: SessionQuery,
        response: { 200: SessionPage },
      },
    },
    async (request, reply) => sendPage(request, reply, await auth.account.sessions(request.ctx, request.query)),
  );

  app.delete(
    '/sessions/:id',
    {
      config: { access, sessionOnly: true },
      schema: {
        operationId: 'endSession',
        summary: 'End a session of the caller',
        tags,
        params: IdParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await auth.account.endSession(request.ctx, request.params.id);
      return reply.code(204).send(null);
    },
  );
}) satisfies FastifyPluginAsyncTypebox<{ services: { auth: AuthService } }>;
