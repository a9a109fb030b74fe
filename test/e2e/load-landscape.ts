/**
 * Loads a landscape of cloud native technology as one file of NDJSON, through an import:
 *
 *     node dist/test/e2e/load-landscape.js --token … --data <folder of landscape.yml>
 *
 * | Data | becomes |
 * |---|---|
 * | category, subcategory | TechCategory and, below it, another; of the members: Organizations |
 * | item | ITComponent, known by its name in small letters, with `itComponentToTechCategory`; one listed twice is one with two categories |
 * | item of the members | Organization below its tier |
 * | `second_path` | another `itComponentToTechCategory`; a category that is not there makes a refused row |
 * | maturity | how the component is classified, the dates of its steps its lifecycle |
 * | Crunchbase organisation | Provider, known by its slug, with `providerToITComponent`; of a member: `related`, kind "is" |
 *
 * Providers stand below one called Crunchbase, where their slugs meet no name of another source. Run it again as often as
 * you like: only what differs is written.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import type { CardKey, CardUpsert, RelationUpsert } from './client.js';
import { distinctNames } from './distinct-names.js';
import { ImportClient } from './import-client.js';

interface Item {
  name: string;
  description?: string | null;
  /** Maturity. */
  project?: string | null;
  /** Address of the organisation behind it. */
  crunchbase?: string | null;
  /** Further places, `<category> / <subcategory>`. */
  second_path?: string[] | null;
  extra?: {
    accepted?: string | null;
    incubating?: string | null;
    graduated?: string | null;
    archived?: string | null;
  } | null;
}

interface Category {
  name: string;
  subcategories: { name: string; items: Item[] }[];
}

const MEMBERS = 'CNCF Members';
/** Companies that help and teach, not software. */
const SERVICES = 'Special';
const CLASSES: Record<string, string> = {
  graduated: 'standard',
  incubating: 'phaseIn',
  sandbox: 'tolerated',
  archived: 'phaseOut',
};
const CRUNCHBASE: CardKey = { type: 'Provider', external_id: 'crunchbase' };

const categoryKey = (path: string): CardKey => ({
  type: path.startsWith(MEMBERS) ? 'Organization' : 'TechCategory',
  external_id: `landscape: ${path}`,
});
/** Some items are listed twice under names that differ in case alone. */
const itemKey = (name: string, category: string): CardKey => ({
  type: category === MEMBERS ? 'Organization' : 'ITComponent',
  external_id: name.trim().toLowerCase(),
});

function providerKey({ crunchbase }: Item): CardKey | undefined {
  const slug = /\/organization\/([^/?#]+)/.exec(crunchbase ?? '')?.[1];
  return slug === undefined ? undefined : { type: 'Provider', external_id: `crunchbase: ${slug}` };
}

/** Steps in the order the API demands; one that comes before its predecessor is left out. */
function lifecycle({ extra }: Item): Record<string, string> {
  const steps = [
    ['phaseIn', extra?.accepted],
    ['active', extra?.graduated ?? extra?.incubating],
    ['endOfLife', extra?.archived],
  ] as const;
  const known: Record<string, string> = {};
  let last = '';
  for (const [phase, day] of steps) {
    if (!day || day < last) continue;
    known[phase] = day;
    last = day;
  }
  return known;
}

function itemCard(item: Item, category: string, subcategory: string): CardUpsert {
  const card = {
    ...itemKey(item.name, category),
    name: item.name.trim(),
    description: item.description?.trim() || null,
  };
  if (category === MEMBERS) return { ...card, parent: categoryKey(`${category} / ${subcategory}`) };
  const resourceClassification = CLASSES[item.project ?? ''];
  return {
    ...card,
    subtype: category === SERVICES ? 'service' : 'software',
    lifecycle: lifecycle(item),
    attributes: resourceClassification === undefined ? {} : { resourceClassification },
  };
}

function itemRelations(item: Item, category: string, subcategory: string): RelationUpsert[] {
  const key = itemKey(item.name, category);
  const provider = providerKey(item);
  if (category === MEMBERS)
    return provider ? [{ type: 'related', source: key, target: provider, attributes: { kind: 'is' } }] : [];
  const places = [`${category} / ${subcategory}`, ...(item.second_path ?? [])];
  return [
    ...places.map(
      (path): RelationUpsert => ({ type: 'itComponentToTechCategory', source: key, target: categoryKey(path) }),
    ),
    ...(provider ? [{ type: 'providerToITComponent', source: provider, target: key }] : []),
  ];
}

/** The first of each key, so that nothing stands twice in the file. */
const unique = <T>(all: readonly T[], key: (one: T) => unknown): T[] =>
  [...new Map([...all].reverse().map((one) => [JSON.stringify(key(one)), one])).values()].reverse();

export interface Landscape {
  cards: CardUpsert[];
  relations: RelationUpsert[];
  /** Names that repeat among siblings and got their external id behind them. */
  suffixed: number;
}

/** @param dataDir folder with `landscape.yml` */
export function readLandscape(dataDir: string): Landscape {
  const { landscape } = parse(readFileSync(join(dataDir, 'landscape.yml'), 'utf8')) as { landscape: Category[] };
  const found: CardUpsert[] = [{ ...CRUNCHBASE, name: 'Crunchbase' }];
  const relations: RelationUpsert[] = [];
  for (const { name: category, subcategories } of landscape) {
    found.push({ ...categoryKey(category), name: category });
    for (const { name, items } of subcategories) {
      found.push({ ...categoryKey(`${category} / ${name}`), name, parent: categoryKey(category) });
      for (const item of items) {
        const provider = providerKey(item);
        if (provider)
          found.push({ ...provider, name: provider.external_id.replace('crunchbase: ', ''), parent: CRUNCHBASE });
        found.push(itemCard(item, category, name));
        relations.push(...itemRelations(item, category, name));
      }
    }
  }
  const { cards, suffixed } = distinctNames(unique(found, ({ type, external_id }) => [type, external_id]));
  return { cards, relations: unique(relations, ({ type, source, target }) => [type, source, target]), suffixed };
}

/** As a file to import: a card a line, then a relation a line. */
export const landscapeFile = ({ cards, relations }: Landscape): string =>
  [...cards, ...relations.map((relation) => ({ relation }))].map((line) => `${JSON.stringify(line)}\n`).join('');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:8920' },
      token: { type: 'string', default: process.env.LINTEL_TOKEN ?? '' },
      data: { type: 'string', default: '.' },
    },
  });
  const landscape = readLandscape(values.data);
  const { verdicts, refused } = await new ImportClient(values.url, values.token).file(
    'ndjson',
    landscapeFile(landscape),
    'landscape.ndjson',
  );
  console.log(`cards: ${JSON.stringify(verdicts.card)}`);
  console.log(`relations: ${JSON.stringify(verdicts.relation)}`);
  if (landscape.suffixed > 0)
    console.log(`note: ${landscape.suffixed} names repeat among siblings and got their external id behind them`);
  for (const { line, errors } of refused)
    console.log(`refused: line ${line}: ${errors.map(({ field, reason }) => `${field} ${reason}`).join('; ')}`);
}
