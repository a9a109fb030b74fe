/**
 * Generates pages of the documentation from the code. `node dist/test/docs.js --write` writes them; a test checks that they
 * are current.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TSchema } from '@lintel/sdk';
import { ERRORS } from '../core/foundation/errors.js';
import { CORE_TYPES } from '../core/messaging/events/catalogue.js';
import { exportsOf, type ApiExport } from './support/api-report.js';
import { testApp } from './support/app.js';
import { clientTypes } from './support/client-types.js';
import { TEMPLATE, withDatabase } from './support/database.js';
import { startCluster } from './support/postgres.js';
import { coreSources, drawRooms, drawWings, importsOf, wingOf, WINGS } from './support/structure.js';

const file = fileURLToPath(import.meta.url);
const root = dirname(dirname(dirname(file)));

/** The path of the page of error codes. */
export const ERRORS_PAGE = join(root, 'docs/errors.md');
export const EVENTS_PAGE = join(root, 'docs/events.md');
export const STRUCTURE_PAGE = join(root, 'docs/structure.md');
export const API_PAGE = join(root, 'core/sdk/api-report.md');
export const CLIENT_TYPES = join(root, 'core/client/schema.ts');

const INTRO = `# Errors

Generated from \`core/foundation/errors.ts\` by \`node dist/test/docs.js --write\`; do not edit.

Every error is a problem of RFC 9457 (\`application/problem+json\`):

\`\`\`json
{
  "type": "/problems/validation_failed",
  "title": "Validation failed",
  "status": 422,
  "detail": "1 invalid field",
  "instance": "/api/v1/cards",
  "code": "validation_failed",
  "request_id": "0198c2f4-6a3e-7d21-9c40-5b1f0e6a7d10",
  "errors": [{ "field": "/name", "reason": "is required", "in": "body" }]
}
\`\`\`

\`code\` is stable and never reused; \`title\` and \`detail\` are for human readers and may change. Additional members contain
data about the error, such as \`current_version\` or \`required_permission\`. In \`errors\`, \`field\` is a JSON pointer in a body
and the name of the parameter otherwise. Modules add their own codes, listed in their README.
`;

/** @returns the text of docs/errors.md: one row per code, ordered by status */
export function errorsPage(): string {
  const rows = Object.entries(ERRORS)
    .map(([code, [status, title, meaning]]) => ({ code, status, title, meaning }))
    .sort((a, b) => a.status - b.status)
    .map(
      ({ code, status, title, meaning }) =>
        `| ${status} | \`${code}\` | ${title} | ${meaning.replaceAll('|', '\\|')} |`,
    );
  return [INTRO, '| Status | Code | Title | Meaning |', '|---|---|---|---|', ...rows, ''].join('\n');
}

const EVENTS_INTRO = `# Events

Generated from \`core/messaging/events/catalogue.ts\` by \`node dist/test/docs.js --write\`; do not edit.

Every change writes events to the log, in its transaction. They are served by \`GET /events\`, \`GET /events/stream\` (as CloudEvents 1.0) and
webhooks, each receiver with what the receiver may see: an event about a hidden card does not exist, and hidden costs, ids of hidden cards
and members that require a permission are removed. \`GET /events/types\` returns this catalogue with JSON Schemas of \`data\`, and the
types of the installed modules. Later versions may add types and members; clients should ignore those that they do not know.

An entry of \`changes\` has the members \`field\`, \`old\` and \`new\`, and \`permission\` if a permission of its own is required to see it.
Of maps, \`old\` and \`new\` contain only the keys that were changed, so that an event is as large as the change: settings, settings of
modules, definitions of the metamodel. Permissions of roles are named one by one, \`permissions.<key>\` with \`old\` and \`new\` as booleans;
preferences of users without values, \`preferences.<key>\`, because they are personal.
`;

/** A member of the data of an event, in short. */
function described(
  [name, schema]: [string, TSchema & { anyOf?: unknown[]; type?: string }],
  required: string[],
): string {
  return `\`${name}\`${required.includes(name) ? '' : ' (optional)'}${schema.anyOf ? ' or null' : ''}`;
}

/** @returns the text of docs/events.md: one row per event type of the core, in the order of the catalogue */
export function eventsPage(): string {
  const rows = Object.entries(CORE_TYPES).map(([type, { description, data }]) => {
    const { properties = {}, required = [] } = data as { properties?: Record<string, TSchema>; required?: string[] };
    const members = Object.entries(properties).map((member) => described(member, required));
    return `| \`${type}\` | ${description} | ${members.join(', ') || '–'} |`;
  });
  return [EVENTS_INTRO, '| Type | Meaning | Members of `data` |', '|---|---|---|', ...rows, ''].join('\n');
}

const ROOMY = ['foundation', 'identity', 'inventory', 'messaging'] as const;

/** @returns the text of docs/structure.md: the wings and their rooms, with arrows for the imports between them */
export function structurePage(): string {
  const imports = importsOf(root);
  const sources = coreSources(root);
  const picture = (text: string): string => `\`\`\`mermaid\n${text}\n\`\`\`\n`;
  const rows = [...WINGS]
    .reverse()
    .map(
      (wing) =>
        `| \`core/${wing === 'root' ? '*.ts' : wing}\` | ${sources.filter((path) => wingOf(path) === wing).length} |`,
    );
  return [
    '# Structure of the core\n',
    'Generated from the imports of the code by `node dist/test/docs.js --write`; do not edit. Arrows point from the importing wing or\nroom to the imported one, with the number of imports, including types. A wing imports only wings below it.\n',
    '| Wing | Files |',
    '|---|---|',
    ...rows,
    '',
    picture(drawWings(imports)),
    ...ROOMY.flatMap((wing) => [`## ${wing}\n`, picture(drawRooms(imports, wing))]),
  ].join('\n');
}

interface EntryPoint {
  name: string;
  exports: ApiExport[];
}
let entryPoints: EntryPoint[] | undefined;

/** The exports of the SDK by entry point. The caller should keep the result, because it compiles the SDK. */
export const sdkExports = (): EntryPoint[] =>
  (entryPoints ??= [
    { name: '@lintel/sdk', exports: exportsOf(root, 'core/sdk/dist/index.d.ts') },
    { name: '@lintel/sdk/drawing', exports: exportsOf(root, 'core/sdk/dist/drawing/index.d.ts') },
    { name: '@lintel/sdk/testing', exports: exportsOf(root, 'core/sdk/dist/testing/index.d.ts') },
  ]);

/** @returns the text of core/sdk/api-report.md: every export with its declaration */
export function apiPage(): string {
  return [
    '# API of the SDK\n',
    'Generated from the compiled declarations by `node dist/test/docs.js --write`; do not edit. A change here is a change of the API for\nmodules: `docs/plugins/10-publishing.md` lists the allowed ones.\n',
    ...sdkExports().map(
      ({ name, exports }) =>
        `## ${name}\n\n\`\`\`ts\n${exports.map(({ name: key, text }) => `// ${key}\n${text}`).join('\n\n')}\n\`\`\`\n`,
    ),
  ].join('\n');
}

/** Generates the types of the client from the OpenAPI document of a service that it starts with an embedded database. */
async function writeClientTypes(): Promise<void> {
  const cluster = await startCluster(process.env.TEST_DATABASE_URL || undefined, () => undefined);
  try {
    // No databases are copied from the template here, so that it can be used itself.
    const { app, close } = await testApp({ database: withDatabase(cluster.connection, TEMPLATE) });
    writeFileSync(CLIENT_TYPES, await clientTypes(app.openapiDocument()));
    await close();
  } finally {
    await cluster.stop();
  }
}

if (process.argv[1] === file && process.argv.includes('--write')) {
  writeFileSync(ERRORS_PAGE, errorsPage());
  writeFileSync(EVENTS_PAGE, eventsPage());
  writeFileSync(STRUCTURE_PAGE, structurePage());
  writeFileSync(API_PAGE, apiPage());
  await writeClientTypes();
}
