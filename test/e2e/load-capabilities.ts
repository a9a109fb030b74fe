/**
 * Loads a catalogue of business capabilities and its value streams:
 *
 *     node dist/test/e2e/load-capabilities.js --token … --data <folder of the catalogue>
 *
 * A capability becomes a BusinessCapability below its parent; its names in other languages become the alias, by which it
 * can be searched. A value stream becomes a BusinessContext; a stage becomes a relation to the capability it needs, and
 * stages of one stream with the same capability share one relation. Industries, references and lists of scope are
 * omitted, because the default metamodel has no field for them. Names that repeat among siblings: see distinct-names.ts.
 *
 * It can be run again: only differences are written.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { load, runLoader, type BulkClient, type CardUpsert, type LoadReport, type RelationUpsert } from './client.js';
import { distinctNames } from './distinct-names.js';

interface Capability {
  id: string;
  name: string;
  description?: string | null;
  children?: Capability[] | null;
}

interface Translation {
  entries: Record<string, { name?: string | null }>;
}

interface ValueStream {
  name: string;
  stages: { stage_order: number; stage_name: string; capability_id: string; notes?: string | null }[];
}

const CAPABILITY = 'BusinessCapability';
const STREAM = 'BusinessContext';
const ALIAS_LENGTH = 500;

const yaml = (file: string): unknown => parse(readFileSync(file, 'utf8'));
const yamlFiles = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.yaml'))
        .sort()
        .map((file) => join(folder, file))
    : [];

/** Names in other languages by capability id, in the order of the folders of the languages. */
function readTranslations(folder: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  const languages = existsSync(folder) ? readdirSync(folder).sort() : [];
  for (const file of languages.flatMap((language) => yamlFiles(join(folder, language)))) {
    for (const [id, { name }] of Object.entries((yaml(file) as Translation).entries)) {
      if (name) names.set(id, [...(names.get(id) ?? []), name.trim()]);
    }
  }
  return names;
}

/** The first names, up to the length of an alias. */
function aliasOf(names: readonly string[] = []): string | null {
  let alias = '';
  for (const name of new Set(names)) {
    const longer = alias === '' ? name : `${alias} · ${name}`;
    if (longer.length <= ALIAS_LENGTH) alias = longer;
  }
  return alias === '' ? null : alias;
}

/** A capability and all below it, parents before children. */
function capabilityCards(
  capability: Capability,
  parent: CardUpsert['parent'],
  translations: Map<string, string[]>,
): CardUpsert[] {
  const { id, name, description, children } = capability;
  const card: CardUpsert = {
    type: CAPABILITY,
    external_id: id,
    name: name.trim(),
    parent: parent ?? null,
    description: description?.trim() || null,
    alias: aliasOf(translations.get(id)),
  };
  const key = { type: CAPABILITY, external_id: id };
  return [card, ...(children ?? []).flatMap((child) => capabilityCards(child, key, translations))];
}

const streamKey = ({ name }: ValueStream) => ({ type: STREAM, external_id: `value-stream:${name.trim()}` });

/** One relation for each pair of stream and capability; its description lists the stages. */
function stageRelations(stream: ValueStream): RelationUpsert[] {
  const stages = new Map<string, string[]>();
  for (const { stage_order, stage_name, capability_id, notes } of stream.stages) {
    const text = `${stage_order}. ${stage_name.trim()}${notes ? `: ${notes.trim()}` : ''}`;
    stages.set(capability_id, [...(stages.get(capability_id) ?? []), text]);
  }
  return [...stages].map(([id, texts]) => ({
    type: 'businessContextToBusinessCapability',
    source: streamKey(stream),
    target: { type: CAPABILITY, external_id: id },
    description: texts.join('\n'),
  }));
}

/**
 * @param dataDir folder with `turbo-catalogue/`, and optionally `turbo-catalogue-i18n/` and
 *   `turbo-catalogue-meta/_value-streams.yaml`
 */
export async function loadCapabilities(client: BulkClient, dataDir: string): Promise<LoadReport> {
  const translations = readTranslations(join(dataDir, 'turbo-catalogue-i18n'));
  const roots = yamlFiles(join(dataDir, 'turbo-catalogue')).map((file) => yaml(file) as Capability);
  const streamFile = join(dataDir, 'turbo-catalogue-meta/_value-streams.yaml');
  const streams = existsSync(streamFile) ? (yaml(streamFile) as { value_streams: ValueStream[] }).value_streams : [];
  const { cards, suffixed } = distinctNames([
    ...roots.flatMap((root) => capabilityCards(root, null, translations)),
    ...streams.map(
      (stream): CardUpsert => ({ ...streamKey(stream), name: stream.name.trim(), subtype: 'valueStream' }),
    ),
  ]);
  const notes = suffixed > 0 ? [`${suffixed} names repeat among siblings and got their id behind them`] : [];
  return load(client, cards, streams.flatMap(stageRelations), notes);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runLoader(loadCapabilities);
