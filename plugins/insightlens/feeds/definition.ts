import type { Release } from './cycles.js';

/** The feeds: known exploited vulnerabilities, and end-of-life dates. */
export const FEEDS = ['kev', 'endoflife'] as const;
export type Feed = (typeof FEEDS)[number];

export const FETCH_JOB = 'insightlens.fetch_feeds';
/** Bytes of an upload, of which a form may have 1,000 files, and of a response. */
export const MOST_BYTES = 16 * 1024 * 1024;
export const MOST_FILES = 1_000;
export const MOST_VULNERABILITIES = 20_000;
export const MOST_PRODUCTS = 5_000;
export const MOST_RELEASES = 100_000;

/** An entry of the feed of known exploited vulnerabilities, as it is stored. */
export interface Vulnerability {
  cve: string;
  vendor: string;
  product: string;
  name: string;
  /** YYYY-MM-DD. */
  added: string;
  due: string | null;
  ransomware: boolean;
  action: string | null;
}

/** A product of the feed of end-of-life dates, with its releases, the latest first. */
export interface Product {
  slug: string;
  title: string;
  /** Other names. */
  aliases: string[];
  releases: Release[];
}

/** The content of a feed, checked. */
export type FeedContent =
  | { feed: 'kev'; published: string | null; vulnerabilities: Vulnerability[] }
  | { feed: 'endoflife'; published: string | null; products: Product[] };

/** A file of a feed. */
export interface FeedFile {
  name: string;
  bytes: Uint8Array;
}

/** A part of a feed that is not valid. `field` is a JSON pointer into the feed. */
export interface Fault {
  field: string;
  reason: string;
}

/** All that is not valid in a feed. */
export class FeedFaults extends Error {
  constructor(readonly faults: readonly Fault[]) {
    super(
      faults
        .slice(0, 3)
        .map(({ field, reason }) => `${field} ${reason}`)
        .join('; '),
    );
  }
}
