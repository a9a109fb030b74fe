import { readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import t from 'tap';
import { ConfigError, loadConfig } from '../../config/load.js';
import { Environment } from '../../config/schema.js';

const KEY = Buffer.alloc(32, 7);
const URL_AND_KEY = { DATABASE_URL: 'postgres://u:p@db:5432/x', LINTEL_SECRET_KEY: KEY.toString('base64') };

function problems(env: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

t.test('an empty environment is a complete configuration', async (t) => {
  t.same(loadConfig({}), {
    port: 8920,
    host: '0.0.0.0',
    dataDir: resolve('data'),
    databasePoolMax: 20,
    storageMinFreeMb: 512,
    impactGraphMaxRelations: 10_000_000,
    importRetentionDays: 90,
    environment: 'production',
    logLevel: 'info',
    accessTokenExpireMinutes: 1440,
    allowedOrigins: [],
    trustProxy: 0,
    modules: [],
    modulesInstall: true,
    outboundAllow: [],
    webhookDisableHours: 120,
    threadPoolSize: 4,
    bodyTimeoutSeconds: 30,
    largeBodies: 3,
    largeBodyWaitSeconds: 40,
    shutdownGraceSeconds: 6,
    shutdownDelaySeconds: 0,
  });
  const empty = Object.fromEntries(Object.keys(Environment.properties).map((name) => [name, '']));
  t.same(loadConfig(empty), loadConfig({}), 'empty strings count as unset');
  t.ok(isAbsolute(loadConfig({ DATA_DIR: 'x', LINTEL_PLUGINS_DIR: 'y' }).pluginsDir!));
  t.ok(isAbsolute(loadConfig({ FONT_DIR: 'z' }).fontDir!));
  t.ok(isAbsolute(loadConfig({ IMPORT_DIR: 'i' }).importDir!));
});

t.test('integers are digits within bounds', async (t) => {
  const good: [string, string, number][] = [
    ['PORT', '0', 0],
    ['PORT', '65535', 65_535],
    ['ACCESS_TOKEN_EXPIRE_MINUTES', '43200', 43_200],
    ['TRUST_PROXY', '1', 1],
  ];
  for (const [name, text, value] of good)
    t.ok(Object.values(loadConfig({ [name]: text })).includes(value), `${name}=${text}`);
  for (const text of ['65536', '-1', '+1', '1e3', '1.0', ' 80', '0x50', 'eighty', '99999999999999999999']) {
    t.match(problems({ PORT: text }), [/^PORT must be a whole number from 0 to 65535, not "/], `PORT=${text}`);
  }
  t.equal(problems({ ACCESS_TOKEN_EXPIRE_MINUTES: '0' }).length, 1);
  t.equal(problems({ SHUTDOWN_GRACE_SECONDS: '61' }).length, 1);
});

t.test('the public address has no slash at the end', async (t) => {
  for (const [given, kept] of [
    ['https://ea.example.com', 'https://ea.example.com'],
    ['HTTPS://EA.Example.com:443/', 'https://ea.example.com'],
    ['http://localhost:8920', 'http://localhost:8920'],
    ['https://example.com/lintel/', 'https://example.com/lintel'],
    ['https://example.com/tools/lintel', 'https://example.com/tools/lintel'],
  ] as const)
    t.equal(loadConfig({ PUBLIC_URL: given }).publicUrl, kept, given);
  t.equal(loadConfig({}).publicUrl, undefined);
  for (const given of [
    'ea.example.com',
    '/lintel',
    'ftp://ea.example.com',
    'https://',
    'https://user:secret@ea.example.com',
    'https://ea.example.com?',
    'https://ea.example.com/x?y=1',
    'https://ea.example.com/#top',
    'https://*.example.com',
    'https://ea.example.com/a b',
    'https://ea.example.com:99999',
    'javascript:alert(1)',
  ])
    t.match(problems({ PUBLIC_URL: given }), [/^PUBLIC_URL must be an http or https address/], given);
});

t.test('origins are kept as browsers send them', async (t) => {
  t.same(
    loadConfig({ ALLOWED_ORIGINS: ' HTTPS://EA.Example.com:443, http://localhost:3000,http://localhost:3000,' })
      .allowedOrigins,
    ['https://ea.example.com', 'http://localhost:3000'],
  );
  for (const origin of [
    '*',
    'https://*.example.com',
    'https://a.example/',
    'https://a.example/x',
    'https://a.example?x',
    'ftp://a.example',
    'a.example',
    'null',
    'https://u:p@a.example',
  ]) {
    t.match(
      problems({ ALLOWED_ORIGINS: `https://good.example,${origin}` }),
      [/^ALLOWED_ORIGINS must be origins/],
      origin,
    );
  }
});

t.test('keys are 32 bytes in hexadecimal or base64', async (t) => {
  for (const text of [KEY.toString('hex'), KEY.toString('base64'), KEY.toString('base64url')]) {
    t.equal(loadConfig({ LINTEL_SECRET_KEY: text }).secretKey, text);
  }
  for (const text of ['short', 'z'.repeat(64), KEY.toString('hex').slice(2), Buffer.alloc(33).toString('base64')]) {
    t.match(problems({ LINTEL_SECRET_KEY: text }), [/^LINTEL_SECRET_KEY must be 32 bytes/]);
  }
});

t.test('an external database requires a key that all nodes share', async (t) => {
  t.match(problems({ DATABASE_URL: URL_AND_KEY.DATABASE_URL }), [/^LINTEL_SECRET_KEY is required/]);
  t.equal(loadConfig(URL_AND_KEY).databaseUrl, URL_AND_KEY.DATABASE_URL);
  t.match(problems({ ...URL_AND_KEY, DATABASE_URL: 'mysql://db/x' }), [/^DATABASE_URL must be a URL/]);
  t.match(problems({ DATABASE_REPLICA_URL: 'postgres://replica/x' }), [/^DATABASE_REPLICA_URL needs DATABASE_URL/]);
  t.match(
    loadConfig({ ...URL_AND_KEY, DATABASE_REPLICA_URL: 'postgres://replica/x', REDIS_URL: 'rediss://:p@cache:6380/1' }),
    { databaseReplicaUrl: 'postgres://replica/x', redisUrl: 'rediss://:p@cache:6380/1' },
  );
});

t.test('modules are package names, never paths', async (t) => {
  t.same(loadConfig({ LINTEL_MODULES: '@acme/lintel-costs, other' }).modules, ['@acme/lintel-costs', 'other']);
  for (const text of ['../evil', '/etc/x', './x', '@acme/../x', 'a b', 'file:x'])
    t.equal(problems({ LINTEL_MODULES: text }).length, 1, text);
});

t.test('all faults are named at once, secrets only by name', async (t) => {
  const bad = {
    PORT: 'x',
    ENVIRONMENT: 'dev',
    DATABASE_REPLICA_URL: 'redis://hunter6',
    REDIS_URL: 'http://hunter7',
    JWT_SECRET: 'hunter1',
    METRICS_TOKEN: 'hunter 2',
    DATABASE_URL: 'http://hunter3',
    LINTEL_SECRET_KEY: 'hunter4',
    LINTEL_SECRET_KEY_PREVIOUS: 'hunter5',
  };
  const found = problems(bad);
  t.same(found.map((text) => text.split(' ')[0]).sort(), Object.keys(bad).sort());
  t.notMatch(found.join(), /hunter/);
});

t.test('docs/running.md names every variable with its default', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/running.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\| .+ \|$/gm)].map(([, name, value]) => [
    name,
    value ?? '',
  ]);
  t.same(
    rows,
    Object.entries(Environment.properties).map(([name, schema]) => [
      name,
      String((schema as { default?: unknown }).default ?? ''),
    ]),
  );
});

t.test('allowed outbound targets are hosts, addresses and ranges', async (t) => {
  const good = [
    'wiki',
    'wiki.intern:8443',
    '10.0.0.5',
    '10.0.0.5:80',
    '[fd00::5]:80',
    'fd00::5',
    '[fd00::5]',
    '10.0.0.0/8',
    'fd00::/8',
    '0.0.0.0/0',
    'Wiki.Intern',
  ];
  t.same(loadConfig({ OUTBOUND_ALLOW: good.join(' , ') }).outboundAllow, good);
  for (const bad of [
    'http://wiki',
    'wiki/',
    '*.intern',
    'wiki:0',
    'wiki:65536',
    'wiki:x',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.256',
    '0x7f.1',
    '127.1',
    '[wiki]',
    '[10.0.0.5]:80',
    'fd00::5%eth0',
    '-a',
    'a..b',
    'a b',
    '10.0.0.0/8:80',
  ]) {
    t.match(
      problems({ OUTBOUND_ALLOW: `wiki, ${bad}` }),
      [/^OUTBOUND_ALLOW must be hosts, host:port, addresses or CIDR ranges, not "/],
      bad,
    );
  }
});
