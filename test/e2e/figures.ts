/**
 * Figures of the real data, computed from the files differently from the loaders: the catalogue's YAML is read
 * line by line, the marketplace's JSON by sets of names. No code is shared with the loaders.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface CatalogueFigures {
  /** Names by id; the number of dots in the id is the level, the part before the last dot the parent. */
  names: Map<string, string>;
  /** Names in other languages by id, in alphabetical order of the languages. */
  translations: Map<string, string[]>;
  streams: string[];
  /** `stream|capability id` of each pair. */
  stages: Set<string>;
}

const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, '$2');
const files = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'));

export function catalogueFigures(dataDir: string): CatalogueFigures {
  const names = new Map<string, string>();
  for (const text of files(join(dataDir, 'turbo-catalogue'))) {
    for (const [, id, name] of text.matchAll(/^ *(?:- )?id: (BC-[\d.]+)\n *name: (.+)$/gm))
      names.set(id!, unquoted(name!));
  }
  const translations = new Map<string, string[]>();
  for (const language of readdirSync(join(dataDir, 'turbo-catalogue-i18n')).sort()) {
    for (const text of files(join(dataDir, 'turbo-catalogue-i18n', language))) {
      for (const [, id, name] of text.matchAll(/^ {2}(BC-[\d.]+):\n {4}name: (.+)$/gm))
        translations.set(id!, [...(translations.get(id!) ?? []), unquoted(name!)]);
    }
  }
  const streams: string[] = [];
  const stages = new Set<string>();
  for (const line of readFileSync(join(dataDir, 'turbo-catalogue-meta/_value-streams.yaml'), 'utf8').split('\n')) {
    const stream = /^ {2}- name: (.+)$/.exec(line)?.[1];
    if (stream !== undefined) streams.push(unquoted(stream));
    const capability = /^ +capability_id: (\S+)$/.exec(line)?.[1];
    if (capability !== undefined) stages.add(`${streams.at(-1)!}|${capability}`);
  }
  return { names, translations, streams, stages };
}

export interface MarketplaceFigures {
  packages: Set<string>;
  providers: Set<string>;
  /** Names from the agency down, joined by ` / `, including those of all agencies above. */
  organizations: Set<string>;
  /** `organization|package`. */
  uses: Set<string>;
  letters: number;
  authorizations: Set<string>;
  /** `package|underlying package`, where both are in the data. */
  underlying: Set<string>;
  /** The same where the second one is not in the data. */
  dangling: Set<string>;
}

type Json = Record<string, unknown>;
const string = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export function marketplaceFigures(dataDir: string): MarketplaceFigures {
  const entries = (JSON.parse(readFileSync(join(dataDir, 'providers.json'), 'utf8')) as { data: { Providers: Json[] } })
    .data.Providers;
  const packages = new Set(entries.map((entry) => string(entry['Package_ID'])));
  const signer = (from: Json): string =>
    [string(from['Authorizing_Agency']), string(from['Authorizing_Subagency'])].filter(Boolean).join(' / ');
  const letters = entries.flatMap((entry) =>
    list(entry['Leveraged_ATO_Letters']).map((letter) => ({ letter: letter as Json, entry })),
  );
  const signers = [...letters.map(({ letter }) => letter), ...entries].map(signer).filter(Boolean);
  const underlying = entries.flatMap((entry) =>
    list(entry['Underlying_CSP_Package_ID']).map((id) => [string(entry['Package_ID']), string(id)] as const),
  );
  const pairs = (isThere: boolean): Set<string> =>
    new Set(underlying.filter(([, id]) => packages.has(id) === isThere).map((pair) => pair.join('|')));
  return {
    packages,
    providers: new Set(entries.map((entry) => string(entry['Cloud_Service_Provider_Name']))),
    organizations: new Set(
      signers.flatMap((path) => path.split(' / ').map((_, i, parts) => parts.slice(0, i + 1).join(' / '))),
    ),
    uses: new Set(letters.map(({ letter, entry }) => `${signer(letter)}|${string(entry['Package_ID'])}`)),
    letters: letters.length,
    authorizations: new Set(entries.filter(signer).map((entry) => `${signer(entry)}|${string(entry['Package_ID'])}`)),
    underlying: pairs(true),
    dangling: pairs(false),
  };
}
