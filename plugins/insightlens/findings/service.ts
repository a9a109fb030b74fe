import type { PageResult, RequestContext } from '@lintel/sdk';
import { analysisOf } from '../analyses/index.js';
import type { Host } from '../basics.js';
import { tellMoved } from './events.js';
import { findFinding, listFindings, lockFinding, moveFinding, type FoundFinding } from './repository.js';
import type { FindingMove, FindingQuery, FindingView } from './schemas.js';

/** Findings of all analyses, as far as the caller sees them, and what people decide about them. */
export class FindingService {
  constructor(private readonly host: Host) {}

  async list(ctx: RequestContext, query: FindingQuery): Promise<PageResult<FindingView>> {
    return await this.host.inventory.read(ctx, {}, (inventory) => listFindings(inventory, query));
  }

  /** @throws not_found, also for a finding that the caller may not see */
  async get(ctx: RequestContext, id: string): Promise<FindingView> {
    return (await this.seen(ctx, id)).view;
  }

  /**
   * Puts a finding in another state.
   * @throws not_found, invalid_state with the states that are possible, validation_failed without a note where one is needed, and those
   *   of `If-Match`
   */
  async move(ctx: RequestContext, id: string, { to, note = null }: FindingMove): Promise<FindingView> {
    const { host } = this;
    const { view, needs } = await this.seen(ctx, id);
    await host.transactions.run(ctx, async (uow) => {
      const finding = await lockFinding(uow, id);
      if (!finding) throw host.problem('not_found');
      host.checkVersion(uow.ctx, finding.version, ['state']);
      const { moves = {}, withNote = [] } = analysisOf(finding.kind)?.states ?? {};
      const allowed = moves[finding.state] ?? [];
      if (!allowed.includes(to))
        throw host.problem('invalid_state', {
          detail: `The finding is ${finding.state}.`,
          state: finding.state,
          allowed: [...allowed],
        });
      if (withNote.includes(to) && note === null)
        throw host.invalid({ field: '/note', reason: `is required for ${to}` });
      await moveFinding(uow, id, to, note);
      const subject = { id, kind: finding.kind, needs, card_ids: view.cards.map((card) => card.id) };
      tellMoved(uow, subject, { from: finding.state, to, note });
      return { id };
    });
    return await this.get(ctx, id);
  }

  private async seen(ctx: RequestContext, id: string): Promise<FoundFinding> {
    const found = await this.host.inventory.read(ctx, {}, (inventory) => findFinding(inventory, id));
    if (!found) throw this.host.problem('not_found');
    return found;
  }
}
