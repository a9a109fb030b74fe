import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

/** Characters of the front matter of a product. */
const MOST = 262_144;
/** The parser is recursive, and a stack overflow could end the process. */
const MOST_NESTED = 40;

/** Whether a text may be deeply nested: by brackets, by list markers in one line, or by indentation. */
function isDeep(yaml: string): boolean {
  let depth = 0;
  for (const [bracket] of yaml.matchAll(/[[\]{}]/g)) {
    depth = bracket === '[' || bracket === '{' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > MOST_NESTED) return true;
  }
  return /^[ \t]*(?:[-?:][ \t]+){10}/m.test(yaml) || /^ {80}/m.test(yaml);
}

/**
 * The YAML between two lines `---` at the start of a text, with every scalar as text, since `1.10` is no number here; a text without
 * such lines is read as YAML.
 * @returns the reason as text, if it cannot be read
 */
export function frontMatterOf(source: string): Record<string, unknown> | string {
  const text = source.replace(/^\uFEFF/, '');
  const begin = /^---[ \t]*\r?\n/.exec(text);
  const rest = begin ? text.slice(begin[0].length) : text;
  const end = begin ? rest.search(/^---[ \t]*\r?$/m) : rest.length;
  if (end < 0) return 'has no end of its front matter';
  if (end > MOST) return `has a front matter of more than ${MOST} characters`;
  const yaml = rest.slice(0, end);
  if (isDeep(yaml)) return 'is nested too deeply';
  // Loaded with the first front matter, because the start of a service does not need its 70 files.
  const { parse } = createRequire(import.meta.url)('yaml') as typeof Yaml;
  try {
    const values: unknown = parse(yaml, { schema: 'failsafe', maxAliasCount: 20, logLevel: 'silent' });
    if (typeof values === 'object' && values !== null && !Array.isArray(values))
      return values as Record<string, unknown>;
    return 'is not a map';
  } catch {
    return 'is not YAML';
  }
}
