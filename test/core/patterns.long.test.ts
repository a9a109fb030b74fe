/**
 * Every regular expression of the core and the modules takes time in proportion to the text, also where the text is made for it to be slow.
 * Runs in a process of its own: it measures processor time.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, Script } from 'node:vm';
import t from 'tap';
import ts from 'typescript';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const FOLDERS = ['core', 'plugins'];
const NOT_SHIPPED = /(^|\/)(test|testing|dist|bundle|node_modules)\/|\.d\.ts$/;

/** Patterns that take more than linear time, with what bounds their texts. */
const BOUNDED: Record<string, string> = {
  // Patterns of schemas and of the metamodel have at most 1,000 characters.
  'core/foundation/http/pattern-tree.ts': 'patterns',
  'core/foundation/http/schema-cost.ts': 'patterns',
  // Figures, and zeros at the end of one.
  'core/messaging/notifications/titles.ts': 'numbers',
  'plugins/soaw/tables/reader.ts': 'numbers',
  // Addresses of configurations, and names of at most 1,000 characters; suppliers are compared by 200.
  'plugins/cmdbsync/connectors/rest/client.ts': 'addresses',
  'core/client/index.ts': 'addresses',
  'plugins/insightlens/duplicates/name.ts': 'names',
  'plugins/insightlens/suppliers/names.ts': 'names',
  // The beginning of an error of the other system.
  'plugins/cmdbsync/connectors/servicenow/client.ts': 'cut to a few hundred characters',
  // In a process that is killed at its time limit.
  'plugins/diagrams/drawing/label/css.ts': 'in a worker',
  'plugins/diagrams/drawing/labels.ts': 'in a worker',
};

interface Found {
  file: string;
  text: string;
}

function patternsOf(file: string): Found[] {
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) found.push({ file, text: node.getText() });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true));
  return found;
}

const SIGNS = 'a0 \n.,-/\\"<[({=*#:|`!'.split('');
const LENGTH = 4_000;
const LIMIT_MS = 30;
const TIMEOUT_MS = 1_000;
const context = createContext({ pattern: /x/, text: '', isGlobal: false });
const script = new Script('pattern.lastIndex = 0; isGlobal ? text.replace(pattern, "") : pattern.test(text)');

/** Processor time in milliseconds for a text that repeats a unit. */
function timeOf(pattern: RegExp, unit: string): number {
  Object.assign(context, {
    pattern,
    text: `${unit.repeat(LENGTH / unit.length)}\u0001`,
    isGlobal: pattern.flags.includes('g'),
  });
  const before = process.cpuUsage();
  try {
    script.runInContext(context, { timeout: TIMEOUT_MS });
  } catch {
    return TIMEOUT_MS;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

t.test('no pattern takes long for a text that repeats a sign', async (t) => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  ).filter((file) => file.endsWith('.ts') && !NOT_SHIPPED.test(file));
  const found = new Map(files.flatMap(patternsOf).map((one) => [one.text, one]));
  t.ok(found.size > 400, `${found.size} patterns`);
  for (const { file, text } of found.values()) {
    const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
    if (!/[*+]|\{\d+,/.test(source) || BOUNDED[file] !== undefined) continue;
    const pattern = new RegExp(source, flags.replace('y', ''));
    const own = [...new Set(source.replace(/\\./g, '').match(/[A-Za-z0-9<>{}|:;,.#"'=_-]/g) ?? [])].slice(0, 6);
    const units = new Set([...SIGNS, ...own, ...own.flatMap((sign) => [`${sign} `, `${sign}0`])]);
    // Measured again, because the first time also compiles the pattern.
    for (const unit of units)
      if (timeOf(pattern, unit) > LIMIT_MS && timeOf(pattern, unit) > LIMIT_MS)
        t.fail(`${file}: ${text} for a text of ${JSON.stringify(unit)}`);
  }
});
