import { IdParams, NoContent, type ModuleRoutes } from '@lintel/sdk';
import { MANAGERS, READERS } from '../permissions.js';
import type { InsightLensServices } from '../services.js';
import type { Settings } from '../settings.js';
import { ProposalCommit, ProposalCreate, ProposalPage, ProposalPatch, ProposalQuery, ProposalView } from './schemas.js';

const tags = ['insightlens'];
const PATH = '/architect/proposals';

/** Proposals: ask for, read, change, commit. */
export const proposalRoutes: ModuleRoutes<InsightLensServices, Settings> = async (app, { services, host }) => {
  const { http } = host;
  const { proposals } = services;
  const resource = (proposal: ProposalView, status = 200) => ({
    status,
    version: proposal.version,
    derived: proposal,
    body: proposal,
  });

  app.post(
    PATH,
    {
      config: { access: MANAGERS, idempotent: true },
      schema: {
        operationId: 'createInsightProposal',
        summary: 'Ask for a proposal that meets a requirement',
        description:
          'A job compares the requirement with the cards that the caller sees, and proposes options and a change set. Nothing is changed until it is committed. A user has one under way at a time.',
        tags,
        body: ProposalCreate,
        response: { 201: ProposalView },
      },
    },
    async (request, reply) => {
      const proposal = await proposals.create(request.ctx, request.body);
      reply.header('location', `/api/v1/insightlens${PATH}/${proposal.id}`);
      return http.sendResource(request, reply, resource(proposal, 201));
    },
  );

  app.get(
    PATH,
    {
      config: { access: READERS },
      schema: {
        operationId: 'listInsightProposals',
        summary: 'Own proposals, the latest first',
        description:
          'With `insightlens.manage` also those of others; always those whose cards are visible to the caller.',
        tags,
        querystring: ProposalQuery,
        response: { 200: ProposalPage },
      },
    },
    async (request, reply) => http.sendPage(request, reply, await proposals.list(request.ctx, request.query)),
  );

  app.get(
    `${PATH}/:id`,
    {
      config: { access: READERS },
      schema: {
        operationId: 'getInsightProposal',
        summary: 'A proposal',
        tags,
        params: IdParams,
        response: { 200: ProposalView },
      },
    },
    async (request, reply) =>
      http.sendResource(request, reply, resource(await proposals.get(request.ctx, request.params.id))),
  );

  app.patch(
    `${PATH}/:id`,
    {
      config: { access: MANAGERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'updateInsightProposal',
        summary: 'Change the title or the change set of a proposal',
        tags,
        params: IdParams,
        body: ProposalPatch,
        response: { 200: ProposalView },
      },
    },
    async (request, reply) =>
      http.sendResource(request, reply, resource(await proposals.update(request.ctx, request.params.id, request.body))),
  );

  app.post(
    `${PATH}/:id/cancel`,
    {
      config: { access: MANAGERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'cancelInsightProposal',
        summary: 'End the work on a proposal',
        tags,
        params: IdParams,
        response: { 200: ProposalView },
      },
    },
    async (request, reply) =>
      http.sendResource(request, reply, resource(await proposals.cancel(request.ctx, request.params.id))),
  );

  app.post(
    `${PATH}/:id/commit`,
    {
      config: { access: MANAGERS, idempotent: true, conditional: true },
      schema: {
        operationId: 'commitInsightProposal',
        summary: 'Create what a proposal consists of',
        description:
          'Initiative, cards, relations and a draft decision are created in one transaction, with the rights of the caller (`cards.bulk`, `cards.create`, `relations.manage`, `adr.manage`): all of them, or none. ' +
          'Errors name the fields of `change_set`; a card that was archived meanwhile is one. After a change of a card that it names (`is_changed`) the answer is 409 `insightlens_proposal_outdated` until the proposal is refreshed. Without the module `adr` there is no decision.',
        tags,
        params: IdParams,
        body: ProposalCommit,
        response: { 200: ProposalView },
      },
    },
    async (request, reply) => {
      const { with_decision: withDecision = true } = request.body;
      const proposal = await proposals.commit(request.ctx, request.params.id, withDecision);
      return http.sendResource(request, reply, resource(proposal));
    },
  );

  app.delete(
    `${PATH}/:id`,
    {
      config: { access: MANAGERS, conditional: true },
      schema: {
        operationId: 'deleteInsightProposal',
        summary: 'Delete a proposal',
        description: 'What was committed stays.',
        tags,
        params: IdParams,
        response: NoContent,
      },
    },
    async (request, reply) => {
      await proposals.remove(request.ctx, request.params.id);
      return http.sendNothing(reply);
    },
  );
};
