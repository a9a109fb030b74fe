import type { Disposable } from '@lintel/sdk';
import type { EventFeed } from '../events/index.js';
import type { WebhookFanOut } from './fan-out.js';
import type { WebhookSender } from './sender.js';

/** What goes on of webhooks by itself on this node: deliveries are made of events, and sent. */
export class WebhookDispatch {
  private endFeed: Disposable | undefined;

  constructor(
    private readonly feed: EventFeed,
    private readonly fanOut: WebhookFanOut,
    private readonly sender: WebhookSender,
  ) {}

  /** Begins; the event log must have. */
  start(): void {
    this.endFeed = this.feed.begin(this.fanOut);
    this.sender.start();
  }

  /** Ends both, with what is under way. */
  async close(): Promise<void> {
    await Promise.all([this.endFeed?.(), this.sender.close()]);
  }
}
