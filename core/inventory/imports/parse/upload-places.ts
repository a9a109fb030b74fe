import { problem } from '../../../foundation/errors.js';

/** Uploads of one user at a time, on a node. */
const MOST = 4;

/** Counts the uploads under way, so that no user takes what there is of memory and connections for them. */
export class UploadPlaces {
  private readonly underWay = new Map<string, number>();

  /**
   * Runs an upload in one of the places of its user.
   * @throws rate_limited where they are taken; what `work` throws
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
