import type { Analysis, AnalysisWork } from '../analyses/definition.js';
import { cut } from '../matching/cut.js';
import { groupKeys, NameLinks, type KeyInput } from './grouping.js';
import {
  assignMentions,
  deleteUnused,
  readDecidedKeys,
  readMembers,
  readNames,
  resetMentions,
  storeMentions,
  type Assignment,
  type MemberRow,
  type Mention,
} from './mentions-repository.js';
import { readName } from './names.js';
import { SUPPLIER_NEWS } from './news.js';

const PAGE = 1_000;
/** Assignments of one transaction. */
const BATCH = 2_000;
/** Names in one attribute, as `IBM; Oracle`. */
const MOST_NAMES = 10;

/** The names in a text: an attribute may have several, by semicolon or line. */
function mentionsOf(card_id: string, { field, name }: { field: string; name: string }): Mention[] {
  const names = field === '' ? [name] : name.split(/[;\n|]/).slice(0, MOST_NAMES);
  return names.flatMap((one) => {
    const read = readName(one);
    return read ? [{ card_id, field, name: cut(one.trim(), 500), ...read }] : [];
  });
}

async function findNames(work: AnalysisWork): Promise<void> {
  const { supplier_types: types, supplier_fields: fields } = work.host.settings();
  for (let after = work.position as string | null; ; ) {
    const rows = await work.read((inventory) => readNames(inventory, { types, fields, after, limit: PAGE }));
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    const mentions = rows.flatMap(({ id, names }) => names.flatMap((name) => mentionsOf(id, name)));
    await work.step((uow) => storeMentions(uow, work.runId, mentions), { position: after });
  }
}

/** The keys with what people have decided about them; cards about which they have decided keep their supplier under any name. */
function keysOf(members: readonly MemberRow[], decided: ReadonlyMap<string, string>): KeyInput[] {
  // Decided keys count as names also where no card has them now: new names that are alike belong to their supplier.
  const keys = new Map(
    [...decided].map(([key, supplier]) => [
      key,
      { key, others: new Set<string>(), count: 0, supplier: supplier as string | null },
    ]),
  );
  for (const { member, key, others, count, decided: supplier } of members) {
    if (supplier !== null && member.startsWith('card:')) continue;
    let one = keys.get(key);
    if (!one) keys.set(key, (one = { key, others: new Set(), count: 0, supplier: null }));
    one.count += count;
    for (const other of others ?? []) one.others.add(other);
  }
  return [...keys.values()].map((one) => ({ ...one, others: [...one.others].sort() }));
}

async function groupNames(work: AnalysisWork): Promise<void> {
  const { host, runId, slice } = work;
  const aliases = host.settings().supplier_aliases.map((row) => row.split('=').map((name) => name.trim()));
  const members = await readMembers(host.db, runId);
  const decided = new Map((await readDecidedKeys(host.db)).map(({ key, supplier }) => [key, supplier]));
  const groups = await groupKeys(keysOf(members, decided), new NameLinks(aliases), slice);
  const before = new Map<string, Map<string, number>>();
  for (const { key, before: supplier, count } of members) {
    if (supplier === null) continue;
    const of = before.get(key) ?? new Map<string, number>();
    before.set(key, of.set(supplier, (of.get(supplier) ?? 0) + count));
  }
  // Groups of decisions first, so that no proposal takes their id; the others by their first key.
  groups.sort(
    (x, y) => Number(x.supplier === null) - Number(y.supplier === null) || (x.keys[0]! < y.keys[0]! ? -1 : 1),
  );
  const used = new Set(members.flatMap(({ decided: supplier }) => supplier ?? []));
  const supplierOf = new Map<string, string>();
  const created = new Set<string>();
  const isNamed = new Set(members.map(({ key }) => key));
  for (const { keys, supplier } of groups) {
    if (!keys.some((key) => isNamed.has(key))) continue;
    let id =
      supplier ??
      mostFrequent(
        keys.map((key) => before.get(key)),
        used,
      );
    if (id === undefined) created.add((id = host.newId()));
    used.add(id);
    for (const key of keys) supplierOf.set(key, id);
  }
  const assignments: Assignment[] = members.map(({ member, key, decided: supplier }) => ({
    member,
    key,
    supplier_id: supplier ?? supplierOf.get(key)!,
  }));
  for (let i = 0; i < assignments.length; i += BATCH) {
    const part = assignments.slice(i, i + BATCH);
    const its = new Set(part.map(({ supplier_id }) => supplier_id));
    const share = Math.min(1, (i + BATCH) / assignments.length);
    await work.step(
      (uow) =>
        assignMentions(
          uow,
          runId,
          part,
          [...created].filter((id) => its.has(id)),
        ),
      { share },
    );
  }
  await work.step(deleteUnused, { share: 1 });
}

/** The id that most cards had; of several the smallest one. */
function mostFrequent(
  counts: readonly (ReadonlyMap<string, number> | undefined)[],
  used: ReadonlySet<string>,
): string | undefined {
  const sums = new Map<string, number>();
  for (const of of counts) for (const [id, n] of of ?? []) if (!used.has(id)) sums.set(id, (sums.get(id) ?? 0) + n);
  return [...sums].sort(([x, n], [y, m]) => m - n || (x < y ? -1 : 1))[0]?.[0];
}

/** Which suppliers there are, from the names of cards and attributes. Their figures are computed when they are read. */
export const suppliers: Analysis = {
  kind: 'suppliers',
  title: 'Suppliers',
  // It has no findings: people decide about suppliers.
  states: { initial: 'new', moves: { new: [] }, withNote: [] },
  news: SUPPLIER_NEWS,
  phases: [
    { key: 'names', run: findNames, reset: resetMentions },
    { key: 'group', run: groupNames },
  ],
};
