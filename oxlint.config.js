import { readdirSync } from 'node:fs';
import { defineConfig } from 'oxlint';

const root = import.meta.dirname;

/** The wings of core/, from the bottom to the top: each imports those before it, and none of those after it. */
const WINGS = ['foundation', 'identity', 'settings', 'inventory', 'messaging', 'modules', 'composition', 'pipeline'];
/** Folders that are no feature: open to every importer, file by file. */
const SHARED = new Set(['db', 'http', 'items']);
const foldersOf = (path) =>
  readdirSync(`${root}/${path}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
const features = [
  'settings',
  'modules',
  ...['foundation', 'identity', 'inventory', 'inventory/items', 'messaging']
    .flatMap((wing) => foldersOf(`core/${wing}`))
    .filter((name) => !SHARED.has(name)),
];

/** Files by their role, in core features and modules alike. A role may fill one file, a few, or a folder. */
const role = (name) => [`**/${name}.ts`, `**/*-${name}.ts`, `**/${name}-*.ts`, `**/${name}/**/*.ts`];
const ROUTES = role('routes');
const SERVICES = role('service');
const DATA = [...role('repository'), ...role('model')];
/** Where SQL and the libraries that send it are at home. */
const SQL_HOMES = [...DATA, 'core/foundation/db/**', 'core/container.ts', '**/migrations/**', '**/test/**'];

/** Matches an import of a role's file or folder; see `role`. */
const ofRole = (name) => `(^|/)((([\\w.]+-)*${name}(-[\\w.]+)*\\.js)$|${name}/)`;

const noSqlLibraries = {
  regex: '^(knex|objection|pg|pg-[\\w-]+)(/|$)',
  message: 'knex, objection and pg belong in repository.ts, model.ts, core/db and migrations.',
};
const noRepository = {
  regex: ofRole('repository'),
  message: 'Routes call the service; only the service calls the repository.',
};
const noModel = {
  regex: ofRole('model'),
  allowTypeImports: true,
  message: 'Queries through a model belong in repository.ts.',
};
const noContainer = {
  regex: '^tsyringe$',
  message: 'Classes get what they need by their constructor; container.ts wires them.',
};
const noHost = { regex: '^@lintel/sdk/host$', message: 'That part of the SDK is for the host of modules.' };
const noProcess = {
  regex: '^(node:)?process$',
  message: 'Only core/server.ts reads the process; take what you need as a parameter.',
};

const noModules = { regex: '(^|/)plugins(/|$)', message: 'The core never imports a module: the host finds it.' };
const sdkByName = {
  regex: '(^|(?<!@lintel)/)sdk/',
  message: "Import '@lintel/sdk': the SDK must be one instance, for the core and for modules.",
};
const featureByIndex = {
  regex: `^\\.\\.?/(\\.\\./)*(core/)?((foundation|identity|inventory|messaging)/)?(items/)?(?!metamodel/types\\.js$)(${features.join('|')})/(?!index\\.js$)`,
  message: 'Another feature is reached through its index.js.',
};
/** What lies above a wing; `test/core/structure.test.ts` looks at every import by the file it leads to. */
const upward = (above) =>
  above.length === 0
    ? []
    : [
        {
          regex: `^(\\.\\./)+((${above.join('|')})/|(app|container|server)\\.js$)`,
          message: 'A wing imports those below it alone: see docs/architecture.md.',
        },
      ];
/** A module file `depth` folders below its own root may climb so many levels and no further. */
const leavesModule = (depth) => ({
  regex: `^(\\./)?(\\.\\./){${depth + 1}}|^\\.\\.$|^/|^file:`,
  message: "A module imports '@lintel/sdk', libraries and its own files.",
});
const inModuleTest = {
  regex: '^(?!(\\.\\./){3,}test/support/app\\.js$)(\\.\\./){2,}|^/|^file:',
  message: "A module's test imports its own module, '@lintel/sdk' and the project's test/support/app.js.",
};

/** One rule under two names, so that where a file lies and what role it has are judged apart: the last override of each name holds. */
const reach = (...patterns) => ({ 'lintel/reach': ['error', ...patterns] });
const layer = (...patterns) => ({ 'lintel/layer': ['error', ...patterns] });

const SQL_TEXT =
  '/^\\s*(SELECT\\s.+\\sFROM\\s|INSERT INTO\\s|DELETE FROM\\s|UPDATE\\s+\\S+\\s+SET\\s|WITH\\s.+\\sAS\\s*\\(|(CREATE|ALTER|DROP) (TABLE|INDEX)\\s|COPY\\s*\\()|\\(\\s*SELECT\\s/is';
const sqlText = ['Literal[value=', 'TemplateElement[value.raw='].map((node) => ({
  selector: `${node}${SQL_TEXT}]`,
  message: 'SQL lives in repository.ts and migrations.',
}));
const rawSql = {
  selector: "CallExpression[callee.property.name='raw']",
  message: 'SQL lives in repository.ts and migrations.',
};
/** What takes long to load, and is not needed for a start: its types are imported statically, where the layer rules see them. */
const LOADED_LATE = '^(knex|nodemailer|fflate|openid-client|\\.\\/model\\.js|\\.\\/app\\.js)$';
const dynamicImport = {
  selector: `ImportExpression:not([source.value=/${LOADED_LATE}/])`,
  message:
    'Import statically, so that the layer rules see it; the module host and autoload load what is found at run time.',
};
const resolve = {
  selector: "CallExpression[callee.object.name=/container$/i][callee.property.name='resolve']",
  message: 'container.resolve belongs in container.ts and where apps and modules are mounted.',
};

const jsonParse = {
  selector: "CallExpression[callee.object.name='JSON'][callee.property.name='parse']",
  message:
    'JSON of strangers is parsed in time slices: by readJson of an answer, or parseInSlices. List files that parse short texts in oxlint.config.js.',
};
/** Where JSON may be parsed at once, in modules and where the core reads content of other systems; and why that is short. */
const SHORT_JSON = [
  // A body of at most a megabyte and 50,000 values.
  'core/foundation/outbound/json.ts',
  // Lines of a file, and cells, of bounded length.
  'core/inventory/imports/parse/ndjson.ts',
  'core/inventory/imports/parse/csv.ts',
  'core/inventory/imports/parse/cells.ts',
  'core/inventory/imports/parse/module-format.ts',
  'plugins/cmdbsync/connectors/files/ndjson.ts',
  // A bounded part of an upload.
  'core/inventory/imports/parse/upload.ts',
  // A page of rows that the service has written itself.
  'core/inventory/imports/rows/pages-repository.ts',
  // Refusals and the answer to the smallest request, of at most 256 KiB; events of a stream of at most 64 KiB.
  'core/settings/ai-call.ts',
  'core/settings/models/protocol.ts',
  // Metadata and tokens of at most 128 KiB.
  'core/identity/sso/protocol.ts',
  // Positions that the connectors have written themselves.
  'plugins/cmdbsync/connectors/rest/connector.ts',
  'plugins/cmdbsync/connectors/servicenow/paging.ts',
  'plugins/cmdbsync/connectors/files/connector.ts',
  // In a thread or process of its own.
  'plugins/diagrams/content/work.ts',
  'plugins/insightlens/feeds/reading.ts',
  'plugins/diagrams/drawing/placeholders.ts',
  // Values of fields and schemas of the service, and a file of a library.
  'plugins/soaw/tables/fields.ts',
  'plugins/reports/catalogue.ts',
  'plugins/reports/pictures/icons.ts',
  // In a worker.
  'plugins/diagrams/content/work.ts',
];
/** Files that use a library for parsing or packing, and what bounds the time that it takes. */
const PARSING = [
  // Fed in chunks as the bytes arrive, with pauses.
  'core/foundation/xml.ts',
  'core/inventory/imports/parse/csv.ts',
  'core/inventory/exports/workbook.ts',
  'plugins/cmdbsync/connectors/files/csv.ts',
  // Archives whose files are compressed by threads of zlib.
  'core/foundation/xlsx/archive.ts',
  'core/foundation/xlsx/*.ts',
  'plugins/adr/export-service.ts',
  // Front matter of at most 16 KiB.
  'plugins/adr/madr/front-matter.ts',
  // In a thread.
  'plugins/bpm/notation/*.ts',
  'plugins/diagrams/drawio/xml.ts',
  'plugins/insightlens/feeds/front-matter.ts',
  'plugins/ppm/exchange/csv-read.ts',
  'plugins/ppm/exchange/xml.ts',
  'plugins/reports/pictures/charts.ts',
  'plugins/soaw/rendering/docx/package.ts',
  'plugins/soaw/rendering/text/parse.ts',
];
/** Files that call zlib synchronously. */
const SYNC_ZLIB = [
  // In a thread.
  'plugins/diagrams/drawio/inflate.ts',
  'plugins/diagrams/content/save.ts',
  // A document of the service itself.
  'core/pipeline/openapi.ts',
];

/** Computed members too, which oxlint's no-console lets pass. */
const anyConsole = { selector: "MemberExpression[object.name='console']", message: 'Unexpected console statement.' };

export default defineConfig({
  ignorePatterns: [
    '**/dist/**',
    '/service/**',
    'core/sdk/bundle/**',
    '.tap/**',
    'data/**',
    'coverage/**',
    'test/fixtures/**',
    'core/client/schema.ts',
  ],
  plugins: ['typescript'],
  jsPlugins: ['./oxlint.rules.js'],
  // A rule holds everywhere or is changed here: 'lintel/disabling-comment' reports comments that switch one off.
  options: { typeAware: true, respectEslintDisableDirectives: false },
  categories: { correctness: 'off' },
  rules: {
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'lintel/disabling-comment': 'error',
    'lintel/thrown-cast': 'error',
    'no-constant-condition': ['error', { checkLoops: false }],
    'no-throw-literal': 'error',
    'no-var': 'error',
    'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'anywhere' }],
    'object-shorthand': 'error',
    'prefer-const': 'error',
    'typescript/await-thenable': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  },
  overrides: [
    {
      files: ['**/*.ts'],
      rules: {
        'no-array-constructor': 'error',
        'no-unused-expressions': 'error',
        'no-unused-vars': ['error', { argsIgnorePattern: '^_', caughtErrors: 'none', ignoreRestSiblings: true }],
        'prefer-rest-params': 'error',
        'prefer-spread': 'error',
        'typescript/ban-ts-comment': 'error',
        'typescript/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
        'typescript/no-duplicate-enum-values': 'error',
        'typescript/no-empty-object-type': 'error',
        'typescript/no-explicit-any': 'error',
        'typescript/no-extra-non-null-assertion': 'error',
        'typescript/no-misused-new': 'error',
        'typescript/no-namespace': 'error',
        'typescript/no-non-null-asserted-optional-chain': 'error',
        'typescript/no-require-imports': 'error',
        'typescript/no-this-alias': 'error',
        'typescript/no-unnecessary-type-constraint': 'error',
        'typescript/no-unsafe-declaration-merging': 'error',
        'typescript/no-unsafe-function-type': 'error',
        'typescript/no-wrapper-object-types': 'error',
        'typescript/prefer-as-const': 'error',
        'typescript/prefer-namespace-keyword': 'error',
        'typescript/triple-slash-reference': 'error',
      },
    },

    // What may be reached, by where the file lies.
    {
      files: ['core/**/*.ts', 'config/**/*.ts', 'migrations/**/*.ts'],
      rules: {
        ...reach(noModules, sdkByName, featureByIndex),
        ...layer(noSqlLibraries, noProcess),
        'lintel/console': ['error', anyConsole],
        'lintel/syntax': ['error', dynamicImport, resolve, rawSql, ...sqlText],
        'no-restricted-properties': [
          'error',
          {
            object: 'process',
            property: 'env',
            message: 'Only core/server.ts reads the environment; take the Config.',
          },
        ],
      },
    },
    ...WINGS.map((wing, i) => ({
      files: [`core/${wing}/**/*.ts`],
      rules: reach(noModules, sdkByName, featureByIndex, ...upward(WINGS.slice(i + 1))),
    })),
    { files: ['core/*.ts', 'core/pipeline/*.ts', 'core/composition/*.ts'], rules: reach(noModules, sdkByName) },
    {
      files: ['core/sdk/**/*.ts'],
      rules: {
        ...reach({ regex: '^\\.\\.(/|$)|^/|^file:|^lintel(/|$)', message: 'The SDK imports nothing from the core.' }),
        ...layer(
          {
            ...noSqlLibraries,
            message: 'The SDK runs no SQL library; core/sdk/knex.ts is the one place that names the type of one.',
          },
          noProcess,
        ),
      },
    },
    { files: ['core/sdk/knex.ts'], rules: layer({ ...noSqlLibraries, allowTypeImports: true }, noProcess) },
    {
      files: ['core/sdk/*/**/*.ts'],
      rules: reach({
        regex: '^(\\.\\./){2}|^\\.\\.$|^/|^file:|^lintel(/|$)',
        message: 'The SDK imports nothing from the core.',
      }),
    },
    {
      files: ['core/client/**/*.ts'],
      rules: reach({
        regex: '^\\.\\.(/|$)|^/|^file:|^lintel(/|$)|^node:',
        message: 'The client runs anywhere, from its own files.',
      }),
    },
    // The part of the SDK that starts a platform: at run time and from its files, for a module has nothing of the core.
    {
      files: ['core/sdk/testing/**/*.ts'],
      rules: {
        'lintel/layer': 'off',
        ...reach({ regex: '^lintel(/|$)|^file:|^/', message: 'The SDK imports nothing from the core.' }),
        'no-restricted-properties': 'off',
        'lintel/syntax': ['error', rawSql],
      },
    },
    // In processes of their own: the script is that of any module, and what they get of the environment is chosen there.
    { files: ['core/sdk/workers/answer.ts'], rules: { 'lintel/syntax': ['error', resolve, rawSql, ...sqlText] } },
    { files: ['core/sdk/workers/child.ts'], rules: { 'no-restricted-properties': 'off' } },
    { files: ['core/sdk/testing/*-repository.ts'], rules: { 'lintel/syntax': ['error', dynamicImport] } },
    {
      files: ['plugins/**/*.ts'],
      rules: {
        ...layer(noHost, noSqlLibraries, noProcess, noContainer),
        'lintel/console': ['error', anyConsole],
        'lintel/syntax': ['error', dynamicImport, rawSql, ...sqlText],
        'no-restricted-properties': [
          'error',
          { object: 'process', property: 'env', message: 'A module has settings; take them from the SDK.' },
        ],
      },
    },
    ...[0, 1, 2, 3].map((depth) => ({
      files: [`plugins/*/${'*/'.repeat(depth)}*.ts`],
      rules: reach(leavesModule(depth)),
    })),

    // What may be used, by the role of the file.
    {
      files: SQL_HOMES,
      rules: {
        ...layer(noProcess),
        'lintel/syntax': ['error', dynamicImport],
      },
    },
    {
      files: ROUTES,
      excludeFiles: ['**/test/**'],
      rules: layer(noSqlLibraries, noRepository, noModel, noContainer, noProcess),
    },
    { files: SERVICES, excludeFiles: ['**/test/**'], rules: layer(noSqlLibraries, noModel, noContainer, noProcess) },
    {
      files: ['core/container.ts', 'core/composition/**', 'core/app.ts', 'core/modules/**/*.ts'],
      excludeFiles: ['core/modules/repository.ts'],
      rules: { 'lintel/syntax': ['error', rawSql, ...sqlText] },
    },
    { files: ['core/server.ts'], rules: { ...layer(noSqlLibraries), 'no-restricted-properties': 'off' } },
    // A program of its own, which talks to the service from outside.
    { files: ['config/demo/run.ts'], rules: { 'no-restricted-properties': 'off' } },
    // A command beside the service, with the environment of the service.
    { files: ['core/foundation/secrets/rotate.ts'], rules: { 'no-restricted-properties': 'off' } },

    {
      files: ['core/**/*.ts', 'plugins/**/*.ts'],
      // Where they are declared, described and set beside one another; events and notifications still ask for themselves.
      excludeFiles: [
        'core/inventory/access/**',
        'core/identity/rbac/core-permissions.ts',
        '**/schemas.ts',
        '**/*-schemas.ts',
        '**/test/**',
      ],
      rules: { 'lintel/sight-names': 'error' },
    },
    // Content of strangers does not block the event loop.
    {
      files: ['core/**/*.ts', 'plugins/**/*.ts'],
      excludeFiles: ['**/test/**', 'core/sdk/testing/**', ...PARSING],
      rules: { 'lintel/parsers': 'error' },
    },
    {
      files: ['core/**/*.ts', 'plugins/**/*.ts'],
      excludeFiles: ['**/test/**', ...SYNC_ZLIB],
      rules: { 'lintel/sync-zlib': 'error' },
    },
    {
      files: [
        'plugins/**/*.ts',
        'core/foundation/outbound/**/*.ts',
        'core/identity/sso/**/*.ts',
        'core/inventory/imports/**/*.ts',
        'core/messaging/webhooks/**/*.ts',
        'core/settings/**/*.ts',
      ],
      excludeFiles: ['**/test/**', ...SHORT_JSON],
      rules: { 'lintel/json-parse': ['error', jsonParse] },
    },
    {
      files: ['core/**/*.ts', 'plugins/**/*.ts'],
      excludeFiles: ['**/migrations/**', '**/test/**'],
      rules: { 'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }] },
    },
    {
      files: ['**/test/**/*.ts'],
      rules: {
        'typescript/no-floating-promises': [
          'error',
          { allowForKnownSafePromises: [{ from: 'package', package: '@tapjs/core', name: 'PromiseWithSubtest' }] },
        ],
        'lintel/layer': 'off',
        'no-restricted-properties': 'off',
        'lintel/syntax': [
          'error',
          {
            selector: "CallExpression[callee.property.name=/^(skip|only|todo)$/][callee.object.name='t']",
            message: 'A test runs or does not exist.',
          },
        ],
      },
    },
    { files: ['plugins/*/test/**/*.ts'], rules: reach(inModuleTest) },
  ],
});
