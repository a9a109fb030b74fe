import type { RequestContext } from '@lintel/sdk';
import type { Host } from '../basics.js';
import { usersOf } from '../sections/rules.js';
import type { StoredSection } from '../sections/schema.js';
import { computeForAll, computeTables } from './compute.js';
import type { Computed, Shown } from './model.js';

/** The language of documents: the first one of the workspace. */
export const langOf = (host: Host): string => host.workspace().locales[0] ?? 'en';

/** Everything that a document shows besides its own text, now and with the rights of the context. */
export const showNow = (host: Host, ctx: RequestContext, sections: readonly StoredSection[]): Promise<Shown> =>
  show(host, sections, (lang) => computeTables(host, ctx, sections, lang));

/** The same with all rights, and so many rows that each reader can be shown the tables that this reader's rights would give now. */
export const showForAll = (host: Host, sections: readonly StoredSection[]): Promise<Shown> =>
  show(host, sections, (lang) => computeForAll(host, sections, lang));

async function show(
  host: Host,
  sections: readonly StoredSection[],
  compute: (lang: string) => Promise<Computed[]>,
): Promise<Shown> {
  const lang = langOf(host);
  const { title, currency } = host.workspace();
  const { header, footer } = host.settings();
  const users = usersOf(sections);
  const found = users.length > 0 ? await host.users.find(users) : new Map<string, { display_name: string }>();
  const people = Object.fromEntries([...found].map(([id, { display_name }]) => [id, display_name]));
  const tables = await compute(lang);
  return { at: new Date().toISOString(), lang, organisation: title, currency, header, footer, people, tables };
}
