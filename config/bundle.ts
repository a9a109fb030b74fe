/**
 * Bundles the compiled service into `service/`, which `npm start` runs: it starts in half the time of the 2,500 separate files in
 * `dist/` and `node_modules/` (docs/adr/0039). The last step of `npm run build`.
 *
 * A file that is found by its path at run time is an entry of the same path as in `dist/`: plugins of every request, modules, files of
 * their routes, workers. Each module is bundled by itself, so that its errors and its version are found by its folder. The SDK
 * is bundled in its own package, because the service and all modules must share one instance of it.
 */
import { build, type OutputFile, type Plugin } from 'esbuild';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DIST = path.join(ROOT, 'dist');
const SERVICE = path.join(ROOT, 'service');

/** Packages that find native code or files of their own by their path, and such that are loaded only when they are used. */
const EXTERNAL = [
  '@fastify/swagger-ui',
  '@lintel/sdk',
  '@node-rs/argon2',
  '@redis/client',
  '@resvg/resvg-js',
  'knex',
  'nodemailer',
  'objection',
  'openid-client',
  'pg-native',
  'pino',
];

interface Bundle {
  /** Folder of the compiled files and of the bundled ones. */
  from: string;
  to: string;
  /** The last folders of `to`, which stay when the built project is moved. */
  place: string;
  /** Compiled files, relative to their folder. */
  entries: string[];
}

/** Compiled files that another one loads by its path: `new URL('./worker.js', import.meta.url)`. */
const BY_PATH = /(?:new URL|register)\('\.\/([\w-]+\.js)', (?:import\.meta\.url|\{ parentURL: import\.meta\.url)/g;

/**
 * Gives each file its own URL below the folder of the bundle: in a bundle, `import.meta.url` is that of the file in which it
 * was placed.
 */
const ownUrls = ({ from, entries }: Bundle): Plugin => ({
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, async ({ path: file }) => {
      if (!file.startsWith(from + path.sep)) return undefined;
      const text = await readFile(file, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const within = path.relative(from, file).replaceAll(path.sep, '/');
      const missing = [...text.matchAll(BY_PATH)]
        .map(([, name]) => path.posix.join(path.posix.dirname(within), name!))
        .filter((name) => !entries.includes(name));
      return {
        contents: text.replaceAll('import.meta.url', `new URL(${JSON.stringify(within)}, __root).href`),
        errors: missing.map((name) => ({ text: `${name} is loaded by its path and is not an entry` })),
      };
    });
  },
});

/** @returns the files, which are not written yet @throws the errors of esbuild, which it has printed */
async function bundle(one: Bundle): Promise<OutputFile[]> {
  const { from, to, place, entries } = one;
  const { outputFiles } = await build({
    entryPoints: entries.map((entry) => path.join(from, entry)),
    outbase: from,
    outdir: to,
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: [...EXTERNAL, ...EXTERNAL.map((name) => `${name}/*`), ...builtinModules],
    // Packages that name their side effects wrongly would lose them: the labels of areas were not drawn.
    ignoreAnnotations: true,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    write: false,
    plugins: [ownUrls(one)],
    banner: {
      js: `import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url), __root = import.meta.url.slice(0, import.meta.url.lastIndexOf('/${place}/') + ${place.length + 2});`,
    },
  });
  return outputFiles;
}

const isWorker = (file: string): boolean => path.basename(file) === 'worker.js';

async function filesOf(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true });
  return files.filter((file) => file.endsWith('.js')).map((file) => file.replaceAll(path.sep, '/'));
}

/** The service, the SDK and each module. */
async function bundles(): Promise<Bundle[]> {
  const core = await filesOf(path.join(DIST, 'core'));
  const isEntry = (file: string): boolean =>
    /^(server|app|pipeline\/[\w-]+|modules\/runtime\/reload-hooks)\.js$/.test(file) || isWorker(file);
  // Compiled files of a module that is no longer there may be left in dist/.
  const modules = (await readdir(path.join(ROOT, 'plugins'))).filter((name) => /^[a-z]/.test(name));
  return [
    {
      from: DIST,
      to: SERVICE,
      place: 'service',
      entries: core.filter(isEntry).map((file) => `core/${file}`),
    },
    {
      from: path.join(ROOT, 'core/sdk/dist'),
      to: path.join(ROOT, 'core/sdk/bundle'),
      place: 'bundle',
      entries: [
        'index.js',
        'host.js',
        'drawing/index.js',
        'testing/index.js',
        'workers/process.js',
        'workers/own-sdk.js',
      ],
    },
    ...(await Promise.all(modules.map(moduleBundle))),
  ];
}

async function moduleBundle(name: string): Promise<Bundle> {
  const from = path.join(DIST, 'plugins', name);
  const files = (await filesOf(from)).filter((file) => !file.startsWith('test/'));
  return {
    from,
    to: path.join(SERVICE, 'plugins', name),
    place: `plugins/${name}`,
    entries: files.filter((file) => file === 'index.js' || file.startsWith('routes/') || isWorker(file)),
  };
}

const made = await bundles();
// A build that fails leaves the last bundle as it is.
const files = (await Promise.all(made.map(bundle))).flat();
for (const { to } of made) await rm(to, { recursive: true, force: true });
for (const folder of new Set(files.map((file) => path.dirname(file.path)))) await mkdir(folder, { recursive: true });
await Promise.all(files.map((file) => writeFile(file.path, file.contents)));
