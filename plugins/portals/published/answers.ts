import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Milliseconds for which an answer is kept: a change of cards, fields or rights is seen by visitors within a second. */
const KEPT_MS = 500;
/** Characters of all answers that are kept, and of one request of which the answer is kept. */
const [MOST_CHARACTERS, MOST_OF_KEY] = [16_000_000, 2_000];

/** An answer to visitors. */
export interface Answer<T> {
  body: T;
  /** Digest of everything that the answer shows. */
  tag: string;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Answers of the last half second, so that many visitors of the same page read the database once. */
export class Answers {
  private readonly kept = new LRUCache<string, Answer<unknown>>({
    maxSize: MOST_CHARACTERS,
    ttl: KEPT_MS,
    ttlResolution: 0,
  });
  private readonly making = new Map<string, Promise<Answer<unknown>>>();

  /** @param key determines the answer, together with the data @param make makes it if none is kept */
  async get<T>(key: string, make: () => Promise<T>): Promise<Answer<T>> {
    const known = this.kept.get(key) ?? this.making.get(key);
    if (known) return (await known) as Answer<T>;
    const making = this.make(key, make);
    if (key.length > MOST_OF_KEY) return await making;
    this.making.set(key, making);
    try {
      return await making;
    } finally {
      this.making.delete(key);
    }
  }

  private async make<T>(key: string, make: () => Promise<T>): Promise<Answer<T>> {
    // It is as old as its data, which are read after this.
    const start = performance.now();
    const body = await make();
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = { body, tag: digestOf(text) };
    if (key.length <= MOST_OF_KEY)
      this.kept.set(key, answer, {
        size: key.length + text.length,
        ttl: Math.max(1, start + KEPT_MS - performance.now()),
      });
    return answer;
  }
}
