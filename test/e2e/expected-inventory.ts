/**
 * The cards and relations that the three sources give together, computed from their files without code of the loaders,
 * which it checks.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface ExpectedCard {
  /** `<type> <external id>`, which identifies a card here. */
  key: string;
  type: string;
  external_id: string;
  name: string;
  subtype: string | null;
  alias: string | null;
  description: string | null;
  parent: string | null;
  /** The values of its selection fields. */
  options: Record<string, string>;
  /** Only for capabilities of the first level. */
  industry?: string;
}

export interface ExpectedRelation {
  type: string;
  source: string;
  target: string;
  /** The last day of validity; null if there is none. */
  valid_to: string | null;
}

export interface ExpectedInventory {
  cards: Map<string, ExpectedCard>;
  relations: ExpectedRelation[];
  /** Relations with an end that is in no file. */
  dangling: ExpectedRelation[];
}

type Json = Record<string, unknown>;
const yaml = (file: string): Json => parse(readFileSync(file, 'utf8')) as Json;
const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const text = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

/** Collects cards and relations without duplicates. */
class Collection {
  readonly cards = new Map<string, ExpectedCard>();
  readonly links = new Map<string, ExpectedRelation>();

  /** Adds a card, or adds missing members to the existing one with the key. */
  card(type: string, external_id: string, name: string, more: Partial<ExpectedCard> = {}): string {
    const key = `${type} ${external_id}`;
    const known = this.cards.get(key);
    if (!known)
      this.cards.set(key, {
        key,
        type,
        external_id,
        name: name.trim(),
        subtype: null,
        alias: null,
        description: null,
        parent: null,
        options: {},
        ...more,
      });
    return key;
  }

  relation(type: string, source: string, target: string, valid_to: string | null = null): void {
    this.links.set(`${type}|${source}|${target}`, { type, source, target, valid_to });
  }

  /** Adds the external id to names that repeat among siblings, compared without case. */
  finish(): ExpectedInventory {
    const place = (card: ExpectedCard): string => `${card.type}|${card.parent}|${card.name.toLowerCase()}`;
    const bearers = new Map<string, number>();
    for (const card of this.cards.values()) bearers.set(place(card), (bearers.get(place(card)) ?? 0) + 1);
    const repeated = [...this.cards.values()].filter((card) => bearers.get(place(card))! > 1);
    for (const card of repeated) card.name = `${card.name} (${card.external_id})`;
    const relations: ExpectedRelation[] = [];
    const dangling: ExpectedRelation[] = [];
    for (const link of this.links.values())
      (this.cards.has(link.source) && this.cards.has(link.target) ? relations : dangling).push(link);
    return { cards: this.cards, relations, dangling };
  }
}

function addCatalogue(to: Collection, folder: string): void {
  const aliases = new Map<string, string[]>();
  for (const language of ['de', 'fr', 'ru', 'zh']) {
    for (const file of readdirSync(join(folder, 'turbo-catalogue-i18n', language)).sort()) {
      for (const [id, entry] of Object.entries(
        yaml(join(folder, 'turbo-catalogue-i18n', language, file))['entries'] as Record<string, Json>,
      )) {
        const known = aliases.get(id) ?? [];
        const name = text(entry['name']);
        if (name !== null && !known.includes(name)) known.push(name);
        aliases.set(id, known);
      }
    }
  }
  const add = (node: Json, parent: string | null): void => {
    const id = node['id'] as string;
    const alias = aliases.get(id)?.join(' · ') ?? null;
    const key = to.card('BusinessCapability', id, node['name'] as string, {
      parent,
      alias,
      description: text(node['description']),
      ...(parent === null && { industry: node['industry'] as string }),
    });
    for (const child of list(node['children'])) add(child, key);
  };
  for (const file of readdirSync(join(folder, 'turbo-catalogue')))
    add(yaml(join(folder, 'turbo-catalogue', file)), null);
  for (const stream of list(yaml(join(folder, 'turbo-catalogue-meta/_value-streams.yaml'))['value_streams'])) {
    const key = to.card('BusinessContext', `value-stream:${text(stream['name'])}`, stream['name'] as string, {
      subtype: 'valueStream',
    });
    for (const stage of list(stream['stages']))
      to.relation('businessContextToBusinessCapability', key, `BusinessCapability ${stage['capability_id'] as string}`);
  }
}

/** The day of a time at midnight on the American east coast; null for other values. */
const day = (value: unknown): string | null =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT0[45]:00:00\.000Z$/.test(value) ? value.slice(0, 10) : null;

/** Adds an agency and its parts as organisations. @returns the key of the last one */
function addSigner(to: Collection, from: Json): string | null {
  let path = '';
  let parent: string | null = null;
  const agency = text(from['Authorizing_Agency']);
  if (agency === null) return null;
  for (const part of [agency, ...(text(from['Authorizing_Subagency']) ?? '').split(' / ')]) {
    if (part.trim() === '') continue;
    path = path === '' ? part.trim() : `${path} / ${part.trim()}`;
    parent = to.card('Organization', path, part, { parent });
  }
  return parent;
}

/** The latest expiry of the letters; null if one has none, or if it is before the first signature. */
function lastDay(letters: Json[]): string | null {
  const ends = letters.map((letter) => day(letter['Letter_Expiration_Date']));
  const begins = letters
    .map((letter) => day(letter['Letter_Date']) ?? day(letter['Authorizing_Letter_Last_Sign_Date']))
    .filter((date) => date !== null)
    .sort();
  const last = ends.includes(null) ? null : ends.sort().at(-1)!;
  return last !== null && begins[0] !== undefined && last < begins[0] ? null : last;
}

function addMarketplace(to: Collection, folder: string): void {
  const { data } = JSON.parse(readFileSync(join(folder, 'providers.json'), 'utf8')) as { data: { Providers: Json[] } };
  const criticality: Record<string, string> = {
    high: 'missionCritical',
    moderate: 'businessCritical',
    low: 'businessOperational',
    'li-saas': 'administrative',
  };
  const letters = new Map<string, Json[]>();
  const models = new Map<string, Set<string>>();
  for (const entry of data.Providers) {
    const id = text(entry['Package_ID'])!;
    const words = list(entry['Service_Model'])
      .join(',')
      .toLowerCase()
      .split(',')
      .map((model) => model.trim())
      .filter(Boolean);
    models.set(id, new Set([...(models.get(id) ?? []), ...words]));
    const hosting = [...models.get(id)!];
    const impact = criticality[(text(entry['Impact_Level']) ?? '').toLowerCase()];
    const key = to.card('Application', id, entry['Cloud_Service_Provider_Package'] as string, {
      description: text(entry['CSO_Description']),
      options: impact === undefined ? {} : { businessCriticality: impact },
    });
    to.cards.get(key)!.options['hostingType'] = hosting.length > 1 ? 'hybrid' : hosting[0]!;
    const provider = text(entry['Cloud_Service_Provider_Name'])!;
    to.relation('providerToApplication', to.card('Provider', provider, provider), key);
    const authorizer = addSigner(to, entry);
    if (authorizer !== null) to.relation('related', authorizer, key);
    for (const letter of list(entry['Leveraged_ATO_Letters'])) {
      const signer = addSigner(to, letter);
      if (signer === null) continue;
      const all = [...(letters.get(`${signer}|${key}`) ?? []), letter];
      letters.set(`${signer}|${key}`, all);
      to.relation('organizationToApplication', signer, key, lastDay(all));
    }
    for (const ids of list(entry['Underlying_CSP_Package_ID'])) {
      for (const other of String(ids).split(','))
        if (other.trim() !== '') to.relation('related', key, `Application ${other.trim()}`);
    }
  }
}

function addLandscape(to: Collection, folder: string): void {
  const classes: Record<string, string> = {
    graduated: 'standard',
    incubating: 'phaseIn',
    sandbox: 'tolerated',
    archived: 'phaseOut',
  };
  const crunchbase = to.card('Provider', 'crunchbase', 'Crunchbase');
  for (const category of list(yaml(join(folder, 'landscape.yml'))['landscape'])) {
    const isMembers = category['name'] === 'CNCF Members';
    const placeType = isMembers ? 'Organization' : 'TechCategory';
    const above = to.card(placeType, `landscape: ${category['name'] as string}`, category['name'] as string);
    for (const subcategory of list(category['subcategories'])) {
      const path = `${category['name'] as string} / ${subcategory['name'] as string}`;
      const place = to.card(placeType, `landscape: ${path}`, subcategory['name'] as string, { parent: above });
      for (const item of list(subcategory['items'])) {
        const name = text(item['name'])!;
        const description = text(item['description']);
        const maturity = classes[String(item['project'])];
        const key = isMembers
          ? to.card('Organization', name.toLowerCase(), name, { parent: place, description })
          : to.card('ITComponent', name.toLowerCase(), name, {
              description,
              subtype: category['name'] === 'Special' ? 'service' : 'software',
              options: maturity === undefined ? {} : { resourceClassification: maturity },
            });
        if (!isMembers)
          for (const at of [path, ...list(item['second_path']).map(String)])
            to.relation('itComponentToTechCategory', key, `TechCategory landscape: ${at}`);
        const slug = String(item['crunchbase'] ?? '').split('/organization/')[1];
        if (slug === undefined) continue;
        const provider = to.card('Provider', `crunchbase: ${slug}`, slug, { parent: crunchbase });
        if (isMembers) to.relation('related', key, provider);
        else to.relation('providerToITComponent', provider, key);
      }
    }
  }
}

/** @param dataDir folder of the public data, with `capabilities`, `inventory-fedramp` and `landscape-cncf` */
export function expectedInventory(dataDir: string): ExpectedInventory {
  const all = new Collection();
  addCatalogue(all, join(dataDir, 'capabilities'));
  addMarketplace(all, join(dataDir, 'inventory-fedramp'));
  addLandscape(all, join(dataDir, 'landscape-cncf'));
  return all.finish();
}
