import { defaultCardTypes, defaultRelationTypes } from '../../config/metamodel/index.js';
import { systemContext } from '../context.js';
import type { Database } from '../db/database.js';
import type { Revisions } from '../db/revisions.js';
import type { Transactions } from '../db/unit-of-work.js';
import { CardType, Metamodel, RelationType } from './metamodel.js';
import { readMetamodel, seedMetamodel } from './repository.js';

/** Holds the compiled metamodel of this node and replaces it when its revision moves. */
export class MetamodelService {
  private held: Metamodel = new Metamodel('0', [], []);

  constructor(private readonly db: Database, private readonly transactions: Transactions, private readonly revisions: Revisions) {}

  /** The metamodel now; keep the reference for the length of a request. */
  get current(): Metamodel {
    return this.held;
  }

  async start(): Promise<void> {
    this.revisions.on('metamodel', () => this.load());
    await this.load();
    if (this.held.types.size === 0) await this.seed();
  }

  private async seed(): Promise<void> {
    await this.transactions.run(systemContext('start'), async (uow) => {
      if (!await seedMetamodel(uow, defaultCardTypes, defaultRelationTypes)) return;
      uow.bump('metamodel');
      uow.emit({ type: 'metamodel.seeded', subject: { kind: 'metamodel', id: 'default', name: 'Default metamodel' }, data: { card_types: defaultCardTypes.length, relation_types: defaultRelationTypes.length } });
    });
    // Another node may have been first.
    if (this.held.types.size === 0) await this.load();
  }

  private async load(): Promise<void> {
    const stored = await readMetamodel(this.db);
    const time = (text: string) => new Date(text).toISOString();
    this.held = new Metamodel(
      String(stored.revision),
      stored.types.map((t) => new CardType(t.doc, t.version, time(t.updated_at))),
      stored.relation_types.map((t) => new RelationType(t.doc, t.version, time(t.updated_at))),
    );
  }
}
