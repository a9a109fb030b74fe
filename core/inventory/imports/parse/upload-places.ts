import { problem } from '../../../foundation/errors.js';

/** Maximum number of concurrent uploads per user and node. */
const MOST = 4;

/** Limits concurrent uploads per user, so that one user cannot exhaust memory and connections. */
export class UploadPlaces {
  private readonly underWay = new Map<string, number>();

  /**
   * Runs an upload in one of the slots of its user.
   * @throws rate_limited where all slots are in use; what `work` throws
   */
  async run<T>(user: string, work: () => Promise<T>): Promise<T> {
    const before = this.underWay.get(user) ?? 0;
    if (before >= MOST)
      throw problem('rate_limited', {
        detail: `A user has at most ${MOST} uploads under way on a node.`,
        headers: { 'retry-after': '10' },
      });
    this.underWay.set(user, before + 1);
    try {
      return await work();
    } finally {
      const left = this.underWay.get(user)! - 1;
      if (left > 0) this.underWay.set(user, left);
      else this.underWay.delete(user);
    }
  }
}
