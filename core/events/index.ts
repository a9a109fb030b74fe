export { EventFeed, type FeedConsumer } from './feed.js';
export { EventLog, type EventFilter } from './log.js';
export { Sequencer } from './sequencer.js';
export { StreamHub } from './streams.js';
export { EventVisibility, type EventKind } from './visibility.js';
export { Subscriptions } from './subscriptions.js';
export type { ParkedEvent, SubscriptionState } from './subscription-repository.js';
