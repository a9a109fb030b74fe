import type { TimeSlice } from '@lintel/sdk';
import { soundOf } from '../matching/fold.js';
import { hashOf, Keyed } from '../matching/keyed.js';
import { compact, headOf, readName, sameName, type SameName } from './names.js';
import { ALIASES } from './words.js';

/** Names of one supplier that are grouped: more are left as suppliers of their own. */
const MOST_KEYS = 50;
/** Names that are compared by similarity, the most frequent ones first; others only if they are equal. */
const MOST_COMPARED = 20_000;
/** Names with one key of the index: more say nothing. */
const MOST_WITH_KEY = 30;

/** Why two names are one supplier. */
export interface Link {
  reason: SameName['reason'] | 'alias' | 'stated';
  score: number;
}

/** Compares names, by data about aliases and by their letters. */
export class NameLinks {
  private readonly canonical = new Map<string, string>();

  /** @param aliases names of one supplier in each row, before those that are known to the module */
  constructor(aliases: readonly (readonly string[])[]) {
    for (const names of [...aliases, ...ALIASES]) {
      const keys = names.map((name) => readName(name)?.key).filter((key) => key !== undefined);
      for (const key of keys) if (!this.canonical.has(compact(key))) this.canonical.set(compact(key), keys[0]!);
    }
  }

  /** The key of the usual name. */
  canonicalOf(key: string): string {
    return this.canonical.get(compact(key)) ?? key;
  }

  /**
   * Why two keys are one supplier; undefined if they are not. It depends on these two names only, so that a reader who sees both can conclude it.
   * @param a with the keys of other names that its text states
   */
  link(a: NamedKey, b: NamedKey): Link | undefined {
    const [x, y] = [this.canonicalOf(a.key), this.canonicalOf(b.key)];
    if (compact(x) === compact(y))
      return { reason: compact(a.key) === compact(b.key) ? 'same_words' : 'alias', score: 1 };
    const states = (one: NamedKey, other: string): boolean =>
      one.others.some((key) => compact(this.canonicalOf(key)) === compact(other));
    if (states(a, y) || states(b, x)) return { reason: 'stated', score: 0.99 };
    return sameName(x, y);
  }
}

/** A key with the keys of other names that texts with it state. */
export interface NamedKey {
  key: string;
  others: readonly string[];
}
export interface KeyInput extends NamedKey {
  /** Number of cards. */
  count: number;
  /** The supplier to which people have assigned it. */
  supplier: string | null;
}

/** Keys of one supplier. */
export interface KeyGroup {
  keys: string[];
  /** Of people; null: the group is a proposal. */
  supplier: string | null;
}

/**
 * Groups names. A name joins a group only if it is linked with every name in it (complete linkage): so no group rests on a chain, and each part
 * of a group is a group to those who see that part only. Groups of different decisions are never joined. The same input gives the same groups.
 */
export async function groupKeys(input: readonly KeyInput[], links: NameLinks, slice: TimeSlice): Promise<KeyGroup[]> {
  const nodes = [...input].sort((x, y) => y.count - x.count || (x.key < y.key ? -1 : 1));
  const groups: { members: number[]; supplier: string | null }[] = [];
  const groupOf: { members: number[]; supplier: string | null }[] = [];
  const decided = new Map<string, { members: number[]; supplier: string | null }>();
  for (const [i, { supplier }] of nodes.entries()) {
    let group = supplier === null ? undefined : decided.get(supplier);
    if (!group) groups.push((group = { members: [], supplier }));
    if (supplier !== null) decided.set(supplier, group);
    group.members.push(i);
    groupOf.push(group);
  }
  const pairs: { a: number; b: number; score: number }[] = [];
  const seen = new Set<number>();
  const index = await indexOf(nodes, links, slice);
  for (const found of index.groups()) {
    if (found.length > MOST_WITH_KEY) continue;
    for (let i = 0; i < found.length; i++)
      for (let j = i + 1; j < found.length; j++) {
        if (slice.isOver) await slice.next();
        const [x, y] = [found[i]!, found[j]!];
        const [a, b] = x < y ? [x, y] : [y, x];
        if (a === b || seen.has(a * nodes.length + b)) continue;
        seen.add(a * nodes.length + b);
        const link = links.link(nodes[a]!, nodes[b]!);
        if (link) pairs.push({ a, b, score: link.score });
      }
  }
  pairs.sort((x, y) => y.score - x.score || x.a - y.a || x.b - y.b);
  for (const { a, b } of pairs) {
    if (slice.isOver) await slice.next();
    const [left, right] = [groupOf[a]!, groupOf[b]!];
    if (left === right || (left.supplier !== null && right.supplier !== null)) continue;
    if (left.members.length + right.members.length > MOST_KEYS) continue;
    const isComplete = left.members.every((x) => right.members.every((y) => links.link(nodes[x]!, nodes[y]!)));
    if (!isComplete) continue;
    const [to, from] = right.supplier === null ? [left, right] : [right, left];
    to.members.push(...from.members);
    for (const member of from.members) groupOf[member] = to;
    from.members = [];
  }
  return groups
    .filter(({ members }) => members.length > 0)
    .map(({ members, supplier }) => ({ keys: members.map((i) => nodes[i]!.key).sort(), supplier }));
}

/** Positions of names by the keys under which those that may be linked are found. */
async function indexOf(nodes: readonly KeyInput[], links: NameLinks, slice: TimeSlice): Promise<Keyed> {
  const index = new Keyed();
  for (const [i, { key, others }] of nodes.entries()) {
    if (slice.isOver) await slice.next();
    const name = links.canonicalOf(key);
    const letters = compact(name);
    const keys = new Set([hashOf(`=${letters}`)]);
    for (const other of others) keys.add(hashOf(`=${compact(links.canonicalOf(other))}`));
    if (i < MOST_COMPARED) {
      keys.add(hashOf(`#${name.split(' ').sort().join(' ')}`));
      keys.add(hashOf(`=${compact(headOf(name))}`));
      keys.add(hashOf(`~${soundOf(letters)}`));
      // Names with one edit have a text in common in which one letter is left out.
      keys.add(hashOf(`-${letters}`));
      for (let at = 0; at < letters.length && at < 40; at++)
        keys.add(hashOf(`-${letters.slice(0, at)}${letters.slice(at + 1)}`));
    }
    for (const one of keys) index.push(one, i);
  }
  if (slice.isOver) await slice.next();
  return index.sort();
}
