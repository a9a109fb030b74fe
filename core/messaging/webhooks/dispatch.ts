import type { Disposable } from '@lintel/sdk';
import type { EventFeed } from '../events/index.js';
import type { WebhookFanOut } from './fan-out.js';
import type { WebhookSender } from './sender.js';

/** Background processing of webhooks on this node: creates deliveries from events, and sends them. */
export class WebhookDispatch {
  private endFeed: Disposable | undefined;

  constructor(
    private readonly feed: EventFeed,
    private readonly fanOut: WebhookFanOut,
    private readonly sender: WebhookSender,
  ) {}

  /** Starts; the event log must have been started before. */
  start(): void {
    this.endFeed = this.feed.begin(this.fanOut);
    this.sender.start();
  }

  /** Stops both after their current work. */
  async close(): Promise<void> {
    await Promise.all([this.endFeed?.(), this.sender.close()]);
  }
}
