/** The OpenAPI document of a running service as a list of operations. */
import addFormatsModule from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** The keywords of JSON Schema that the schemas of the API use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  items?: Schema;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  examples?: unknown[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
  example?: unknown;
}
export interface Body {
  type: string;
  schema: Schema;
  examples: unknown[];
}

export interface Operation {
  id: string;
  method: string;
  /** With `{name}` for parameters. */
  path: string;
  /** Whether it can be called without a token. */
  open: boolean;
  parameters: Parameter[];
  bodies: Body[];
  /** Whether the number of its calls is limited per address. */
  limited: boolean;
  /** Media types by documented status. */
  responses: Map<number, string[]>;
  /** Differences of a JSON body from the schema of the status, as text; undefined if there are none. */
  mismatch(status: number, body: unknown): string | undefined;
}

interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
}
interface RawResponse {
  $ref?: string;
  content?: Record<string, Media>;
}
interface RawOperation {
  operationId: string;
  security?: Record<string, unknown>[];
  parameters?: (Parameter & { $ref?: string })[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, RawResponse>;
}
export interface RawDocument {
  paths: Record<string, Record<string, RawOperation>>;
  components: Record<string, Record<string, unknown>>;
}

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

function target<T>(document: RawDocument, ref: string): T {
  const [section = '', name = ''] = ref.replace('#/components/', '').split('/');
  const found = document.components[section]?.[name];
  if (found === undefined) throw new Error(`${ref} leads nowhere`);
  return found as T;
}

const DOCUMENT = 'document';

/** The address of a part of the document, as a fragment of a URI (RFC 6901, 6). */
const pointer = (...path: string[]): string =>
  `#/${path.map((token) => encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

/** Replaces references by their schemas, down to the depth to which values are generated. */
function inline(document: RawDocument, schema: Schema, depth = 0): Schema {
  if (depth > 12) return {};
  if (schema.$ref !== undefined) return inline(document, target<Schema>(document, schema.$ref), depth + 1);
  const deeper = (s: Schema): Schema => inline(document, s, depth + 1);
  const map = (all: Record<string, Schema>): Record<string, Schema> =>
    Object.fromEntries(Object.entries(all).map(([key, s]) => [key, deeper(s)]));
  return {
    ...schema,
    ...(schema.properties && { properties: map(schema.properties) }),
    ...(schema.patternProperties && { patternProperties: map(schema.patternProperties) }),
    ...(typeof schema.additionalProperties === 'object' && {
      additionalProperties: deeper(schema.additionalProperties),
    }),
    ...(schema.items && { items: deeper(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(deeper) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(deeper) }),
    ...(schema.allOf && { allOf: schema.allOf.map(deeper) }),
  };
}

function bodiesOf(document: RawDocument, raw: RawOperation): Body[] {
  return Object.entries(raw.requestBody?.content ?? {}).map(([type, media]) => {
    const schema = inline(document, media.schema ?? {});
    const examples = [
      media.example,
      ...Object.values(media.examples ?? {}).map(({ value }) => value),
      ...(schema.examples ?? []),
    ];
    return { type, schema, examples: examples.filter((example) => example !== undefined) };
  });
}

/** Every operation of the document, sorted by id so that the order is the same in each run. */
export function operationsOf(document: RawDocument): Operation[] {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: false,
    validateFormats: true,
    validateSchema: false,
    // Takes half of the time to compile, and most schemas are used for few answers.
    code: { optimize: false },
  });
  addFormats(ajv);
  // Schemas are compiled as parts of the document, so that what many of them refer to is compiled once.
  ajv.addSchema(document, DOCUMENT);
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, raw] of Object.entries(item)) {
      const responses = new Map<number, string[]>();
      const schemas = new Map<number, string>();
      for (const [status, response] of Object.entries(raw.responses)) {
        const place = response.$ref ?? pointer('paths', path, method, 'responses', status);
        const { content = {} } = response.$ref === undefined ? response : target<RawResponse>(document, response.$ref);
        if (status === 'default') continue;
        responses.set(Number(status), Object.keys(content));
        if (content['application/json']?.schema)
          schemas.set(Number(status), `${DOCUMENT}${place}/content/application~1json/schema`);
      }
      const validators = new Map<number, ValidateFunction>();
      const parameters = (raw.parameters ?? []).map((p) =>
        p.$ref === undefined ? p : target<Parameter>(document, p.$ref),
      );
      operations.push({
        id: raw.operationId,
        method: method.toUpperCase(),
        path,
        open: raw.security?.length === 0,
        limited: responses.has(429),
        responses,
        parameters: parameters.map((p) => ({
          ...p,
          schema: { ...inline(document, p.schema), ...(p.example !== undefined && { examples: [p.example] }) },
        })),
        bodies: bodiesOf(document, raw),
        mismatch: (status, body) => {
          const $ref = schemas.get(status);
          if ($ref === undefined) return undefined;
          const validate = validators.get(status) ?? ajv.compile({ $ref });
          validators.set(status, validate);
          return validate(body) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'body' });
        },
      });
    }
  }
  return operations.sort((a, b) => (a.id < b.id ? -1 : 1));
}
