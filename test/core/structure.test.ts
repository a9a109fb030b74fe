import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { STRUCTURE_PAGE, structurePage } from '../docs.js';
import {
  circularEdges,
  edgesOf,
  importsOf,
  roomOf,
  wingOf,
  WINGS,
  type Edge,
  type Import,
} from '../support/structure.js';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const imports = importsOf(root);
const describeImport = ({ from, to, isType }: Import): string => `${from} imports ${isType ? 'types of ' : ''}${to}`;
const describeAll = (edges: readonly Edge[]): string[] => edges.flatMap(({ imports: all }) => all.map(describeImport));

t.test('no wing imports one above it, and there is no cycle between wings', async (t) => {
  const floor = (path: string): number => WINGS.indexOf(wingOf(path));
  t.ok(imports.length > 1_000, `${imports.length} imports`);
  t.ok(
    imports.every(({ from, to }) => floor(from) >= 0 && floor(to) >= 0),
    'every folder of the core is a wing',
  );
  t.strictSame(imports.filter(({ from, to }) => floor(to) > floor(from)).map(describeImport), [], 'upward');
  t.strictSame(describeAll(circularEdges(edgesOf(imports, wingOf))), [], 'in circles');
});

t.test('there is no cycle of run-time imports between the rooms of a wing', async (t) => {
  // The files directly in a wing are excluded, because they are its public interface as well as its shared code.
  const edges = edgesOf(
    imports.filter(({ isType }) => !isType),
    roomOf,
  ).filter(({ from, to }) => from.includes('/') && to.includes('/'));
  t.ok(edges.length > 20, `${edges.length} edges`);
  t.strictSame(describeAll(circularEdges(edges)), []);
});

t.test('the checks detect violations', async (t) => {
  const upward: Import = { from: 'core/foundation/ids.ts', to: 'core/identity/auth/index.ts', isType: true };
  t.strictSame(
    describeAll(circularEdges(edgesOf([...imports, upward], wingOf))).filter((one) => one === describeImport(upward)),
    [describeImport(upward)],
  );
});

t.test('every wing has a README with its content', async (t) => {
  for (const wing of WINGS.filter((name) => name !== 'root')) {
    const readme = join(root, 'core', wing, 'README.md');
    t.ok(existsSync(readme) && readFileSync(readme, 'utf8').split('\n').length <= 25, `core/${wing}/README.md`);
  }
});

t.test('docs/structure.md is current', async (t) => {
  t.equal(readFileSync(STRUCTURE_PAGE, 'utf8'), structurePage(), 'write it anew: node dist/test/docs.js --write');
});

t.test('an advisory lock is used in one file, so that unrelated operations do not wait for each other', async (t) => {
  const files = readdirSync(join(root, 'core'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.d.ts') && !/(?:^|\/)(?:dist|node_modules)\//.test(path),
  );
  const users = new Map<string, Set<string>>();
  for (const path of files)
    for (const [, number] of readFileSync(join(root, 'core', path), 'utf8').matchAll(/\b7_?315_?(\d{3})\b/g))
      users.set(number!, (users.get(number!) ?? new Set()).add(path));
  t.ok(users.size > 10, `${users.size} locks`);
  t.strictSame(
    [...users].filter(([, of]) => of.size > 1).map(([number, of]) => [number, ...of]),
    [],
  );
});

const COMMENT = /(?<=^|\s)(?:\/\*[\s\S]*?\*\/|\/\/ .*$)/gm;
const PERSONIFYING = /\b(?:nobody|whoever|somebody|everybody|anybody)\b/i;
/** The comments with an unclear subject; a word in backticks is a name and is not counted. */
const unclear = (source: string): string[] =>
  (source.match(COMMENT) ?? []).filter((comment) => PERSONIFYING.test(comment.replace(/`[^`\n]*`/g, '')));

t.test('comments name their subject: the client, the caller, another user', async (t) => {
  t.strictSame(
    unclear("const a = 'nobody'; // whoever\n/** `nobody` */\n/**\n * Nobody\n */\n'https://nobody'"),
    ['// whoever', '/**\n * Nobody\n */'],
    'the check finds such comments',
  );
  for (const folder of ['core', 'plugins', 'config']) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts') && !path.endsWith('.d.ts') && !/(?:^|\/)(?:test|dist|node_modules)\//.test(path),
    );
    t.ok(files.length > 5, `${files.length} files in ${folder}`);
    t.strictSame(
      files.flatMap((path) => unclear(readFileSync(join(root, folder, path), 'utf8')).map((one) => `${path}: ${one}`)),
      [],
      folder,
    );
  }
});
