/** The structure of the core derived from its imports: wings, their rooms, and the imports between them. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** The wings from the bottom to the top: each imports those before it, and none of those after it. The last is `core/*.ts`. */
export const WINGS = [
  'foundation',
  'identity',
  'settings',
  'inventory',
  'messaging',
  'modules',
  'composition',
  'pipeline',
  'root',
] as const;
export type Wing = (typeof WINGS)[number];

/** One import of a file of the core by another. */
export interface Import {
  from: string;
  to: string;
  isType: boolean;
}
/** Imports between two groups of files, by the names of both. */
export interface Edge {
  from: string;
  to: string;
  imports: Import[];
}

/** @param path relative to the project, such as `core/identity/auth/service.ts` */
export function wingOf(path: string): Wing {
  const [, wing, more] = path.split('/');
  return more === undefined ? 'root' : (wing as Wing);
}

/** The room of a file: the wing and the folder in it, or only the wing for files directly in it. */
export function roomOf(path: string): string {
  const wing = wingOf(path);
  const parts = path.split('/').slice(2, -1);
  return wing === 'root' || parts.length === 0
    ? wing
    : `${wing}/${parts.slice(0, parts[0] === 'items' ? 2 : 1).join('/')}`;
}

/** Separate packages, which the core imports by their names. */
const PACKAGES = ['core/sdk/', 'core/client/'];
const isPackaged = (path: string): boolean => PACKAGES.some((folder) => path.startsWith(folder));

/** Paths of the sources of the core, without its packages, relative to the project. */
export function coreSources(root: string): string[] {
  return readdirSync(join(root, 'core'), { recursive: true, encoding: 'utf8' })
    .map((file) => `core/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts') && !isPackaged(file))
    .sort();
}

/** Every import between files of the core, including those of types. @throws if an imported file does not exist */
export function importsOf(root: string): Import[] {
  const sources = coreSources(root);
  const known = new Set(sources);
  return sources.flatMap((from) => {
    const text = readFileSync(join(root, from), 'utf8');
    return ts.preProcessFile(text, true, true).importedFiles.flatMap(({ fileName, pos }) => {
      if (!fileName.startsWith('.')) return [];
      const to = join(dirname(from), fileName).replaceAll('\\', '/').replace(/\.js$/, '.ts');
      if (!to.startsWith('core/') || isPackaged(to)) return [];
      if (!known.has(to)) throw new Error(`${from} imports ${fileName}, which is not there`);
      const statement = text
        .slice(Math.max(text.lastIndexOf('\nimport', pos), text.lastIndexOf('\nexport', pos), 0), pos)
        .trimStart();
      return [{ from, to, isType: /^(import|export) type\b/.test(statement) }];
    });
  });
}

/** Imports grouped by the groups of their files; those within one group are omitted. */
export function edgesOf(imports: readonly Import[], groupOf: (path: string) => string): Edge[] {
  const edges = new Map<string, Edge>();
  for (const one of imports) {
    const [from, to] = [groupOf(one.from), groupOf(one.to)];
    if (from === to) continue;
    const edge = edges.get(`${from} ${to}`) ?? { from, to, imports: [] };
    edge.imports.push(one);
    edges.set(`${from} ${to}`, edge);
  }
  return [...edges.values()].sort((a, b) => (`${a.from} ${a.to}` < `${b.from} ${b.to}` ? -1 : 1));
}

/** The edges that are part of a cycle. */
export function circularEdges(edges: readonly Edge[]): Edge[] {
  const reach = (start: string): Set<string> => {
    const seen = new Set<string>();
    const next = [start];
    for (let at = next.pop(); at !== undefined; at = next.pop()) {
      for (const { from, to } of edges)
        if (from === at && !seen.has(to)) {
          seen.add(to);
          next.push(to);
        }
    }
    return seen;
  };
  return edges.filter(({ from, to }) => reach(to).has(from));
}

const id = (room: string): string => room.replace(/\W/g, '_');

/** The wings as a Mermaid diagram: an arrow for each wing that imports another, with the number of imports. */
export function drawWings(imports: readonly Import[]): string {
  const boxes = [...WINGS].reverse().map((wing) => `  ${wing}["${wing === 'root' ? 'core/*.ts' : `core/${wing}`}"]`);
  const arrows = edgesOf(imports, wingOf).map(({ from, to, imports: all }) => `  ${from} -->|${all.length}| ${to}`);
  return ['flowchart TD', ...boxes, ...arrows].join('\n');
}

/** The rooms of one wing as a Mermaid diagram. */
export function drawRooms(imports: readonly Import[], wing: Wing): string {
  const within = imports.filter(({ from, to }) => wingOf(from) === wing && wingOf(to) === wing);
  const rooms = [...new Set(within.flatMap(({ from, to }) => [roomOf(from), roomOf(to)]))].sort();
  const boxes = rooms.map((room) => `  ${id(room)}["${room.slice(wing.length + 1) || `files of ${wing}`}"]`);
  const arrows = edgesOf(within, roomOf).map(
    ({ from, to, imports: all }) => `  ${id(from)} -->|${all.length}| ${id(to)}`,
  );
  return ['flowchart TD', ...boxes, ...arrows].join('\n');
}
