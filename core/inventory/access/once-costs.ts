import type { Database } from '../../foundation/db/database.js';
import type { Metamodel, MetamodelService } from '../metamodel/index.js';
import { readOnceCosts } from './repository.js';

/**
 * Whether a field must be hidden from callers who may not see costs: it is a cost, was one in an earlier metamodel, or
 * is unknown, so that it may have been one.
 * @param type key of the card type or of the relation type
 */
export type IsCost = (kind: 'card' | 'relation', type: string, key: string) => boolean;

/**
 * Fields that were a cost in an earlier metamodel remain hidden wherever old values are shown: history, events,
 * webhooks. Each revision of the metamodel is read once.
 */
export class OnceCosts {
  private upTo = '0';
  private readonly once = new Set<string>();
  private held: { metamodel: Metamodel; isCost: IsCost } | undefined;

  constructor(
    private readonly db: Database,
    private readonly metamodel: MetamodelService,
  ) {}

  /** Lets all revisions be read again: others may have the same numbers. */
  forget(): void {
    this.upTo = '0';
    this.held = undefined;
  }

  /** The test for the current metamodel, if already loaded. */
  get known(): IsCost | undefined {
    return this.held?.metamodel === this.metamodel.current ? this.held.isCost : undefined;
  }

  /** The test for the current metamodel; queries the database only after the metamodel has changed. */
  async current(): Promise<IsCost> {
    const metamodel = this.metamodel.current;
    if (this.held?.metamodel === metamodel) return this.held.isCost;
    if (BigInt(metamodel.revision) > BigInt(this.upTo)) {
      for (const { kind, type, key } of await readOnceCosts(this.db, this.upTo))
        this.once.add(`${kind}:${type}.${key}`);
      // Concurrent calls have read the same revisions.
      if (BigInt(metamodel.revision) > BigInt(this.upTo)) this.upTo = metamodel.revision;
    }
    const isCost: IsCost = (kind, type, key) => {
      const fields = (kind === 'card' ? metamodel.types : metamodel.relationTypes).get(type)?.fields;
      return !fields?.byKey.has(key) || fields.costKeys.has(key) || this.once.has(`${kind}:${type}.${key}`);
    };
    this.held = { metamodel, isCost };
    return isCost;
  }
}
