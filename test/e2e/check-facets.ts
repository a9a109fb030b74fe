import type { Test } from 'tap';
import type { ExpectedCard } from './expected-inventory.js';
import { matches, subtreeOf, tally } from './naive-answers.js';
import { each, type List, type World } from './together-world.js';

interface Facets {
  total: number;
  facets: Record<string, { value: string | null; label?: string; count: number }[]>;
}

/** Checks that facets and totals of the list with many filters equal those counted from the files. */
export async function checkFacets(t: Test, { expected, cards, texts, ids, tagIds, get }: World): Promise<void> {
  const industries = [...tagIds.keys()];
  const byKey = new Map(texts.map((text) => [text.card.key, text]));
  const root = cards.filter(({ type, parent }) => type === 'BusinessCapability' && parent === null)[7]!.key;
  const below = subtreeOf(expected.cards, root);
  const [some, other] = [industries[0]!, industries.at(-1)!];
  const hit =
    (search: string) =>
    ({ key }: ExpectedCard) =>
      matches(byKey.get(key)!, search);
  const filters: [Record<string, string>, (card: ExpectedCard) => boolean][] = [
    [{}, () => true],
    [{ type: 'Application' }, ({ type }) => type === 'Application'],
    [{ type: 'ITComponent,TechCategory' }, ({ type }) => type === 'ITComponent' || type === 'TechCategory'],
    [
      { 'attributes.businessCriticality': 'missionCritical,administrative' },
      ({ options }) => ['missionCritical', 'administrative'].includes(options['businessCriticality'] ?? ''),
    ],
    [
      { type: 'Application', 'attributes.hostingType[ne]': 'saas' },
      ({ type, options }) => type === 'Application' && options['hostingType'] !== 'saas',
    ],
    [
      { type: 'ITComponent', 'attributes.resourceClassification[empty]': 'true' },
      ({ type, options }) => type === 'ITComponent' && options['resourceClassification'] === undefined,
    ],
    [
      { 'attributes.hostingType': 'saas', 'attributes.businessCriticality': 'businessCritical' },
      ({ options }) => options['hostingType'] === 'saas' && options['businessCriticality'] === 'businessCritical',
    ],
    [{ search: 'management' }, hit('management')],
    [
      { search: 'cloud secur', type: 'Application,ITComponent' },
      (card) => ['Application', 'ITComponent'].includes(card.type) && hit('cloud secur')(card),
    ],
    [{ search: 'управление' }, hit('управление')],
    [{ root_id: ids.get(root)! }, ({ key }) => below.has(key)],
    [{ root_id: ids.get(root)!, search: 'planning' }, (card) => below.has(card.key) && hit('planning')(card)],
    [{ parent_id: ids.get(root)! }, ({ parent }) => parent === root],
    [{ parent_id: 'null' }, ({ parent }) => parent === null],
    [
      { parent_id: 'null', type: 'Organization', search: 'department' },
      (card) => card.parent === null && card.type === 'Organization' && hit('department')(card),
    ],
    [{ subtype: 'software,valueStream' }, ({ subtype }) => subtype === 'software' || subtype === 'valueStream'],
    [{ tag: `${tagIds.get(some)!},${tagIds.get(other)!}` }, ({ industry }) => industry === some || industry === other],
    [{ tag: tagIds.get(some)!, search: 'management' }, (card) => card.industry === some && hit('management')(card)],
    [{ approval_status: 'APPROVED' }, () => false],
    [{ status: 'ACTIVE,ARCHIVED', approval_status: 'DRAFT', type: 'DataObject' }, ({ type }) => type === 'DataObject'],
  ];
  const fields = [...new Set(cards.flatMap(({ options }) => Object.keys(options)))];
  await each(filters, async ([query, isHit]) => {
    const what = JSON.stringify(query);
    const hits = cards.filter(isHit);
    const { total, facets } = await get<Facets>('/cards/facets', query);
    t.equal(total, hits.length, `${what}: total`);
    t.equal(
      (await get<List<unknown>>('/cards', { ...query, total: 'exact', page_size: 1 })).total,
      hits.length,
      `${what}: total of the list`,
    );
    const values: Record<string, (string | null)[]> = {
      type: hits.map(({ type }) => type),
      subtype: hits.map(({ subtype }) => subtype),
      status: hits.map(() => 'ACTIVE'),
      approval_status: hits.map(() => 'DRAFT'),
      tags: hits.flatMap(({ industry }) => (industry === undefined ? [] : tagIds.get(industry)!)),
      ...Object.fromEntries(
        fields.map((field) => [`attributes.${field}`, hits.flatMap(({ options }) => options[field] ?? [])]),
      ),
    };
    for (const name of new Set([...Object.keys(values), ...Object.keys(facets)])) {
      const counted = new Map((facets[name] ?? []).map(({ value, count }) => [value, count]));
      const right = tally(values[name] ?? []);
      t.same([...counted].sort(), [...right].sort(), `${what}: ${name}`);
      const counts = (facets[name] ?? []).map(({ count }) => count);
      t.same(
        counts,
        [...counts].sort((a, b) => b - a),
        `${what}: ${name}, the most frequent first`,
      );
    }
    t.same(
      (facets['tags'] ?? []).filter(({ value, label }) => tagIds.get(label ?? '') !== value),
      [],
      `${what}: names of tags`,
    );
  });
}
