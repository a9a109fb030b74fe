import type { Inventory, InventoryList, InventoryPort, InventorySql, RequestContext } from '@lintel/sdk';
import type { TObject } from 'typebox';
import type { Database } from '../../foundation/db/database.js';
import type { Reads } from '../../foundation/db/replica.js';
import { readPage } from '../../foundation/db/list.js';
import { Bindings } from '../../foundation/db/list-query.js';
import type { StatementRole } from '../../foundation/db/statement-role.js';
import { invalid } from '../../foundation/errors.js';
import { queryCheck } from '../../foundation/http/query.js';
import { COSTS, holdsAnywhere, lacks, RELATIONS, type AccessGate } from '../access/index.js';
import { FacetQuery, type CardFilters } from '../cards/index.js';
import type { MetamodelService } from '../metamodel/index.js';
import type { RelationService, RelationVisibility } from '../relations/index.js';
import { fieldNamed, relationTypeView, typeView } from './labels.js';
import { cardsSource, stakeholdersSource } from './cards-repository.js';
import { relationsSource } from './relations-repository.js';
import { inSnapshot } from './repository.js';

const filtersOf = queryCheck(FacetQuery);

type ReadOptions = Parameters<InventoryPort['read']>[1];

/** The parameters of GET /cards that filter, as the query of a route. */
export const INVENTORY_FILTERS: TObject = FacetQuery;

/** Reads cards and relations by SQL for figures over many of them, restricted to what the caller may see. */
export class InventorySource {
  constructor(
    private readonly reads: Reads,
    private readonly metamodel: MetamodelService,
    private readonly access: AccessGate,
    private readonly relations: RelationService,
  ) {}

  /**
   * See `InventoryPort.read`.
   * @param role the database role of the statements of an external module
   */
  async read<T>(
    ctx: RequestContext,
    { lang = 'en', asOf }: ReadOptions,
    work: (inventory: Inventory) => Promise<T>,
    role?: StatementRole,
  ): Promise<T> {
    if (asOf !== undefined)
      throw invalid({ field: 'as_of', reason: 'states of the past cannot be read yet', in: 'query' });
    const metamodel = this.metamodel.current;
    const visibility = this.access.visibility(ctx);
    const ofRelations = await this.relations.visibilityOf(ctx);
    const today = new Date().toISOString().slice(0, 10);
    const ordered = [...metamodel.types.values()].sort((a, b) => a.definition.sort_order - b.definition.sort_order);
    const types = new Map(
      ordered
        .filter(({ key }) => !visibility.hiddenTypes.includes(key))
        .map((type) => [type.key, typeView(type, lang)] as const),
    );
    const relationTypes = new Map(
      [...metamodel.relationTypes.values()].map((type) => [type.key, relationTypeView(type, lang)] as const),
    );
    const costs = costsOf(visibility.costRedactedTypes.size, ofRelations);
    const reader = {
      metamodel,
      visibility,
      today,
      costs: { redactedTypes: ofRelations.costRedactedTypes, scope: ofRelations.costs.scope },
    };
    const sqlOf = (bindings: Bindings): InventorySql => ({
      bind: (value) => bindings.add(value),
      cards: (filters = {}, fields = {}, columns = undefined) =>
        cardsSource(filtersOf(filters) as CardFilters, fields, columns, reader, bindings),
      stakeholders: () => stakeholdersSource(reader, bindings),
      relations: (keys, fields = {}) => {
        this.demandRelations(ctx);
        return relationsSource(keys, fields, ofRelations, bindings);
      },
    });
    return await this.reads.run((from) =>
      inSnapshot(from, role, (send) =>
        work({
          today,
          types,
          seesAllTypes: visibility.hiddenTypes.length === 0,
          relationTypes,
          relatedTypes: [...types.keys()].filter((key) => !visibility.relationlessTypes.includes(key)),
          stakeholderTypes: [...types.keys()].filter((key) => !visibility.stakeholderRedactedTypes.has(key)),
          costs,
          wholeScores: visibility.basicScoreTypes.size === 0,
          demandCosts: () => {
            if (costs === 'none') throw lacks(COSTS);
          },
          field: (key, keys) =>
            fieldNamed(
              key,
              metamodel,
              [...types.values()].filter((type) => keys === undefined || keys.includes(type.key)),
              lang,
            ),
          query: async <R extends Record<string, unknown>>(name: string, build: (sql: InventorySql) => string) => {
            const bindings = new Bindings();
            return await send<R>(name, build(sqlOf(bindings)), bindings.values);
          },
          readPage: async <R extends Record<string, unknown>>(
            name: string,
            build: (sql: InventorySql) => InventoryList,
          ) => {
            const bindings = new Bindings();
            const { source, spec, where = [], isLarge, ...list } = build(sqlOf(bindings));
            // Named several times: without this PostgreSQL would compute and store all rows first.
            const listed = `listed as ${isLarge ? 'not materialized ' : ''}(${source})`;
            const query: Database['query'] = (statement, values = []) => send(name, statement.text, values);
            return await readPage<R>(
              { query },
              { ...list, where, bindings, spec: { ...spec, table: 'listed l' }, with: listed, isBounded: isLarge },
            );
          },
        }),
      ),
    );
  }

  /** @throws forbidden */
  private demandRelations(ctx: RequestContext): void {
    if (!holdsAnywhere(ctx.permissions, RELATIONS, this.metamodel.current.types.keys())) throw lacks(RELATIONS);
  }
}

function costsOf(redacted: number, { costs }: RelationVisibility): Inventory['costs'] {
  if (redacted === 0) return 'all';
  return costs.scope.held.size + costs.scope.roots.size > 0 ? 'some' : 'none';
}
