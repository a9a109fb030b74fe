import type { RequestContext, UnitOfWork, UploadedFile } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { MANAGE } from '../permissions.js';
import { isOddCycle } from './cycles.js';
import { FeedFaults, FETCH_JOB, type Feed, type FeedContent } from './definition.js';
import { tellFeed } from './events.js';
import { listFeeds, lockFeed, readCycles, replaceFeed, type FeedOrigin, type StoredFeed } from './repository.js';
import type { FeedView, OddProduct } from './schemas.js';
import { FeedThread } from './thread.js';

const DAY_MS = 86_400_000;
const UPLOADED: FeedOrigin = { source: 'upload', url: null, etag: null, last_modified: null };

/** The feeds: their state, and their content by upload. */
export class FeedService {
  /** Reads the files of uploads and responses. */
  readonly thread: FeedThread;

  constructor(private readonly host: Host) {
    this.thread = new FeedThread(host);
  }

  /** `failure.detail` names the server, which only those who manage feeds are told. */
  async list(ctx: RequestContext): Promise<FeedView[]> {
    const isTold = ctx.permissions.has(MANAGE);
    return (await listFeeds(this.host.db)).map((stored) => this.viewOf(stored, isTold));
  }

  /** @throws not_found */
  async get(ctx: RequestContext, feed: Feed): Promise<FeedView> {
    const found = (await this.list(ctx)).find((view) => view.feed === feed);
    if (!found) throw this.host.problem('not_found');
    return found;
  }

  /**
   * Replaces the content of a feed by files.
   * @throws validation_failed with everything that is not valid; rate_limited or unavailable if too many uploads are being read; the content is then kept
   */
  async upload(ctx: RequestContext, feed: Feed, files: readonly UploadedFile[]): Promise<FeedView> {
    const { host } = this;
    let content: FeedContent;
    try {
      content = await this.thread.read(ctx, feed, files);
    } catch (error) {
      if (!(error instanceof FeedFaults)) throw error;
      throw host.invalid(...error.faults.map(({ field, reason }) => ({ field, reason })));
    }
    await host.transactions.run(ctx, async (uow) => {
      await lockFeed(uow, feed);
      await replaceContent(uow, content, UPLOADED);
      return { feed };
    });
    return await this.get(ctx, feed);
  }

  /**
   * Queues a job that fetches a feed.
   * @returns the id of the job
   * @throws invalid_state if no URL is set
   */
  async fetch(ctx: RequestContext, feed: Feed): Promise<string> {
    const { host } = this;
    if (host.settings()[`${feed}_url`] === '')
      throw host.problem('invalid_state', { detail: `The setting ${feed}_url is empty.` });
    return await host.transactions.run(ctx, (uow) => host.jobs.enqueue(uow, FETCH_JOB, { feed }));
  }

  /** Products of the end-of-life dates of which releases have names that have no order, with these. */
  async oddProducts(): Promise<OddProduct[]> {
    const odd = new Map<string, OddProduct>();
    for (const { slug, title, cycle } of await readCycles(this.host.db)) {
      if (!isOddCycle(cycle)) continue;
      const product = odd.get(slug) ?? { slug, title, cycles: [] };
      product.cycles.push(cycle);
      odd.set(slug, product);
    }
    return [...odd.values()];
  }

  private viewOf(
    { url: _url, etag: _etag, last_modified: _modified, ...stored }: StoredFeed,
    isTold: boolean,
  ): FeedView {
    const { loaded_at, checked_at, failed_at, feed } = stored;
    const settings = this.host.settings();
    // A feed that was found unchanged is as old as that.
    const confirmed = failed_at || stored.source !== 'fetch' ? loaded_at : (checked_at ?? loaded_at);
    const age = confirmed && Math.max(0, Math.floor((Date.now() - confirmed.getTime()) / DAY_MS));
    return {
      ...stored,
      failure: stored.failure && { code: stored.failure.code, detail: isTold ? stored.failure.detail : null },
      title: TITLES[feed],
      is_scheduled: settings[`${feed}_url`] !== '',
      loaded_at: loaded_at?.toISOString() ?? null,
      checked_at: checked_at?.toISOString() ?? null,
      failed_at: failed_at?.toISOString() ?? null,
      age_days: age,
      state: loaded_at === null ? 'empty' : age! > settings.feed_stale_days ? 'stale' : 'current',
    };
  }
}

const TITLES: Readonly<Record<Feed, string>> = {
  kev: 'Known exploited vulnerabilities',
  endoflife: 'End-of-life dates',
};

/** Replaces the content of a feed, which is locked. */
export async function replaceContent(uow: UnitOfWork, content: FeedContent, origin: FeedOrigin): Promise<void> {
  await replaceFeed(uow, content, origin);
  tellFeed(uow, content.feed, 'loaded', { source: origin.source });
}
