/**
 * Loads a landscape of cloud native technology as one file of NDJSON, through an import:
 *
 *     node dist/test/e2e/load-landscape.js --token … --data <folder of landscape.yml>
 *
 * | Data | becomes |
 * |---|---|
 * | category, subcategory | TechCategory and, below it, another; of the members: Organizations |
 * | item | ITComponent with its name in lower case as key, and `itComponentToTechCategory`; one listed twice has two categories |
 * | item of the members | Organization below its tier |
 * | `second_path` | another `itComponentToTechCategory`; a nonexistent category gives a refused row |
 * | maturity | the classification of the component; the dates of its steps are its lifecycle |
 * | Crunchbase organisation | Provider with its slug as key, and `providerToITComponent`; of a member: `related`, kind "is" |
 *
 * Providers are below one called Crunchbase, so that their slugs do not conflict with names of other sources. It can be
 * run again: only differences are written.
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
  /** Address of its organisation. */
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
/** The category of companies that offer services and training, not software. */
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
/** The key is in lower case, because some items are listed twice with names that differ only in case. */
const itemKey = (name: string, category: string): CardKey => ({
  type: category === MEMBERS ? 'Organization' : 'ITComponent',
  external_id: name.trim().toLowerCase(),
});

function providerKey({ crunchbase }: Item): CardKey | undefined {
  const slug = /\/organization\/([^/?#]+)/.exec(crunchbase ?? '')?.[1];
  return slug === undefined ? undefined : { type: 'Provider', external_id: `crunchbase: ${slug}` };
}

/** Dates in the order required by the API; one before its predecessor is omitted. */
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

/** The first item of each key, so that the file has no duplicates. */
const unique = <T>(all: readonly T[], key: (one: T) => unknown): T[] =>
  [...new Map([...all].reverse().map((one) => [JSON.stringify(key(one)), one])).values()].reverse();

export interface Landscape {
  cards: CardUpsert[];
  relations: RelationUpsert[];
  /** Number of repeated names that got their external id as a suffix. */
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

/** The file to import: one card per line, then one relation per line. */
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
