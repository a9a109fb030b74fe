import { requireRoom, type PageResult, type RequestContext, type UnitOfWork } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { changeSetOf, existingCards, faultsOf, titleOf } from './change-set.js';
import { prepareCommit } from './commit.js';
import { namedCards, PROPOSE_JOB, type Proposal, type ProposalState } from './definition.js';
import { tellProposal } from './events.js';
import { versionsOf } from './landscape-repository.js';
import {
  PROPOSALS,
  deleteProposal,
  findProposal,
  insertProposal,
  listProposals,
  lockProposal,
  saveProposal,
  setProposalJob,
} from './repository.js';
import type { ProposalCreate, ProposalPatch, ProposalQuery, ProposalSummary, ProposalView } from './schemas.js';
import { summaryOf, viewOf } from './view.js';

const ACTIVE: readonly ProposalState[] = ['queued', 'running'];

/** Proposals of the architect: private to their author, and to those who decide on analyses and see all cards named. */
export class ProposalService {
  constructor(private readonly host: Host) {}

  async list(ctx: RequestContext, { state, ...params }: ProposalQuery): Promise<PageResult<ProposalSummary>> {
    const page = await listProposals(this.host, ctx, params, state);
    return { ...page, items: page.items.map(summaryOf) };
  }

  /** @throws not_found, also for a proposal that the caller may not see */
  async get(ctx: RequestContext, id: string): Promise<ProposalView> {
    return await viewOf(this.host, ctx, await this.seen(ctx, id));
  }

  /**
   * Queues a proposal for a requirement, made with the rights of the caller.
   * @throws insightlens_proposal_active, limit_reached
   */
  async create(ctx: RequestContext, { requirement, title, use_model = true }: ProposalCreate): Promise<ProposalView> {
    const { host } = this;
    const { id } = await host.transactions.run(ctx, async (uow) => {
      const made = { id: host.newId(), asked_by: uow.ctx.actor!.id, title: title ?? titleOf(requirement), requirement };
      await requireRoom(uow, PROPOSALS, [made], (code, details) => host.problem(code, details));
      await insertProposal(uow, made);
      const payload = { proposal_id: made.id, use_model };
      await setProposalJob(uow, made.id, await host.jobs.enqueue(uow, PROPOSE_JOB, payload, { onBehalfOf: 'caller' }));
      tellProposal(uow, 'requested', made);
      return { id: made.id };
    });
    return await this.get(ctx, id);
  }

  /**
   * Changes title or change set, or takes the cards as they are now (`refresh`).
   * @throws not_found, invalid_state, validation_failed, and those of `If-Match`
   */
  async update(ctx: RequestContext, id: string, patch: ProposalPatch): Promise<ProposalView> {
    const { host } = this;
    const { design: seen, change_set: before } = await this.seen(ctx, id);
    const option = seen?.options.find((one) => one.id === patch.option_id);
    const faults = patch.change_set ? faultsOf(patch.change_set, '/change_set') : [];
    if (patch.option_id !== undefined && !option) faults.push({ field: '/option_id', reason: 'names no option' });
    if (patch.option_id !== undefined && patch.change_set)
      faults.push({ field: '/option_id', reason: 'cannot be given together with change_set' });
    const named = patch.change_set ? existingCards(patch.change_set, '/change_set') : [];
    const cards = await host.cards.find(
      ctx,
      named.map((one) => one.id),
    );
    faults.push(...named.filter((one) => !cards.has(one.id)).map(({ field }) => ({ field, reason: 'names no card' })));
    if (faults.length > 0) throw host.invalid(...faults);
    const ids = namedCards(patch.refresh ? seen : null, patch.change_set ?? before);
    const now = await host.inventory.read(ctx, {}, (inventory) => versionsOf(inventory, ids));
    await this.change(ctx, id, ['ready'], Object.keys(patch), async (uow, proposal) => {
      const title = patch.title ?? proposal.title;
      const changes =
        option && proposal.design ? changeSetOf(proposal.design, option, { ...proposal, title }) : patch.change_set;
      const design = proposal.design && {
        ...proposal.design,
        ...(changes && { chosen: option?.id ?? null }),
        // Cards that it named before keep their version, unless it is refreshed: the change set may be older than their changes.
        versions: patch.refresh ? { ...proposal.design.versions, ...now } : { ...now, ...proposal.design.versions },
      };
      const next = { ...proposal, title, design, change_set: changes ?? proposal.change_set };
      await saveProposal(uow, next);
      tellProposal(uow, 'updated', next);
    });
    return await this.get(ctx, id);
  }

  /** @throws not_found, invalid_state, and those of `If-Match` */
  async cancel(ctx: RequestContext, id: string): Promise<ProposalView> {
    await this.seen(ctx, id);
    await this.change(ctx, id, ACTIVE, ['state'], async (uow, proposal) => {
      await saveProposal(uow, { ...proposal, state: 'cancelled' });
      tellProposal(uow, 'cancelled', proposal);
    });
    return await this.get(ctx, id);
  }

  /** Deletes a proposal; what was committed stays. @throws not_found, invalid_state while it is made, and those of `If-Match` */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    await this.seen(ctx, id);
    const ended: ProposalState[] = ['ready', 'failed', 'cancelled', 'committed'];
    await this.change(ctx, id, ended, ['state'], async (uow, proposal) => {
      await deleteProposal(uow, id);
      tellProposal(uow, 'deleted', proposal);
    });
  }

  /**
   * Creates what a proposal consists of, in one transaction with the rights of the caller: initiative, cards, relations, draft decision.
   * @throws not_found, invalid_state, validation_failed with the fields of the change set, forbidden, conflict if it is changed
   *   meanwhile, and those of `If-Match`
   */
  async commit(ctx: RequestContext, id: string, withDecision: boolean): Promise<ProposalView> {
    const { host } = this;
    const seen = await this.seen(ctx, id);
    // A repeated request gets its answer again in the transaction, before anything is done.
    const create = seen.state === 'ready' ? await prepareCommit(host, ctx, seen, withDecision) : undefined;
    await this.change(ctx, id, ['ready'], ['state'], async (uow, proposal) => {
      if (proposal.version !== seen.version || !create)
        throw host.problem('conflict', { detail: 'The proposal was changed meanwhile; try again.' });
      const outcome = await create(uow);
      const committed_by = uow.ctx.actor?.id ?? null;
      await saveProposal(uow, { ...proposal, state: 'committed', outcome, committed_by });
      tellProposal(uow, 'committed', proposal);
    });
    return await this.get(ctx, id);
  }

  private async change(
    ctx: RequestContext,
    id: string,
    states: readonly ProposalState[],
    fields: readonly string[],
    work: (uow: UnitOfWork, proposal: Proposal) => Promise<void>,
  ): Promise<void> {
    const { host } = this;
    await host.transactions.run(ctx, async (uow) => {
      const proposal = await lockProposal(uow, id);
      if (!proposal) throw host.problem('not_found');
      host.checkVersion(uow.ctx, proposal.version, fields);
      if (!states.includes(proposal.state))
        throw host.problem('invalid_state', {
          detail: `The proposal is ${proposal.state}.`,
          state: proposal.state,
          allowed: [...states],
        });
      await work(uow, proposal);
      return { id };
    });
  }

  private async seen(ctx: RequestContext, id: string): Promise<Proposal> {
    const found = await findProposal(this.host, ctx, id);
    if (!found) throw this.host.problem('not_found');
    return found;
  }
}
