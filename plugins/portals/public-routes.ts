import { FileResponse, type ListParams, type ModuleRoutes, type ModuleServices } from '@lintel/sdk';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cardPage, failurePage, listPage, type PortalPage, type Surroundings } from './page/view.js';
import type { Answer } from './published/answers.js';
import type { VisitorService } from './published/service.js';
import { CardParams, CardsPage, CardsQuery, CardView, portalView, PortalView, SlugParams } from './schemas.js';
import type { Settings } from './settings.js';

const tags = ['portals'];
const config = { access: 'public' as const, addressLimit: 'requests_per_minute' };
/** Statuses of failures of which visitors get a page. */
const FAILURES: Readonly<Record<string, 404 | 422>> = { not_found: 404, validation_failed: 422 };
const HTML = 'text/html; charset=utf-8';
type Query = ListParams & Record<string, unknown>;

/** Sets the headers of an answer. @returns whether the client has it already, so that it is a 304 */
function isKnown(request: FastifyRequest, reply: FastifyReply, tag: string, maxAge: number): boolean {
  const etag = `"${tag}"`;
  reply.headers({
    etag,
    'cache-control': maxAge > 0 ? `public, max-age=${maxAge}` : 'public, no-cache',
    // The answer is the same for all, also for those who are logged in.
    vary: 'accept-encoding',
  });
  const known = request.headers['if-none-match']
    ?.split(',')
    .some((one) => [etag, '*'].includes(one.trim().replace(/^W\//, '')));
  if (known === true) reply.code(304);
  return known === true;
}

/** Whether the client shows pages to a person. */
const isBrowser = ({ headers: { accept = '' } }: FastifyRequest): boolean => accept.includes('text/html');

/** Sends a 304, which has no body. */
const unchanged = (reply: FastifyReply): never => reply.send() as never;

const surroundingsOf = async (host: ModuleServices<Settings>): Promise<Surroundings> => {
  const workspace = host.workspace();
  return { workspace, lang: workspace.locales[0]!, logo: (await host.logo())?.version };
};

/** What visitors read without logging in. No route changes anything. */
export const publicRoutes: ModuleRoutes<VisitorService, Settings> = async (app, { services: visitors, host }) => {
  const { http } = host;
  const known = (request: FastifyRequest, reply: FastifyReply, { tag }: Answer<unknown>): boolean =>
    isKnown(request, reply, tag, host.settings().max_age_seconds);

  /** Sends a page. What does not exist, or cannot be searched for, is a page for browsers, too, and a problem for programs. */
  async function sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    reading: Promise<Answer<PortalPage>>,
    isCard: boolean,
  ): Promise<never> {
    try {
      const answer = await reading;
      reply.type(HTML).header('content-security-policy', answer.body.policy);
      return known(request, reply, answer) ? unchanged(reply) : (reply.send(answer.body.text) as never);
    } catch (error) {
      const status = FAILURES[String((error as { code?: unknown }).code)];
      if (status === undefined || !isBrowser(request)) throw error;
      const { text, policy } = failurePage(await surroundingsOf(host), status, isCard);
      return reply
        .code(status)
        .type(HTML)
        .headers({ 'content-security-policy': policy, vary: 'accept, accept-encoding' })
        .send(text) as never;
    }
  }

  app.get(
    '/:slug',
    {
      config,
      schema: {
        operationId: 'getPublicPortal',
        summary: 'A portal, for visitors',
        tags,
        params: SlugParams,
        response: { 200: PortalView },
      },
    },
    async (request, reply) => {
      const { currency } = host.workspace();
      const answer = await visitors.about(request.params.slug, 'about', (open) => portalView(open, currency));
      return known(request, reply, answer) ? unchanged(reply) : answer.body;
    },
  );

  app.get(
    '/:slug/cards',
    {
      config,
      schema: {
        operationId: 'listPublicPortalCards',
        summary: 'The cards of a portal',
        tags,
        params: SlugParams,
        querystring: CardsQuery,
        description:
          'Only the fields of the portal. Texts of more than 1,000 characters are shortened in lists. What is not offered has the same answer as what does not exist.',
        response: { 200: CardsPage },
      },
    },
    async (request, reply) => {
      const answer = await visitors.cards(request.params.slug, 'cards', request.query as Query, ({ page }) => page);
      return known(request, reply, answer) ? unchanged(reply) : http.sendPage(request, reply, answer.body);
    },
  );

  app.get(
    '/:slug/cards/:id',
    {
      config,
      schema: {
        operationId: 'getPublicPortalCard',
        summary: 'A card of a portal',
        tags,
        params: CardParams,
        description: 'A card that is not part of the portal has the same answer as an unknown id.',
        response: { 200: CardView },
      },
    },
    async (request, reply) => {
      const { slug, id } = request.params;
      const answer = await visitors.card(slug, 'card', id, (_open, card) => card);
      return known(request, reply, answer) ? unchanged(reply) : answer.body;
    },
  );

  app.get(
    '/:slug/page',
    {
      config,
      schema: {
        operationId: 'getPublicPortalPage',
        summary: 'The page of a portal',
        tags,
        params: SlugParams,
        querystring: CardsQuery,
        description: 'HTML without scripts, with the logo and title of the workspace, in its first language.',
        response: { 200: FileResponse('text/html', 'The page.') },
      },
    },
    async (request, reply) => {
      // The page shows how many pages there are.
      const { total: _total, cursor: _cursor, ...query } = request.query as Query;
      const reading = visitors.cards(request.params.slug, 'page', query, async (list) =>
        listPage(list, await surroundingsOf(host)),
      );
      return await sendPage(request, reply, reading, false);
    },
  );

  app.get(
    '/:slug/page/:id',
    {
      config,
      schema: {
        operationId: 'getPublicPortalCardPage',
        summary: 'The page of a card of a portal',
        tags,
        params: CardParams,
        response: { 200: FileResponse('text/html', 'The page.') },
      },
    },
    async (request, reply) => {
      const { slug, id } = request.params;
      const reading = visitors.card(slug, 'card-page', id, async (open, card) =>
        cardPage(open, card, await surroundingsOf(host)),
      );
      return await sendPage(request, reply, reading, true);
    },
  );
};
