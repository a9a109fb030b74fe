/** The types of `@lintel/client` as text, generated from the OpenAPI document of a running service. */
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { Document } from '../../core/foundation/http/openapi-document.js';

const BASE = '/api/v1';
const INTRO = '// Made from the OpenAPI document of the service by `node dist/test/docs.js --write`; do not edit.\n\n';

/** Keywords without effect on types: examples, formats and headers. Properties with such a name are kept. */
const WITHOUT_EFFECT = new Set(['example', 'examples', 'format', 'headers']);

/** A copy without these keywords and with successful responses only, because the client turns all others into errors. */
function trimmed(node: unknown, key = ''): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((child) => trimmed(child));
  const kept = Object.entries(node).filter(([name]) =>
    key === 'properties' ? true : key === 'responses' ? name.startsWith('2') : !WITHOUT_EFFECT.has(name),
  );
  return Object.fromEntries(kept.map(([name, child]) => [name, trimmed(child, name)]));
}

/** Removes lines about absent members and half of the indentation, together a third of the text. */
const shorter = (text: string): string =>
  text
    .replace(/^ +(get|put|post|delete|options|head|patch|trace|query|header|path|cookie|requestBody)\?: never;\n/gm, '')
    .replace(/^ +parameters: \{\n +\};\n/gm, '')
    .replace(/^ +headers: \{\n +\[name: string\]: unknown;\n +\};\n/gm, '')
    .replace(/^ +/gm, (indent) => ' '.repeat(Math.floor(indent.length / 2)));

/**
 * @param document as served by GET /api/openapi.json
 * @returns a module with the types of every component and of the paths below /api/v1, without this prefix
 */
export async function clientTypes({ paths, components, ...document }: Document): Promise<string> {
  const own = Object.entries(paths).filter(([path]) => path.startsWith(`${BASE}/`));
  const { schemas, parameters } = components;
  const nodes = await openapiTS(
    trimmed({
      ...document,
      paths: Object.fromEntries(own.map(([path, item]) => [path.slice(BASE.length), item])),
      components: { schemas, parameters },
    }) as OpenAPI3,
    // Members with a default are optional in a body.
    {
      silent: true,
      rootTypes: true,
      rootTypesNoSchemaPrefix: true,
      defaultNonNullable: false,
      emptyObjectsUnknown: true,
    },
  );
  return `${INTRO}${shorter(astToString(nodes))}`;
}
