import { LRUCache } from 'lru-cache';
import type { Inventory, ReportRequest } from '@lintel/sdk';

/** Answers over more cards than this are kept; as for facets. */
export const LARGE = 50_000;
const AGE_MS = 10_000;
const MOST = 200;

/** Answers over large inventories, each kept for ten seconds for the same caller with the same permissions. */
export class AnswerCache<Answer extends { total: number }> {
  private readonly entries = new LRUCache<string, Answer & object>({ max: MOST, ttl: AGE_MS });

  clear(): void {
    this.entries.clear();
  }

  /**
   * @param compute the answer, where none is kept
   * @param costs which costs the caller may see; where a stakeholder role decides, which may be revoked, nothing is kept
   */
  async get(
    { ctx, parameters, filters, lang }: ReportRequest<unknown>,
    { costs, today, types }: Pick<Inventory, 'costs' | 'today' | 'types'>,
    compute: () => Promise<Answer>,
  ): Promise<Answer> {
    // The permissions that are listed do not tell which types a role hides.
    const caller = [ctx.actor?.id, ctx.actor?.token?.id, ctx.permissions.list(), [...types.keys()], costs];
    const key = JSON.stringify([caller, today, parameters, filters, lang]);
    const kept = costs === 'some' ? undefined : this.entries.get(key);
    if (kept) return kept;
    const began = performance.now();
    const answer = await compute();
    if (answer.total > LARGE && costs !== 'some') this.entries.set(key, answer, { start: began });
    return answer;
  }
}
