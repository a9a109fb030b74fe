import type { Document, Operation, RouteEntry } from './openapi-document.js';
import { SchemaNames, isNameable, type Root } from './openapi-names.js';
import { changeInner, eachHolder, simplify, type Schema } from './openapi-schemas.js';

const operationsOf = (document: Document): Operation[] =>
  Object.values(document.paths).flatMap((item) => Object.values(item));

function rootsOf(document: Document, routes: ReadonlyMap<string, RouteEntry>): Root[] {
  return operationsOf(document).flatMap(({ operationId, responses, requestBody }) => {
    const route = routes.get(operationId)!;
    const answers = Object.entries(responses).flatMap(([status, response]) =>
      /^2/.test(status) && 'content' in response ? Object.values(response.content ?? {}) : [],
    );
    const roots = [
      ...answers.map(({ schema }) => ({ schema, route, kind: 'response' as const })),
      ...Object.values(requestBody?.content ?? {}).map(({ schema }) => ({ schema, route, kind: 'body' as const })),
    ];
    return roots.filter((root): root is Root => typeof root.schema === 'object');
  });
}

/** A response that is the same everywhere has its example once, with its schema. */
function keepExamples(document: Document): void {
  for (const { responses } of operationsOf(document)) {
    for (const response of Object.values(responses)) {
      if (!('content' in response)) continue;
      for (const media of Object.values(response.content ?? {})) {
        const schema = media.schema as Schema | undefined;
        const { example, examples } = media;
        if (!schema || !isNameable(schema) || (example === undefined && !examples)) continue;
        schema.examples = examples ? Object.values(examples).map(({ value }) => value) : [example];
        delete media.example;
        delete media.examples;
      }
    }
  }
}

/** Replaces named schemas by references. @returns the schema, or the reference to it */
function refer(schema: Schema, names: SchemaNames): Schema {
  const name = names.of(schema);
  return name === undefined ? referInner(schema, names) : { $ref: `#/components/schemas/${name}` };
}

function referInner(schema: Schema, names: SchemaNames): Schema {
  changeInner(schema, (inner) => refer(inner, names));
  delete schema['x-name'];
  return schema;
}

/** Identical parameters of many operations, by their names. */
const COMMON_PARAMETERS: Record<string, string> = {
  page: 'Page',
  page_size: 'PageSize',
  cursor: 'Cursor',
  sort_dir: 'SortDir',
  total: 'Total',
  id: 'Id',
};

/** Creates components of parameters that are identical in most operations: for each name, of the most frequent one. */
function referToParameters(document: Document): void {
  const counts = new Map<string, { name: string; times: number }>();
  for (const { parameters = [] } of operationsOf(document)) {
    for (const parameter of parameters) {
      const name = 'name' in parameter ? COMMON_PARAMETERS[parameter.name] : undefined;
      if (name === undefined) continue;
      const text = JSON.stringify(parameter);
      const entry = counts.get(text) ?? { name, times: 0 };
      entry.times++;
      counts.set(text, entry);
    }
  }
  const components = (document.components['parameters'] ??= {});
  const chosen = new Map<string, string>();
  for (const [text, { name, times }] of [...counts].sort((a, b) => b[1].times - a[1].times)) {
    if (name in components || times < 3) continue;
    components[name] = JSON.parse(text) as unknown;
    chosen.set(text, name);
  }
  for (const operation of operationsOf(document)) {
    operation.parameters = operation.parameters?.map((parameter) => {
      const name = chosen.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    });
    if (!operation.parameters) delete operation.parameters;
  }
}

/**
 * Rewrites the schemas of the document for generators of clients, and names those of objects, in place: see
 * `SchemaNames`. The same schema has the same name wherever it is used. Names of schemas of modules contain the name of
 * the module.
 * @param routes every documented route, by its operationId
 * @throws if two schemas of requests or responses would have the same name
 */
export function nameSchemas(document: Document, routes: ReadonlyMap<string, RouteEntry>): void {
  const schemas = (document.components['schemas'] ??= {}) as Record<string, Schema>;
  eachHolder([document.paths, document.components], ({ schema }) => simplify(schema));
  for (const schema of Object.values(schemas)) simplify(schema);
  keepExamples(document);
  const names = new SchemaNames(Object.keys(schemas));
  names.giveAll(rootsOf(document, routes), schemas);
  const named = names.all().map(([name, schema]) => [name, structuredClone(schema)] as const);
  eachHolder(document.paths, (holder) => {
    holder.schema = refer(holder.schema, names);
  });
  for (const schema of Object.values(schemas)) referInner(schema, names);
  for (const [name, schema] of named) schemas[name] = referInner(schema, names);
  referToParameters(document);
}
