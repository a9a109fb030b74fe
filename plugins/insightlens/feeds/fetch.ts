import type { JobRun } from '@lintel/sdk';
import { cut } from '../matching/cut.js';
import { ORIGIN, type Host } from '../basics.js';
import { FEEDS, FeedFaults, MOST_BYTES, type Feed } from './definition.js';
import { tellFeed } from './events.js';
import { listFeeds, lockFeed, noteFailed, noteUnchanged, type StoredFeed } from './repository.js';
import type { Settings } from '../settings.js';
import { replaceContent } from './service.js';
import type { FeedThread } from './thread.js';

const TIMEOUT_MS = 60_000;
const ATTEMPTS = 3;
const RETRY_MS = 120_000;
const MOST_DETAIL = 500;

type Outcome = 'loaded' | 'unchanged' | 'failed';
interface Failure {
  code: string;
  detail: string;
}

/** Where a feed comes from. */
interface Source {
  url: string;
  /** The header, or an empty text. */
  authorization: string;
}

/** Fetches feeds; the content of one that cannot be fetched is kept, and its state says why. */
export class FeedFetches {
  /** The feeds that this node is fetching. */
  private readonly running = new Set<{ feed: Feed; superseded: AbortController }>();

  /** @param thread reads the responses */
  constructor(
    private readonly host: Host,
    private readonly thread: FeedThread,
  ) {}

  /** Fetches the feeds that have a URL: the daily job, and that of one feed with `feed` in the payload. */
  async run(job: JobRun): Promise<Record<string, Outcome>> {
    const wanted = job.payload['feed'];
    const outcomes: Record<string, Outcome> = {};
    for (const feed of FEEDS) {
      if (wanted !== undefined && wanted !== feed) continue;
      let outcome: Outcome | 'superseded' | undefined;
      do outcome = await this.fetch(job, feed);
      while (outcome === 'superseded');
      if (outcome !== undefined) outcomes[feed] = outcome;
    }
    return outcomes;
  }

  /**
   * Ends what fetches a feed from a former URL, or with a former key: that server gets no further requests, and its content is not stored.
   * @param before the settings before their change
   */
  settingsChanged(before: Settings): void {
    const now = this.host.settings();
    for (const { feed, superseded } of this.running)
      if (([`${feed}_url`, `${feed}_authorization`] as const).some((name) => before[name] !== now[name]))
        superseded.abort(new Error('the settings of the feed have changed'));
  }

  /** @returns undefined if the feed has no URL; superseded if it got another one meanwhile */
  private async fetch(job: JobRun, feed: Feed): Promise<Outcome | 'superseded' | undefined> {
    const fetching = { feed, superseded: new AbortController() };
    this.running.add(fetching);
    try {
      const { [`${feed}_url` as const]: url, [`${feed}_authorization` as const]: authorization } = this.host.settings();
      if (url === '') return undefined;
      const known = (await listFeeds(this.host.db)).find((one) => one.feed === feed)!;
      const signal = AbortSignal.any([job.signal, fetching.superseded.signal]);
      return await fetchFeed(this.host, this.thread, { ...job, signal }, known, { url, authorization });
    } catch (error) {
      if (!fetching.superseded.signal.aborted || job.signal.aborted) throw error;
      return 'superseded';
    } finally {
      this.running.delete(fetching);
    }
  }
}

async function fetchFeed(
  host: Host,
  thread: FeedThread,
  job: JobRun,
  known: StoredFeed,
  { url, authorization }: Source,
): Promise<Outcome> {
  const { feed } = known;
  const write = async (work: Parameters<Host['transactions']['run']>[1]): Promise<void> => {
    await host.transactions.run({ ...job.ctx, origin: ORIGIN }, async (uow) => {
      await job.guard(uow);
      await lockFeed(uow, feed);
      await work(uow);
      // The settings may have changed while it waited or wrote.
      job.signal.throwIfAborted();
      return { feed };
    });
  };
  const failed = async (failure: Failure): Promise<Outcome> => {
    await write(async (uow) => {
      await noteFailed(uow, feed, { ...failure, detail: cut(failure.detail, MOST_DETAIL) });
      tellFeed(uow, feed, 'failed', { code: failure.code });
    });
    return 'failed';
  };
  const isKnown = known.source === 'fetch' && known.url === url;
  const answer = await ask(host, job, { url, authorization }, isKnown ? known : undefined);
  if ('code' in answer) return await failed(answer);
  const { status, headers, body } = answer;
  if (status === 304 && isKnown) {
    await write((uow) => noteUnchanged(uow, feed));
    return 'unchanged';
  }
  if (status !== 200)
    return await failed({
      code: 'unexpected_status',
      detail: `${new URL(url).host} answered with the status ${status}.`,
    });
  try {
    const content = await thread.read({ actor: job.ctx.actor, lifetime: job }, feed, [
      { name: `${feed}.json`, bytes: body },
    ]);
    const tag = (name: string): string | null => headers[name]?.slice(0, MOST_DETAIL) ?? null;
    await write((uow) =>
      replaceContent(uow, content, { source: 'fetch', url, etag: tag('etag'), last_modified: tag('last-modified') }),
    );
    return 'loaded';
  } catch (error) {
    if (!(error instanceof FeedFaults)) throw error;
    return await failed({ code: 'invalid_feed', detail: error.message });
  }
}

/** @param known the content that the service has from there; only a newer one is then sent */
async function ask(host: Host, job: JobRun, { url, authorization }: Source, known: StoredFeed | undefined) {
  try {
    return await host.outbound.request(url, {
      headers: {
        accept: 'application/json',
        ...(authorization !== '' && { authorization }),
        ...(known?.etag && { 'if-none-match': known.etag }),
        ...(known?.last_modified && { 'if-modified-since': known.last_modified }),
      },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MOST_BYTES,
      signal: job.signal,
      retries: { attempts: ATTEMPTS, maxTotalMs: RETRY_MS },
    });
  } catch (error) {
    job.signal.throwIfAborted();
    const problem = host.refusalOf(error);
    if (!problem) throw error;
    return { code: problem.code, detail: problem.detail };
  }
}
