import { readdirSync } from 'node:fs';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

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

/** Two rules with the same powers, so that where a file lies and what role it has are judged apart. */
const reach = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });
const layer = (...patterns) => ({ '@typescript-eslint/no-restricted-imports': ['error', { patterns }] });

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

/**
 * What a caller may see is decided in core/inventory/access, by whoever asks it: elsewhere the permissions that decide it are not
 * named, save where a route states its access. A rule of its own, so that no other setting of a folder takes its place.
 */
const SIGHT = /\b(cards\.view|costs\.view|card\.view_costs|stakeholders\.view)\b/;
const sightNames = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const check = (node, text) => {
      if (
        !SIGHT.test(text) ||
        (node.parent.type === 'Property' &&
          node.parent.key.name === 'permission' &&
          context.filename.endsWith('routes.ts'))
      )
        return;
      context.report({
        node,
        message:
          'core/inventory/access decides what a caller may see; a module asks by its ports (cards.find, cards.may).',
      });
    };
    return {
      Literal: (node) => check(node, String(node.value)),
      TemplateElement: (node) => check(node, node.value.raw),
    };
  },
};

export default defineConfig(
  globalIgnores([
    '**/dist/**',
    'service/**',
    'core/sdk/bundle/**',
    '**/node_modules/**',
    '.tap/**',
    'data/**',
    'coverage/**',
    'test/fixtures/**',
    'core/client/schema.ts',
  ]),
  {
    files: ['**/*.{js,ts}'],
    // A rule holds everywhere or is changed here: comments cannot switch it off, nor one of `.oxlintrc.json`.
    linterOptions: { noInlineConfig: true },
    languageOptions: { globals: { console: 'readonly', process: 'readonly', URL: 'readonly' } },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-constant-condition': ['error', { checkLoops: false }],
      'no-throw-literal': 'error',
      'no-warning-comments': [
        'error',
        { terms: ['todo', 'fixme', 'xxx', 'oxlint-disable', 'eslint-disable'], location: 'anywhere' },
      ],
    },
  },
  // The rules about the language, such as unused variables, are in `.oxlintrc.json`: oxlint takes a fraction of the time.
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.base],
    // No rule here reads documentation comments as such or the types of libraries.
    languageOptions: { parserOptions: { jsDocParsingMode: 'none', lib: [] } },
  },

  // What may be reached, by where the file lies.
  {
    files: ['core/**/*.ts', 'config/**/*.ts', 'migrations/**/*.ts'],
    rules: {
      ...reach(noModules, sdkByName, featureByIndex),
      ...layer(noSqlLibraries, noProcess),
      'no-console': 'error',
      'no-restricted-syntax': ['error', dynamicImport, resolve, rawSql, ...sqlText],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only core/server.ts reads the environment; take the Config.' },
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
      ...layer(),
      ...reach({ regex: '^lintel(/|$)|^file:|^/', message: 'The SDK imports nothing from the core.' }),
      'no-restricted-properties': 'off',
      'no-restricted-syntax': ['error', rawSql],
    },
  },
  { files: ['core/sdk/testing/*-repository.ts'], rules: { 'no-restricted-syntax': ['error', dynamicImport] } },
  {
    files: ['plugins/**/*.ts'],
    rules: {
      ...layer(noHost, noSqlLibraries, noProcess, noContainer),
      'no-console': 'error',
      'no-restricted-syntax': ['error', dynamicImport, rawSql, ...sqlText],
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
      'no-restricted-syntax': ['error', dynamicImport],
    },
  },
  {
    files: ROUTES,
    ignores: ['**/test/**'],
    rules: layer(noSqlLibraries, noRepository, noModel, noContainer, noProcess),
  },
  { files: SERVICES, ignores: ['**/test/**'], rules: layer(noSqlLibraries, noModel, noContainer, noProcess) },
  {
    files: ['core/container.ts', 'core/composition/**', 'core/app.ts', 'core/modules/**/*.ts'],
    ignores: ['core/modules/repository.ts'],
    rules: { 'no-restricted-syntax': ['error', rawSql, ...sqlText] },
  },
  { files: ['core/server.ts'], rules: { ...layer(noSqlLibraries), 'no-restricted-properties': 'off' } },
  // A program of its own, which talks to the service from outside.
  { files: ['config/demo/run.ts'], rules: { 'no-restricted-properties': 'off' } },
  // A command beside the service, with the environment of the service.
  { files: ['core/foundation/secrets/rotate.ts'], rules: { 'no-restricted-properties': 'off' } },

  {
    files: ['core/**/*.ts', 'plugins/**/*.ts'],
    // Where they are declared, described and set beside one another; events and notifications still ask for themselves.
    ignores: [
      'core/inventory/access/**',
      'core/identity/rbac/core-permissions.ts',
      '**/schemas.ts',
      '**/*-schemas.ts',
      '**/test/**',
    ],
    plugins: { lintel: { rules: { 'sight-names': sightNames } } },
    rules: { 'lintel/sight-names': 'error' },
  },
  {
    files: ['core/**/*.ts', 'plugins/**/*.ts'],
    ignores: ['**/migrations/**', '**/test/**'],
    rules: { 'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ['**/test/**/*.ts'],
    rules: {
      ...layer(),
      'no-restricted-properties': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.property.name=/^(skip|only|todo)$/][callee.object.name='t']",
          message: 'A test runs or does not exist.',
        },
      ],
    },
  },
  { files: ['plugins/*/test/**/*.ts'], rules: reach(inModuleTest) },
);
