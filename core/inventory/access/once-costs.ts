import type { Database } from '../../foundation/db/database.js';
import type { Metamodel, MetamodelService } from '../metamodel/index.js';
import { readOnceCosts } from './repository.js';

/**
 * Whether a field is closed to who may not see costs: it is a cost now, was one once, or is not known any more, so that
 * nobody can tell what it was.
 * @param type key of the card type or of the relation type
 */
export type IsCost = (kind: 'card' | 'relation', type: string, key: string) => boolean;

/**
 * What was a cost once stays closed wherever old values are told: the history of a card, events, webhooks. Revisions of
 * the metamodel are read once each.
 */
export class OnceCosts {
  private upTo = '0';
  private readonly once = new Set<string>();
  private held: { metamodel: Metamodel; isCost: IsCost } | undefined;

  constructor(
    private readonly db: Database,
    private readonly metamodel: MetamodelService,
  ) {}

  /** The test under the metamodel of now, where it is known already. */
  get known(): IsCost | undefined {
    return this.held?.metamodel === this.metamodel.current ? this.held.isCost : undefined;
  }

  /** The test under the metamodel of now; asks the database only after the metamodel has changed. */
  async current(): Promise<IsCost> {
    const metamodel = this.metamodel.current;
    if (this.held?.metamodel === metamodel) return this.held.isCost;
    if (BigInt(metamodel.revision) > BigInt(this.upTo)) {
      for (const { kind, type, key } of await readOnceCosts(this.db, this.upTo))
        this.once.add(`${kind}:${type}.${key}`);
      // Two that read at once have read the same.
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
