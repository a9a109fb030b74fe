import type { Document, Operation, RouteEntry } from './openapi-document.js';

interface Schema {
  type?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  pattern?: string;
}

/** A schema at the root of a request or response, and what it is there. */
interface Root {
  schema: Schema;
  operation: Operation;
  route: RouteEntry;
  kind: 'response' | 'body';
}

const JSON_TYPE = 'application/json';
const RESOURCE = /^(get|create|update|replace|list)([A-Z]\w*)$/;
/** In this order names are given: what is read is named before what is listed, written and answered otherwise. */
const VERBS = ['get', 'create', 'update', 'replace', 'list'];

const isNameable = ({ type, properties }: Schema): boolean =>
  type === 'object' && properties !== undefined && Object.keys(properties).length > 1;
const pascal = (text: string): string =>
  text.replace(/(^|_)([a-z])/g, (_all, _sep, letter: string) => letter.toUpperCase());
const singular = (noun: string): string =>
  /ies$/.test(noun)
    ? `${noun.slice(0, -3)}y`
    : /(ss|us|x|ch)es$/.test(noun)
      ? noun.slice(0, -2)
      : noun.replace(/s$/, '');

function rootsOf(document: Document, routes: ReadonlyMap<string, RouteEntry>): Root[] {
  return Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => {
      const route = routes.get(operation.operationId)!;
      const answers = Object.entries(operation.responses).flatMap(([status, response]) =>
        /^2/.test(status) && 'content' in response ? (response.content?.[JSON_TYPE]?.schema ?? []) : [],
      );
      const body = operation.requestBody?.content[JSON_TYPE]?.schema ?? [];
      return [
        ...[answers]
          .flat()
          .map((schema) => ({ schema: schema as Schema, operation, route, kind: 'response' as const })),
        ...[body].flat().map((schema) => ({ schema: schema as Schema, operation, route, kind: 'body' as const })),
      ];
    });
}

/** The name of a module's resource begins with the module's. */
function withModule(noun: string, module: string | undefined): string {
  if (module === undefined || noun.toLowerCase().startsWith(module.replaceAll('_', '').replace(/s$/, ''))) return noun;
  return `${pascal(module)}${noun}`;
}

const rank = ({ operation, kind }: Root): number => {
  const verb = VERBS.indexOf(RESOURCE.exec(operation.operationId)?.[1] ?? '');
  return (kind === 'body' ? 100 : 0) + (verb < 0 ? VERBS.length : verb);
};

/** Names of schemas by their text: one schema has one name, and no name means two. */
class Names {
  readonly byText = new Map<string, string>();
  private readonly taken: Set<string>;

  constructor(taken: Iterable<string>) {
    this.taken = new Set(taken);
  }

  /** @param otherwise the name where the wanted one is that of another schema */
  give(schema: Schema, wanted: string, otherwise: string): string {
    const text = JSON.stringify(schema);
    const known = this.byText.get(text);
    if (known !== undefined) return known;
    const name = this.taken.has(wanted) ? otherwise : wanted;
    if (this.taken.has(name)) throw new Error(`two schemas of the OpenAPI document would be named ${name}`);
    this.taken.add(name);
    this.byText.set(text, name);
    return name;
  }
}

function nameRoot(names: Names, { schema, operation, route, kind }: Root): void {
  const [, verb, found] = RESOURCE.exec(operation.operationId) ?? [];
  const own = withModule(pascal(operation.operationId), route.config.module);
  const noun = found && withModule(found, route.config.module);
  if (kind === 'body') {
    const suffix = { create: 'Create', update: 'Patch', replace: 'Replacement' }[verb ?? ''];
    names.give(schema, noun && suffix ? `${noun}${suffix}` : `${own}Body`, `${own}Body`);
    return;
  }
  const item = schema.properties?.['items']?.items;
  if (item && isNameable(item)) {
    const one = names.give(item, noun ? singular(noun) : `${own}Item`, noun ? `${singular(noun)}Item` : `${own}Entry`);
    names.give(schema, `${one}Page`, `${own}Result`);
    return;
  }
  names.give(schema, noun && verb !== 'list' ? noun : `${own}Result`, `${own}Result`);
}

/** Puts references in the place of named schemas, in place. @param isRoot whether the node is a component itself */
function refer(node: unknown, names: Names, isRoot = false): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (!isRoot && isNameable(node)) {
    const name = names.byText.get(JSON.stringify(node));
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  }
  for (const [key, child] of Object.entries(node)) {
    if (key !== 'example' && key !== 'examples') (node as Record<string, unknown>)[key] = refer(child, names);
  }
  return node;
}

/** What a regular expression of another language may not know: Unicode properties, and looking ahead or behind. */
const UNPORTABLE = /\\p\{|\(\?<?[=!]/i;

/** Leaves out patterns that the engines of other languages cannot compile; the service checks them all the same. */
function dropUnportable(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const { pattern } = node as Schema;
  if (typeof pattern === 'string' && UNPORTABLE.test(pattern)) delete (node as Schema).pattern;
  for (const child of Object.values(node)) dropUnportable(child);
}

/**
 * Gives the schemas of requests and responses names, in place: `getCard` answers a `Card`, `createCard` takes a `CardCreate`,
 * `updateCard` a `CardPatch`, `listCards` answers a `CardPage` of these, or of a `CardItem` where they are listed otherwise, others `<OperationId>Result` and `<OperationId>Body`. The same
 * schema has the same name wherever it is used. Names of modules' schemas begin with the module's.
 * @param routes every documented route, by its operationId
 * @throws where two schemas would have one name
 */
export function nameSchemas(document: Document, routes: ReadonlyMap<string, RouteEntry>): void {
  dropUnportable(document.paths);
  const schemas = (document.components['schemas'] ??= {});
  const names = new Names(Object.keys(schemas));
  const roots = rootsOf(document, routes).filter(({ schema }) => isNameable(schema));
  roots.sort((a, b) => rank(a) - rank(b) || (a.operation.operationId < b.operation.operationId ? -1 : 1));
  for (const root of roots) nameRoot(names, root);
  const named = [...names.byText].map(([text, name]) => [name, JSON.parse(text) as unknown] as const);
  document.paths = refer(document.paths, names) as Document['paths'];
  for (const [name, schema] of named.sort(([a], [b]) => (a < b ? -1 : 1))) schemas[name] = refer(schema, names, true);
}
