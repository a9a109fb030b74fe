import { systemContext } from '../../foundation/context.js';
import type { Database } from '../../foundation/db/database.js';
import type { ListParams } from '../../foundation/db/list-query.js';
import type { Revisions } from '../../foundation/db/revisions.js';
import type { Transactions, UnitOfWork } from '../../foundation/db/unit-of-work.js';
import type { Page } from '../../foundation/http/respond.js';
import { advance, compile } from './assembly.js';
import type { MoneyDigits } from './fields.js';
import { Metamodel } from './metamodel.js';
import { lockMetamodel, readMetamodel, seedMetamodel, shareMetamodel } from './repository.js';
import { addRevision, listRevisions, readRevision, readSince, type Revision } from './revision-repository.js';
import type { CardTypeDefinition, RelationTypeDefinition } from './types.js';

/** The metamodel stored in an empty database. */
interface DefaultMetamodel {
  cardTypes: readonly CardTypeDefinition[];
  relationTypes: readonly RelationTypeDefinition[];
}

/** Caches the compiled metamodel on this node and replaces it when its revision changes. */
export class MetamodelService {
  private held: Metamodel;

  constructor(
    private readonly db: Database,
    private readonly transactions: Transactions,
    private readonly revisions: Revisions,
    private readonly defaults: DefaultMetamodel,
    private readonly money: MoneyDigits,
  ) {
    this.held = new Metamodel('0', [], [], [], money);
  }

  /** The current metamodel; a request should read it once and use the same one throughout. */
  get current(): Metamodel {
    return this.held;
  }

  async start(): Promise<void> {
    this.revisions.on('metamodel', () => this.load());
    await this.load();
    if (this.held.types.size === 0) await this.seed();
  }

  /** Reads the whole metamodel again: another one may have the revision of this one. */
  async renew(): Promise<void> {
    this.held = compile(await readMetamodel(this.db), this.money);
  }

  /** The changes of the metamodel, the latest first. */
  async listRevisions(params: ListParams): Promise<Page<Revision>> {
    return await listRevisions(this.db, params);
  }

  /**
   * The metamodel of an earlier revision, restored from at most SNAPSHOT_EVERY rows.
   * @param revision the latest revision up to this number is used
   * @returns undefined where there was none yet
   */
  async at(revision: number): Promise<Metamodel | undefined> {
    const found = await readRevision(this.db, String(revision));
    return found?.differences.reduce(advance, compile(found.whole, this.money));
  }

  /**
   * The stored metamodel. Only the differences to the cached one are read.
   * @param on a unit of work that has locked the metamodel, so that it does not change
   */
  async stored(on: Pick<Database, 'query'>): Promise<Metamodel> {
    const { held } = this;
    const differences = held.types.size === 0 ? undefined : await readSince(on, held.revision);
    return differences?.reduce(advance, held) ?? compile(await readMetamodel(on), this.money);
  }

  /** The stored metamodel, locked until the unit of work ends: for granting permissions that depend on it. */
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
    // Another node may have stored it first.
    if (this.held.types.size === 0) await this.load();
  }

  private async load(): Promise<void> {
    const loaded = await this.stored(this.db);
    // Reads may overlap: an older result must not replace a newer one.
    if (BigInt(loaded.revision) >= BigInt(this.held.revision)) this.held = loaded;
  }
}
