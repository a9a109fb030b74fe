import type { ModuleServices } from '@lintel/sdk';
import { readPublished, type PublishedPortal } from '../repository.js';

/**
 * Milliseconds for which the published portals are kept in memory. Requests for any number of unknown portals therefore read
 * the database a few times a second, and a portal that another node withdraws is closed within a second.
 */
const KEPT_MS = 250;

/** The published portals, by slug. */
export class PortalLookup {
  private known: { portals: ReadonlyMap<string, PublishedPortal>; until: number } | undefined;
  private reading: Promise<ReadonlyMap<string, PublishedPortal>> | undefined;

  constructor(private readonly host: ModuleServices<never>) {}

  /** @returns undefined if there is no portal with the slug, or if it is not published */
  async find(slug: string): Promise<PublishedPortal | undefined> {
    const { known } = this;
    if (known && performance.now() < known.until) return known.portals.get(slug);
    this.reading ??= this.read();
    return (await this.reading).get(slug);
  }

  /** After a change on this node: what is being read may be older than the change. */
  forget(): void {
    this.known = undefined;
    this.reading = undefined;
  }

  private read(): Promise<ReadonlyMap<string, PublishedPortal>> {
    const until = performance.now() + KEPT_MS;
    const reading: Promise<ReadonlyMap<string, PublishedPortal>> = this.host
      .shared(() => readPublished(this.host))
      .then((rows) => {
        const portals = new Map(rows.map((portal) => [portal.slug, portal]));
        if (this.reading === reading) this.known = { portals, until };
        return portals;
      })
      .finally(() => {
        if (this.reading === reading) this.reading = undefined;
      });
    return reading;
  }
}
