import { FilesForm, JobAccepted, type ModuleRoutes } from '@lintel/sdk';
import { MANAGERS, READERS } from '../permissions.js';
import type { InsightLensServices } from '../services.js';
import type { Settings } from '../settings.js';
import { MOST_BYTES, MOST_FILES } from './definition.js';
import { FeedPage, FeedParams, FeedQuery, FeedView, OddProductPage } from './schemas.js';

const tags = ['insightlens'];
const LIMITS = { files: MOST_FILES, bytes: MOST_BYTES };
type Routes = ModuleRoutes<InsightLensServices, Settings>;

/** A separate scope, because it accepts forms instead of JSON. */
const uploadRoutes: Routes = async (app, { services: { feeds }, host: { http } }) => {
  await http.takeForms(app, LIMITS);
  app.post(
    '/feeds/:feed/upload',
    {
      config: { access: MANAGERS, idempotent: true, costly: true },
      bodyLimit: LIMITS.bytes,
      schema: {
        operationId: 'uploadInsightFeed',
        summary: 'Replace the content of a feed by files',
        description:
          '`kev`: one file in the form of `known_exploited_vulnerabilities.json` of CISA. `endoflife`: files in the forms of endoflife.date: `/api/v1/products/full`, `/api/{product}.json`, or the Markdown files of its repository. Nothing is stored if any file is not valid.',
        tags,
        params: FeedParams,
        body: FilesForm('files', 'Files of the feed, up to 16 MiB.') as never,
        response: { 200: FeedView },
      },
    },
    async (request, reply) => {
      const files = await http.upload(request, reply, 'files', LIMITS);
      const feed = await feeds.upload(request.ctx, request.params.feed, files);
      return http.sendResource(request, reply, { version: feed.version, derived: feed, body: feed });
    },
  );
};

/** Feeds of known exploited vulnerabilities and of end-of-life dates. */
export const feedRoutes: Routes = async (app, options) => {
  const { http } = options.host;
  const { feeds } = options.services;
  await app.register(uploadRoutes, options);

  app.get(
    '/feeds',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listInsightFeeds',
        summary: 'The feeds with their age',
        tags,
        querystring: FeedQuery,
        response: { 200: FeedPage },
      },
    },
    async (request, reply) =>
      http.sendPage(request, reply, http.pageOf(await feeds.list(request.ctx), 'feed', 'feed', request.query, 'feeds')),
  );

  app.get(
    '/feeds/odd-versions',
    {
      config: { access: READERS },
      schema: {
        operationId: 'listInsightOddVersions',
        summary: 'Products whose releases have names without an order',
        description: 'Their releases are found by name only.',
        tags,
        querystring: FeedQuery,
        response: { 200: OddProductPage },
      },
    },
    async (request, reply) =>
      http.sendPage(request, reply, http.pageOf(await feeds.oddProducts(), 'slug', 'slug', request.query, 'odd')),
  );

  app.get(
    '/feeds/:feed',
    {
      config: { access: READERS },
      schema: {
        operationId: 'getInsightFeed',
        summary: 'A feed with its age, and why it could not be fetched',
        tags,
        params: FeedParams,
        response: { 200: FeedView },
      },
    },
    async (request, reply) => {
      const feed = await feeds.get(request.ctx, request.params.feed);
      return http.sendResource(request, reply, { version: feed.version, derived: feed, body: feed });
    },
  );

  app.post(
    '/feeds/:feed/fetch',
    {
      config: { access: MANAGERS, idempotent: true },
      schema: {
        operationId: 'fetchInsightFeed',
        summary: 'Fetch a feed now',
        description: 'A feed that cannot be fetched keeps its content; `failure` says why.',
        tags,
        params: FeedParams,
        response: JobAccepted,
      },
    },
    async (request, reply) => http.sendJob(reply, await feeds.fetch(request.ctx, request.params.feed)),
  );
};
