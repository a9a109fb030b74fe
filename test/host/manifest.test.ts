import { Secret, Strict, Type, defineModule, type ModuleManifest } from '@lintel/sdk';
import { readdir } from 'node:fs/promises';
import t from 'tap';
import { manifestFaults } from '../../core/modules/install/manifest.js';
import { createDatabase, sql } from '../support/database.js';

const sound = {
  id: 'sound',
  version: '1.0.0',
  title: 'Sound',
  description: 'Declares all there is.',
  host: '^0.1.0',
  permissions: [],
  enabledByDefault: false,
  services: () => ({}),
  settings: Type.Object({
    key: Secret({ minLength: 8 }),
    more: Type.Object({ secret: Type.Boolean({ default: true }) }, { default: {} }),
  }),
  events: [
    { kind: 'sound', permission: 'cards.view', types: { 'sound.heard': Strict({ level: Type.Integer() }) } },
    { kind: 'sound_wave', permission: 'cards.view' },
  ],
  cardSections: [
    {
      key: 'volume',
      title: 'Volume',
      permission: 'sound.view',
      cardPermission: 'card.sound_view',
      types: ['Application'],
      schema: Type.Object({}),
      load: async () => ({}),
    },
  ],
  exportColumns: [
    { key: 'volume', title: 'Volume', permission: 'sound.view', type: 'number', sql: (card: string) => card },
  ],
  importFormats: [
    {
      id: 'sound_wav',
      title: 'Wave',
      extensions: ['.wav', '.wav.gz'],
      contentTypes: ['audio/wav', 'application/vnd.sound+xml'],
      async *parse() {
        yield* [];
      },
    },
  ],
};
const faults = (changes: object): string[] =>
  manifestFaults(defineModule({ ...sound, ...changes } as unknown as ModuleManifest));

t.test('a manifest with all members is valid', async (t) => {
  t.same(faults({}), []);
  t.same(faults({ importFormats: [{ ...sound.importFormats[0], id: 'sound' }] }), []);
});

t.test('the manifests of Lintel, which the start does not check, are valid', async (t) => {
  const folder = new URL('../../plugins/', import.meta.url);
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  t.ok(names.length > 5, 'the modules are found');
  for (const { name } of names) {
    const { default: manifest } = (await import(new URL(`${name}/index.js`, folder).href)) as {
      default: ModuleManifest;
    };
    t.same(manifestFaults(manifest), [], name);
  }
});

t.test('every fault is named', async (t) => {
  const [section, column, format] = [sound.cardSections[0]!, sound.exportColumns[0]!, sound.importFormats[0]!];
  const wrong: [object, RegExp][] = [
    [{ cardSections: [{ ...section, load: 1 }] }, /^\/cardSections: volume must have load$/],
    [{ cardSections: [{ ...section, more: 1 }] }, /^\/cardSections\/0\/more is unknown$/],
    [{ cardSections: [{ ...section, key: 'A b' }] }, /^\/cardSections\/0\/key must match/],
    [{ cardSections: [section, section] }, /^\/cardSections: volume is there twice$/],
    [{ cardSections: [{ ...section, schema: { type: 'nothing' } }] }, /^\/cardSections: volume has no JSON Schema/],
    [{ exportColumns: [{ ...column, sql: 'select 1' }] }, /^\/exportColumns: volume must have sql$/],
    [{ exportColumns: [{ ...column, type: 'money' }] }, /^\/exportColumns\/0\/type must be one of text, number/],
    [{ exportColumns: [column, column] }, /^\/exportColumns: volume is there twice$/],
    [{ importFormats: [{ ...format, parse: undefined }] }, /^\/importFormats: sound_wav must have parse$/],
    [{ importFormats: [{ ...format, id: 'csv' }] }, /^\/importFormats: csv must be sound or begin with sound_$/],
    [{ importFormats: [{ ...format, extensions: ['wav'] }] }, /^\/importFormats\/0\/extensions\/0 must match/],
    [{ importFormats: [{ ...format, contentTypes: ['*'] }] }, /^\/importFormats\/0\/contentTypes\/0 must match/],
    [{ importFormats: [format, format] }, /^\/importFormats: sound_wav is there twice$/],
    [
      { events: [{ kind: 'sound', permission: 'x', types: { 'card.deleted': Type.Object({}) } }] },
      /^\/events: the type card\.deleted must be sound\.<past participle>$/,
    ],
    [
      { events: [{ kind: 'sound', permission: 'x', types: { 'sound.heard': { type: 'nothing' } } }] },
      /^\/events: sound\.heard has no JSON Schema/,
    ],
    [{ events: [sound.events[1], sound.events[1]] }, /^\/events: the kind sound_wave is there twice$/],
    [
      { settings: Type.Object({ key: Secret(), nested: Type.Object({ key: Secret() }, { default: {} }) }) },
      /^\/settings\/nested holds a secret: only a setting itself can be one$/,
    ],
    [{ settings: Type.Object({ list: Type.Array(Secret(), { default: [] }) }) }, /^\/settings\/list holds a secret/],
    [
      { settings: Type.Object({ key: Type.Integer({ secret: true }) }) },
      /^\/settings\/key is a secret and must be a string$/,
    ],
    [
      { settings: Type.Object({ key: Type.String({ secret: true, default: 'x' }) }) },
      /^\/settings\/key is a secret and has a default/,
    ],
  ];
  for (const [changes, fault] of wrong) t.match(faults(changes), [fault], fault.source);
});

t.test('no id of a module is the beginning of the name of a table of the core', async (t) => {
  const names = await sql<{ name: string }>(
    await createDatabase(),
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S') and strpos(relname, '_') > 0`,
  );
  const own = ['adr', 'bpm', 'cmdbsync', 'diagrams', 'insightlens', 'portals', 'ppm', 'reports', 'risks', 'soaw'];
  const beginnings = new Set(
    names.flatMap(({ name }) =>
      [...name.replace(/_[a-z]+_seq$/, '_').matchAll(/_/g)].map(({ index }) => name.slice(0, index)),
    ),
  );
  for (const id of beginnings)
    if (!own.some((module) => id === module || id.startsWith(`${module}_`)))
      t.ok(
        faults({ id }).includes(`/id ${id} is a word of the core`),
        `${id}: a module with this id would have a right to tables of the core`,
      );
});
