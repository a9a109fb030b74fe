import { serialize, type ASTNode } from '@marcbachmann/cel-js';
import { compilePattern } from './budget.js';
import { MappingFault } from './values.js';

const COMPREHENSIONS = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);
const MOST_PATTERN = 200;
const MOST_SEPARATOR = 20;

type Call = readonly [name: string, receiver: ASTNode, args: readonly ASTNode[]];

const isNode = (value: unknown): value is ASTNode =>
  typeof value === 'object' && value !== null && 'op' in value && 'start' in value;

/** All nodes directly below a node, in the order of the text. */
function childrenOf(node: ASTNode): ASTNode[] {
  if (node.op === 'value' || node.op === 'id') return [];
  const below = (value: unknown): ASTNode[] =>
    isNode(value) ? [value] : Array.isArray(value) ? value.flatMap(below) : [];
  return below(node.args).sort((a, b) => a.start - b.start);
}

const comprehension = (node: ASTNode): Call | undefined => {
  const call = node.op === 'rcall' ? (node.args as unknown as Call) : undefined;
  return call && COMPREHENSIONS.has(call[0]) && call[2].length >= 2 ? call : undefined;
};
const isHas = (node: ASTNode): boolean => node.op === 'call' && node.args[0] === 'has';
const literal = (node: ASTNode | undefined): string | undefined =>
  node?.op === 'value' && typeof node.args === 'string' ? node.args : undefined;

/** Checks what the parser does not. @throws MappingFault */
export function checked(node: ASTNode, isInside = false): void {
  if (comprehension(node) && isInside)
    throw new MappingFault('must not have a macro such as map or exists inside another one');
  if (node.op === 'id' && node.args.startsWith('_')) throw new MappingFault(`has an unknown name, ${node.args}`);
  if (node.op === 'id' && node.args === 'cel') throw new MappingFault('must not use cel.bind');
  if (node.op === 'call' && node.args[0].startsWith('_'))
    throw new MappingFault(`has an unknown function, ${node.args[0]}`);
  if (node.op === 'map')
    for (const [key] of node.args)
      if (key.op !== 'value' && key.op !== 'id') throw new MappingFault('must have simple keys in its maps');
  if (node.op === 'rcall') checkedCall(node.args as unknown as Call);
  const own = comprehension(node);
  for (const child of childrenOf(node)) checked(child, isInside || (own !== undefined && own[2].includes(child)));
}

function checkedCall([name, , args]: Call): void {
  if (name === 'matches') {
    const pattern = literal(args[0]);
    if (pattern === undefined || pattern.length > MOST_PATTERN)
      throw new MappingFault(`must have a pattern of at most ${MOST_PATTERN} characters in quotes for matches`);
    compilePattern(pattern);
  }
  if (name === 'join' && args.length > 0 && (literal(args[0])?.length ?? Infinity) > MOST_SEPARATOR)
    throw new MappingFault(`must have a separator of at most ${MOST_SEPARATOR} characters in quotes for join`);
}

/** The members of `record` that an expression names. */
export function sourcesOf(node: ASTNode): string[] {
  const isRecord = (one: ASTNode): boolean => one.op === 'id' && one.args === 'record';
  const found = (one: ASTNode): string[] => {
    if (one.op === '.' && isRecord(one.args[0])) return [one.args[1]];
    if (one.op === '[]' && isRecord(one.args[0])) return [literal(one.args[1]) ?? []].flat();
    return childrenOf(one).flatMap(found);
  };
  return [...new Set(found(node))];
}

/** The text of an expression with `_spent(…)` around each part whose size is not fixed, and `_like` instead of `matches`. */
export function instrumented(node: ASTNode): string {
  return node.op === 'value' || isHas(node) ? serialize(node) : `_spent(${parts(node)})`;
}

const list = (nodes: readonly ASTNode[]): string => nodes.map(instrumented).join(', ');

/** Of a path such as `record.site.name`, only the whole is measured: its parts are not copied. */
const path = (node: ASTNode): string => (node.op === '.' || node.op === 'id' ? parts(node) : instrumented(node));

/** A node with its measured children; each of these is a call or a literal, so that no precedence is lost. */
function parts(node: ASTNode): string {
  switch (node.op) {
    case 'value':
    case 'id':
      return serialize(node);
    case '.':
      return `${path(node.args[0])}.${node.args[1]}`;
    case '[]':
      return `${path(node.args[0])}[${instrumented(node.args[1])}]`;
    case 'call':
      return `${node.args[0]}(${list(node.args[1])})`;
    case 'rcall': {
      const [name, receiver, args] = node.args;
      if (name === 'matches') return `_like(${instrumented(receiver)}, ${list(args)})`;
      const own = comprehension(node);
      const given = own ? [serialize(args[0]!), list(args.slice(1))].join(', ') : list(args);
      return `${instrumented(receiver)}.${name}(${given})`;
    }
    case 'list':
      return `[${list(node.args)}]`;
    case 'map':
      return `{${node.args.map(([key, value]) => `${serialize(key)}: ${instrumented(value)}`).join(', ')}}`;
    case '?:':
      return `${instrumented(node.args[0])} ? ${instrumented(node.args[1])} : ${instrumented(node.args[2])}`;
    case '!_':
      return `!${instrumented(node.args)}`;
    case '-_':
      return `-(${instrumented(node.args)})`;
    case '.?':
    case '[?]':
      throw new MappingFault('must not have optional members');
    default:
      return `${instrumented(node.args[0])} ${node.op} ${instrumented(node.args[1])}`;
  }
}
