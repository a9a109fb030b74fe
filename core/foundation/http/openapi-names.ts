import type { RouteEntry } from './openapi-document.js';
import { eachInner, type Schema } from './openapi-schemas.js';

/** A schema at the root of a request or response, and its role there. */
export interface Root {
  schema: Schema;
  route: RouteEntry;
  kind: 'response' | 'body';
}

const RESOURCE = /^(get|create|add|update|replace|set|list|bulk)([A-Z]\w*)$/;
/** The order of naming: schemas of single resources before those of lists, bodies and other responses. */
const VERBS = ['get', 'create', 'add', 'update', 'replace', 'set', 'list', 'bulk'];
const BODIES: Record<string, string> = {
  create: 'Create',
  add: 'Create',
  update: 'Patch',
  replace: 'Replacement',
  set: 'Replacement',
  bulk: 'Bulk',
};

/** Whether a schema gets a name: an object with members. */
export const isNameable = ({ type, properties }: Schema): boolean =>
  [type].flat().includes('object') && properties !== undefined && Object.keys(properties).length > 0;

const pascal = (text: string): string =>
  text.replace(/[^A-Za-z0-9]+/g, '_').replace(/(^|_)([a-z0-9])/g, (_all, _sep, letter: string) => letter.toUpperCase());
const singular = (noun: string): string => {
  if (/ies$/.test(noun)) return `${noun.slice(0, -3)}y`;
  if (/(ss|us|is)$/.test(noun)) return noun;
  return /(ss|us|x|ch)es$/.test(noun) ? noun.slice(0, -2) : noun.replace(/s$/, '');
};

/** The name of a module's schema contains that of the module. */
function withModule(name: string, module: string | undefined): string {
  if (module === undefined || name.toLowerCase().includes(module.replaceAll('_', '').replace(/s$/, ''))) return name;
  return `${pascal(module)}${name}`;
}

/** The key that identifies a schema, without its examples. */
const keyOf = ({ examples: _, 'x-name': __, ...schema }: Schema): string => JSON.stringify(schema);

/** Names of schemas: each schema has one name, and names are unique. */
export class SchemaNames {
  private readonly byKey = new Map<string, { name: string; schema: Schema }>();
  /** Keys of schemas whose inner schemas have been named. */
  private readonly entered = new Set<string>();
  private readonly taken: Set<string>;

  /** @param taken names that are already used */
  constructor(taken: Iterable<string>) {
    this.taken = new Set(taken);
  }

  /** @returns the name of a schema, if it has one */
  of(schema: Schema): string | undefined {
    return isNameable(schema) ? this.byKey.get(keyOf(schema))?.name : undefined;
  }

  /** Every named schema, by name. */
  all(): [name: string, schema: Schema][] {
    return [...this.byKey.values()]
      .map(({ name, schema }): [string, Schema] => [name, schema])
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /**
   * Names the schemas at the roots of requests and responses, and those in them: `getCard` returns a `Card`, `createCard`
   * takes a `CardCreate`, `updateCard` a `CardPatch`, `listCards` returns a `CardPage` of these, or of a `CardItem` if
   * the items differ, `bulkCards` takes a `CardBulk`, others `<OperationId>Body` and `<OperationId>Result`; the
   * `sections` of a `CardType` are each a `CardTypeSection`, and those of a body, if they differ, a `CardTypeSectionInput`.
   * @param given schemas with given names, by name
   * @throws if two roots would have the same name
   */
  giveAll(roots: readonly Root[], given: Readonly<Record<string, Schema>>): void {
    const sorted = roots
      .map((root) => ({ root, rank: rank(root) }))
      .sort((a, b) => a.rank - b.rank || (a.root.route.operationId < b.root.route.operationId ? -1 : 1))
      .map(({ root }) => root);
    for (const schema of Object.values(given)) this.giveStated(schema);
    for (const { schema, route } of sorted) this.giveStated(schema, route.config.module);
    const bases = sorted.map((root) => this.giveRoot(root));
    for (const [name, schema] of Object.entries(given)) this.giveInner(schema, name, 'response');
    for (const [i, root] of sorted.entries()) this.giveInner(root.schema, bases[i]!, root.kind);
  }

  /** Uses the names that a schema, and those in it, declare. */
  private giveStated(schema: Schema, module?: string): void {
    const stated = schema['x-name'];
    if (stated !== undefined && isNameable(schema)) this.give(schema, [withModule(stated, module)]);
    eachInner(schema, (inner) => this.giveStated(inner, module));
  }

  /** @returns the prefix of the names of schemas in it */
  private giveRoot({ schema, route, kind }: Root): string {
    const { operationId, config } = route;
    const [, verb = '', found] = RESOURCE.exec(operationId) ?? [];
    const own = withModule(pascal(operationId), config.module);
    const noun = found && withModule(found, config.module);
    if (kind === 'body') {
      const suffix = BODIES[verb];
      const base = noun && suffix ? noun : own;
      if (suffix === 'Bulk' && noun) return this.named(schema, `${singular(noun)}Bulk`, `${own}Body`);
      this.named(schema, noun && suffix ? `${noun}${suffix}` : `${own}Body`, `${own}Body`);
      return base;
    }
    const item = schema.properties?.['items']?.items;
    if (item && isNameable(item)) {
      const one = noun ? singular(noun) : own;
      const name = this.named(item, one === noun ? `${one}Entry` : one, `${one}Item`, `${own}Item`);
      return this.named(schema, `${name.replace(/(Entry|Item)$/, '')}Page`, `${own}Page`);
    }
    if (verb === 'bulk' && noun) return this.named(schema, `${singular(noun)}BulkResult`, `${own}Result`);
    return this.named(schema, noun && verb !== 'list' ? noun : `${own}Result`, `${own}Result`);
  }

  /** @returns the name of the schema, or the name it would have */
  private named(schema: Schema, ...wanted: [string, ...string[]]): string {
    if (!isNameable(schema)) return wanted[0];
    const name = this.give(schema, wanted);
    if (name === undefined) throw new Error(`two schemas of the OpenAPI document would be named ${wanted.at(-1)}`);
    return name;
  }

  private giveInner(schema: Schema, base: string, kind: Root['kind']): void {
    eachInner(schema, (inner, step) => {
      const place =
        typeof step === 'object' ? below(base, pascal(step.property)) : step === 'many' ? singular(base) : base;
      if (!isNameable(inner)) return this.giveInner(inner, place, kind);
      const name = this.give(inner, kind === 'body' ? [place, `${place}Input`] : [place, `${place}Value`]);
      const key = keyOf(inner);
      if (this.entered.has(key)) return;
      this.entered.add(key);
      this.giveInner(inner, name?.replace(/(Input|Entry)$/, '') ?? place, kind);
    });
  }

  /** @returns the first free name, or the existing one of the schema; undefined if none is free */
  private give(schema: Schema, wanted: readonly string[]): string | undefined {
    const key = keyOf(schema);
    const known = this.byKey.get(key);
    if (known) {
      if (schema.examples) known.schema = schema;
      return known.name;
    }
    const name = wanted.find((one) => !this.taken.has(one));
    if (name === undefined) return undefined;
    this.taken.add(name);
    this.byKey.set(key, { name, schema });
    return name;
  }
}

/** Avoids repetitions: `facets` of `CardFacets` is not `CardFacetsFacets`. */
const below = (base: string, property: string): string => (base.endsWith(property) ? base : `${base}${property}`);

/** The core before modules, responses before bodies, single resources first. */
function rank({ route, kind }: Root): number {
  const verb = VERBS.indexOf(RESOURCE.exec(route.operationId)?.[1] ?? '');
  return (
    (route.config.module === undefined ? 0 : 1_000) + (kind === 'body' ? 100 : 0) + (verb < 0 ? VERBS.length : verb)
  );
}
