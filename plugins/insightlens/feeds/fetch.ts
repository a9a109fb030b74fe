import type { JobRun } from '@lintel/sdk';
import { cut } from '../matching/cut.js';
import { ORIGIN, type Host } from '../basics.js';
import { FEEDS, FeedFaults, MOST_BYTES, type Feed } from './definition.js';
import { tellFeed } from './events.js';
import { listFeeds, lockFeed, noteFailed, noteUnchanged, type StoredFeed } from './repository.js';
import { isFeed, replaceContent } from './service.js';
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

/**
 * Fetches the feeds that have a URL; the content of one that cannot be fetched is kept, and its state says why. For the daily job, and
 * for one feed with `feed` in the payload.
 * @param thread reads the responses
 */
export async function fetchFeeds(host: Host, thread: FeedThread, job: JobRun): Promise<Record<string, Outcome>> {
  const wanted = job.payload['feed'];
  const stored = await listFeeds(host.db);
  const outcomes: Record<string, Outcome> = {};
  for (const feed of FEEDS) {
    if (wanted !== undefined && wanted !== feed) continue;
    const url = host.settings()[`${feed}_url`];
    if (url === '' || !isFeed(feed)) continue;
    const known = stored.find((one) => one.feed === feed)!;
    outcomes[feed] = await fetchFeed(host, thread, job, known, url);
  }
  return outcomes;
}

async function fetchFeed(
  host: Host,
  thread: FeedThread,
  job: JobRun,
  known: StoredFeed,
  url: string,
): Promise<Outcome> {
  const { feed } = known;
  const write = async (work: Parameters<Host['transactions']['run']>[1]): Promise<void> => {
    await host.transactions.run({ ...job.ctx, origin: ORIGIN }, async (uow) => {
      await job.guard(uow);
      await work(uow);
      return { feed };
    });
  };
  const failed = async (failure: Failure): Promise<Outcome> => {
    await write(async (uow) => {
      await lockFeed(uow, feed);
      await noteFailed(uow, feed, { ...failure, detail: cut(failure.detail, MOST_DETAIL) });
      tellFeed(uow, feed, 'failed', { code: failure.code });
    });
    return 'failed';
  };
  const isKnown = known.source === 'fetch' && known.url === url;
  const answer = await ask(host, job, feed, url, isKnown ? known : undefined);
  if ('code' in answer) return await failed(answer);
  const { status, headers, body } = answer;
  if (status === 304 && isKnown) {
    await write(async (uow) => {
      await lockFeed(uow, feed);
      await noteUnchanged(uow, feed);
    });
    return 'unchanged';
  }
  if (status !== 200)
    return await failed({
      code: 'unexpected_status',
      detail: `${new URL(url).host} answered with the status ${status}.`,
    });
  try {
    const content = await thread.read(feed, [{ name: `${feed}.json`, bytes: body }]);
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
async function ask(host: Host, job: JobRun, feed: Feed, url: string, known: StoredFeed | undefined) {
  const authorization = host.settings()[`${feed}_authorization`];
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
