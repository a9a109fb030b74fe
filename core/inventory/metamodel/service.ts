import { systemContext } from '../../foundation/context.js';
import type { Database } from '../../foundation/db/database.js';
import type { ListParams } from '../../foundation/db/list-query.js';
import type { Revisions } from '../../foundation/db/revisions.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Page } from '../../foundation/http/respond.js';
import { advance, compile } from './assembly.js';
import { Metamodel } from './metamodel.js';
import { lockMetamodel, readMetamodel, seedMetamodel, shareMetamodel } from './repository.js';
import { addRevision, listRevisions, readRevision, readSince, type Revision } from './revision-repository.js';
import type { CardTypeDefinition, RelationTypeDefinition } from './types.js';

/** What an empty database is given. */
export interface DefaultMetamodel {
  cardTypes: readonly CardTypeDefinition[];
  relationTypes: readonly RelationTypeDefinition[];
}

/** Holds the compiled metamodel of this node and replaces it when its revision moves. */
export class MetamodelService {
  private held: Metamodel = new Metamodel('0', [], []);

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly revisions: Revisions,
    private readonly defaults: DefaultMetamodel,
  ) {}

  /** The metamodel now; keep the reference for the length of a request. */
  get current(): Metamodel {
    return this.held;
  }

  async start(): Promise<void> {
    this.revisions.on('metamodel', () => this.load());
    await this.load();
    if (this.held.types.size === 0) await this.seed();
  }

  /** What the metamodel became, change by change, the latest first. */
  async listRevisions(params: ListParams): Promise<Page<Revision>> {
    return await listRevisions(this.db, params);
  }

  /**
   * The metamodel of an earlier revision, put together from at most SNAPSHOT_EVERY rows.
   * @param revision the latest one up to it is meant
   * @returns undefined where there was none by then
   */
  async at(revision: number): Promise<Metamodel | undefined> {
    const found = await readRevision(this.db, String(revision));
    return found?.differences.reduce(advance, compile(found.whole));
  }

  /**
   * The metamodel as it is stored. Of what this node holds already only the differences are read.
   * @param on a unit of work that has locked the metamodel, to have it stay so
   */
  async stored(on: Pick<Database, 'query'>): Promise<Metamodel> {
    const { held } = this;
    const differences = held.types.size === 0 ? undefined : await readSince(on, held.revision);
    return differences?.reduce(advance, held) ?? compile(await readMetamodel(on));
  }

  /** The metamodel as it is stored and stays until the unit of work ends: where a right is given by what it says. */
  async hold(uow: UnitOfWork): Promise<Metamodel> {
    await shareMetamodel(uow);
    return await this.stored(uow);
  }

  private async seed(): Promise<void> {
    await this.transactions.run(systemContext('start'), async (uow) => {
      await lockMetamodel(uow);
      if (!(await seedMetamodel(uow, this.defaults.cardTypes, this.defaults.relationTypes))) return;
      await addRevision(uow, 'The default metamodel');
      uow.bump('metamodel');
      uow.emit({
        type: 'metamodel.seeded',
        subject: { kind: 'metamodel', id: 'default', name: 'Default metamodel' },
        data: { card_types: this.defaults.cardTypes.length, relation_types: this.defaults.relationTypes.length },
      });
    });
    // Another node may have been first.
    if (this.held.types.size === 0) await this.load();
  }

  private async load(): Promise<void> {
    const loaded = await this.stored(this.db);
    // Two reads may overlap: the one that began first must not win.
    if (BigInt(loaded.revision) >= BigInt(this.held.revision)) this.held = loaded;
  }
}
