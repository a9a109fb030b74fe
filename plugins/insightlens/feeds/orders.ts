import type { Fault, Feed, FeedContent, FeedFile } from './definition.js';

/** What the worker is asked for. */
export interface Order {
  feed: Feed;
  files: FeedFile[];
}

export type Answer = { content: FeedContent } | { faults: readonly Fault[] };
