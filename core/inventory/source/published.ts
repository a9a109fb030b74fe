import type {
  InventoryField,
  InventoryFilters,
  InventoryList,
  InventoryPublication,
  PermissionSet,
  PublicationFault,
  PublicationPort,
  PublishedInventory,
  PublishedSql,
  RequestContext,
} from '@lintel/sdk';
import type { Database } from '../../foundation/db/database.js';
import { readPage } from '../../foundation/db/list.js';
import { Bindings } from '../../foundation/db/list-query.js';
import type { Reads } from '../../foundation/db/replica.js';
import type { StatementRole } from '../../foundation/db/statement-role.js';
import { Problem } from '../../foundation/errors.js';
import { NO_CARDS } from '../../identity/rbac/index.js';
import { Semaphore } from '../../foundation/semaphore.js';
import { asService } from '../../foundation/request-use.js';
import { queryCheck } from '../../foundation/http/query.js';
import { pointerToken } from '../../foundation/json-pointer.js';
import { CARDS, COSTS, seesCards, visibilityOf } from '../access/index.js';
import { FacetQuery, type CardFilters } from '../cards/index.js';
import type { CardType, Metamodel, MetamodelService } from '../metamodel/index.js';
import { cardsSource, containsSql, type SourceReader } from './cards-repository.js';
import { fieldNamed, typeView } from './labels.js';
import { inSnapshot, PUBLIC_STATEMENT_MS, type Send } from './repository.js';

/** Share of the node's database connections that readers without an account may use. */
const CONNECTIONS_SHARE = 0.25;
const WAIT_MS = 5_000;
/** Fields that every card has and that may be published. The score of the data is not: it depends on all other fields. */
const FIXED: readonly string[] = ['description', 'external_id', 'subtype', 'approval_status', 'lifecycle_phase'];
const ATTRIBUTE = /^(attributes\.[^[\]]{1,63})(?:\[[a-z]+\])?$/;
/** Filters of a publication besides those of attributes. */
const FILTERS: readonly string[] = [
  'subtype',
  'subtype[empty]',
  'approval_status',
  'lifecycle_phase',
  'external_id',
  'tag',
];

const filtersOf = (filters: InventoryFilters): CardFilters => checkFilters(filters) as CardFilters;
const checkFilters = queryCheck(FacetQuery);

/** The key of the field of a filter, without its operator. */
const fieldOf = (filter: string): string => ATTRIBUTE.exec(filter)?.[1] ?? filter;

/** Cards of one type are visible, and their costs if the publication names any: reads name the costs one by one. */
const permissionsOf = ({ type, costs }: InventoryPublication): PermissionSet => ({
  has: (key, cardType) => cardType === type && (key === CARDS || (key === COSTS && costs.length > 0)),
  list: () => [],
});

/** Reads cards with the rights of a publication, for readers without an account. */
export class PublishedSource {
  private readonly turns: Semaphore;

  /** @param connections of the node to the database */
  constructor(
    private readonly reads: Reads,
    private readonly metamodel: MetamodelService,
    connections: number,
  ) {
    const most = Math.max(1, Math.floor(connections * CONNECTIONS_SHARE));
    this.turns = new Semaphore({ what: 'reads of published cards', most, each: most, waitMs: WAIT_MS });
  }

  /** See `PublicationPort.read`. @param role the database role of the statements of an external module */
  async read<T>(
    publication: InventoryPublication,
    { lang = 'en' }: Parameters<PublicationPort['read']>[1],
    work: (published: PublishedInventory) => Promise<T>,
    role?: StatementRole,
  ): Promise<T | undefined> {
    const metamodel = this.metamodel.current;
    const type = metamodel.types.get(publication.type);
    if (!type || this.filterFaults(publication, type).length > 0) return undefined;
    const reader = readerOf(publication, metamodel);
    const view = typeView(type, lang);
    const fields = new Map(
      publication.fields
        .filter((key) => fieldFault(key, type, publication) === undefined)
        .map((key) => [key, fieldNamed(key, metamodel, [view], lang)!] as const),
    );
    const { key, label, color, icon } = view;
    const end = await this.turns.take('');
    try {
      // Visitors who ask for the same at the same time share the answer.
      return await asService(() =>
        this.reads.run((from) =>
          inSnapshot(
            from,
            role,
            (send) =>
              work({ type: { key, label, color, icon }, fields, ...queries(send, publication, fields, reader) }),
            PUBLIC_STATEMENT_MS,
          ),
        ),
      );
    } finally {
      end();
    }
  }

  /** See `PublicationPort.faults`. */
  faults(publication: InventoryPublication, ctx?: RequestContext): PublicationFault[] {
    const type = this.metamodel.current.types.get(publication.type);
    if (!type || (ctx && !seesCards(ctx.permissions, type.key)))
      return [{ field: '/type', reason: 'names no card type' }];
    const seesCosts = !ctx || ctx.permissions.has(COSTS, type.key);
    const { fields, costs } = publication;
    return [
      ...fields.flatMap((key, i) => {
        const reason =
          fieldFault(key, type, publication) ??
          (isCost(key, type) && !seesCosts ? `is a cost, which requires ${COSTS}` : undefined);
        return reason === undefined ? [] : [{ field: `/fields/${i}`, reason }];
      }),
      ...costs.flatMap((key, i) =>
        fields.includes(key) ? [] : [{ field: `/costs/${i}`, reason: 'is not among the fields' }],
      ),
      ...this.filterFaults(publication, type),
    ];
  }

  private filterFaults(publication: InventoryPublication, type: CardType): PublicationFault[] {
    const faults = Object.keys(publication.filters).flatMap((name) => {
      const reason = filterFault(name, type);
      return reason === undefined ? [] : [{ field: `/filters/${pointerToken(name)}`, reason }];
    });
    if (faults.length > 0) return faults;
    try {
      const reader = readerOf(publication, this.metamodel.current);
      cardsSource(fixedFilters(publication), {}, ['id'], reader, new Bindings());
      return [];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return (error.errors ?? []).map(({ field, reason }) => ({ field: `/filters/${pointerToken(field)}`, reason }));
    }
  }
}

const attributeNamed = (key: string, { fields }: CardType) =>
  key.startsWith('attributes.') ? fields.byKey.get(key.slice('attributes.'.length)) : undefined;

const isCost = (key: string, type: CardType): boolean => {
  const field = attributeNamed(key, type);
  return field !== undefined && type.fields.costKeys.has(field.key);
};

/** Why a field is not published now; undefined if it is. */
function fieldFault(key: string, type: CardType, { costs }: InventoryPublication): string | undefined {
  if (FIXED.includes(key)) return undefined;
  const field = attributeNamed(key, type);
  if (!field) return 'names no field that can be published';
  if (['user', 'card_reference'].includes(field.kind))
    return 'refers to a user or another card, which is not published';
  return isCost(key, type) && !costs.includes(key) ? 'is a cost, and is not named in /costs' : undefined;
}

/** Why cards of a publication cannot be filtered by this; undefined if they can. */
function filterFault(name: string, type: CardType): string | undefined {
  if (FILTERS.includes(name)) return undefined;
  const key = fieldOf(name);
  const field = attributeNamed(key, type);
  if (!field) return 'names no field by which a publication can be filtered';
  if (isCost(key, type)) return 'is a cost: the cards that match would reveal it';
  return ['user', 'card_reference'].includes(field.kind) ? 'refers to a user or another card' : undefined;
}

const fixedFilters = ({ type, filters }: InventoryPublication): CardFilters => filtersOf({ ...filters, type });

function readerOf(publication: InventoryPublication, metamodel: Metamodel): SourceReader {
  const visibility = visibilityOf({ permissions: permissionsOf(publication), actor: null }, metamodel);
  return {
    metamodel,
    visibility,
    today: new Date().toISOString().slice(0, 10),
    costs: { redactedTypes: [...visibility.costRedactedTypes], scope: NO_CARDS },
  };
}

/** The statements of one read. */
function queries(
  send: Send,
  publication: InventoryPublication,
  fields: ReadonlyMap<string, InventoryField>,
  reader: SourceReader,
): Pick<PublishedInventory, 'query' | 'readPage'> {
  const published = (key: string): InventoryField => {
    const field = fields.get(key);
    if (!field) throw new Error(`${JSON.stringify(key)} is not published`);
    return field;
  };
  const sqlOf = (bindings: Bindings): PublishedSql => ({
    bind: (value) => bindings.add(value),
    contains: containsSql,
    cards: (columns = {}, filters = {}) => {
      for (const name of Object.keys(filters)) published(fieldOf(name));
      const selected = Object.entries(columns).map(([column, key]) => [column, published(key)] as const);
      return cardsSource(
        fixedFilters(publication),
        Object.fromEntries(selected),
        ['id', 'name', 'name_key'],
        reader,
        bindings,
        [filtersOf({ ...filters, type: publication.type })],
      );
    },
  });
  return {
    query: async <R extends Record<string, unknown>>(name: string, build: (sql: PublishedSql) => string) => {
      const bindings = new Bindings();
      return await send<R>(name, build(sqlOf(bindings)), bindings.values);
    },
    readPage: async <R extends Record<string, unknown>>(name: string, build: (sql: PublishedSql) => InventoryList) => {
      const bindings = new Bindings();
      const { source, spec, where = [], ...list } = build(sqlOf(bindings));
      const query: Database['query'] = (statement, values = []) => send(name, statement.text, values);
      // Not materialized, so that the columns are computed for the rows of the page only, and an index can have their order.
      return await readPage<R>(
        { query },
        {
          ...list,
          where,
          bindings,
          spec: { ...spec, table: 'listed l' },
          with: `listed as not materialized (${source})`,
          isBounded: true,
        },
      );
    },
  };
}
