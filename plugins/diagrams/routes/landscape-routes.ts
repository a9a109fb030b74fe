import { IdParams, type ModuleRoutes } from '@lintel/sdk';
import {
  DiagramDiff,
  DiffQuery,
  GenerateBody,
  Generated,
  MatchBody,
  Matches,
  Proposals,
  ProposeBody,
} from '../landscape-schemas.js';
import { VIEW, WRITERS } from '../permissions.js';
import type { DiagramsServices } from '../services.js';
import type { Settings } from '../settings.js';

const tags = ['diagrams'];
const params = IdParams;

/** What diagrams have to do with the landscape: comparing, generating, proposing. */
export const landscapeRoutes: ModuleRoutes<DiagramsServices, Settings> = async (app, { services, host: { http } }) => {
  const { diffs, proposals, matching, generator } = services;

  app.get(
    '/:id/diff',
    {
      config: { access: { permission: VIEW }, costly: true },
      schema: {
        operationId: 'getDiagramDiff',
        summary: 'What changed between two versions, in terms of cards and relations',
        tags,
        params,
        querystring: DiffQuery,
        response: { 200: DiagramDiff },
      },
    },
    async (request) => diffs.between(request.ctx, request.params.id, request.query),
  );

  app.post(
    '/generate',
    {
      config: { access: WRITERS, idempotent: true, costly: true },
      schema: {
        operationId: 'generateDiagram',
        summary: 'Make a diagram of the cards around a card',
        description:
          'A laid-out, editable draw.io file in the colours of the metamodel, whose shapes and edges refer to cards and relations. Requires relations.view.',
        tags,
        body: GenerateBody,
        response: { 200: Generated, 201: Generated },
      },
    },
    async (request, reply) => {
      const { ctx, body } = request;
      const file = await generator.generate(ctx, body);
      const common = { card_count: file.cards, relation_count: file.relations, truncated: file.isCut };
      if (body.save === false) return { diagram: null, content: file.bytes.toString('utf8'), ...common };
      const { body: diagram, version } = await generator.store(ctx, body, file);
      reply.header('location', `/api/v1/diagrams/${diagram.id}`);
      return http.sendResource(request, reply, { status: 201, version, body: { diagram, content: null, ...common } });
    },
  );

  app.post(
    '/:id/propose-relations',
    {
      config: { access: { permission: VIEW }, idempotent: true, costly: true },
      schema: {
        operationId: 'proposeDiagramRelations',
        summary: 'Relations that edges of a diagram show and the landscape does not have',
        description:
          'With `relations`, those are created first, with the rights of the caller as by `POST /relations/bulk`. Requires relations.view.',
        tags,
        params,
        body: ProposeBody,
        response: { 200: Proposals },
      },
    },
    async (request) => proposals.propose(request.ctx, request.params.id, request.body),
  );

  app.post(
    '/:id/match-cards',
    {
      config: { access: WRITERS, idempotent: true, conditional: true, costly: true },
      schema: {
        operationId: 'matchDiagramCards',
        summary: 'Cards that the shapes of a diagram may be, by their names',
        description:
          'For drawings without references to cards. With `matches`, accepted ones are written first, as a new version.',
        tags,
        params,
        body: MatchBody,
        response: { 200: Matches },
      },
    },
    async (request) => matching.match(request.ctx, request.params.id, request.body),
  );
};
