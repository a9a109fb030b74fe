/**
 * The migrations that rewrite cards and versions, on a filled database: cut off in the middle again and again, they leave
 * the state before or after each of them, and in the end the same as without a cut.
 *
 * MIGRATED_CARDS is the number of cards, MIGRATION_CUTS that of the cuts of each migration. A million cards take longer
 * than the runner allows a file: `TAP_TIMEOUT=0 MIGRATED_CARDS=1000000 node dist/test/core/migration-crash.long.test.js`.
 */
import pg from 'pg';
import t from 'tap';
import { sql, until } from '../support/app.js';
import { ownCluster } from '../support/cluster.js';
import { urlOf, withDatabase } from '../support/database.js';
import { fillInventory } from '../support/filled-inventory.js';
import { checkHistories, keepSample } from '../support/kept-versions.js';
import { appliedMigrations, checksum, checksums, migrateTo, schemaOf } from '../support/schema-state.js';
import { dataFolder, launchService, type Exit, type RunningService } from '../support/service.js';

const CARDS = Number(process.env['MIGRATED_CARDS'] ?? 100_000);
const BEFORE = '0026_open_quality';
/** The migrations that are cut off, each by a part of its first statement. */
const STATEMENTS: Record<string, string> = {
  '0027_version_changes': 'create table card_deletions',
  '0028_card_contents': 'create table card_contents',
};
const CUTS_EACH = Number(process.env['MIGRATION_CUTS'] ?? 5);
/** The latest cut, as a share of the log a migration writes; the rest is for what the log may vary by. */
const LATEST = 0.95;
const BACK_MS = 120_000;
const MIGRATED_MS = 600_000;
const TABLES = [
  'card_contents',
  'card_deletions',
  'card_versions',
  'cards',
  'relation_deletions',
  'relation_versions',
  'relations',
];
/** Without the scores: a later migration lets a job compute them. */
const CARD_COLUMNS = `id, type, subtype, name, name_key, description, parent_id, path_ids, lifecycle, attributes, status, approval_status, external_id, alias, search_name, search_text, created_by, updated_by, edited_by, archived_at, created_at, updated_at, version`;

interface State {
  schema: string[];
  rows: Record<string, string>;
}

const cluster = await ownCluster(['-c', 'autovacuum=off']);
const folder = await dataFolder();
let service: RunningService | undefined;
t.teardown(async () => {
  await service?.kill9();
  await cluster.remove();
  await folder.remove();
});
const maintenance = withDatabase(cluster.connection, 'postgres');
const database = withDatabase(cluster.connection, 'filled');
const whole = withDatabase(cluster.connection, 'whole');

const seconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`;
const stateOf = async (of: typeof database): Promise<State> => ({
  schema: await schemaOf(of),
  rows: await checksums(of, TABLES),
});
const pending = async (name: string): Promise<boolean> => !(await appliedMigrations(database)).includes(name);

/** Position of the log, in bytes. */
async function logPosition(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ at: string }>(`select pg_current_wal_insert_lsn() - '0/0' as at`);
  return Number(rows[0]!.at);
}

async function megabytes(of: typeof database): Promise<number> {
  const [row] = await sql<{ n: number }>(of, 'select (pg_database_size(current_database()) / 1048576)::int as n');
  return row!.n;
}

/** Runs `work` and watches the size of a database meanwhile. @returns its largest size in MB */
async function largestSize(of: typeof database, work: () => Promise<void>): Promise<number> {
  let [largest, isOver] = [0, false];
  const working = work().finally(() => {
    isOver = true;
  });
  // It may fail while the size is read; the error is thrown below.
  working.catch(() => undefined);
  while (!isOver) {
    largest = Math.max(largest, await megabytes(of));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await working;
  return largest;
}

async function connected<T>(to: typeof database, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...to });
  // A cut of the database ends it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const start = (): RunningService =>
  (service = launchService({
    dataDir: folder.path,
    env: { DATABASE_URL: urlOf(database), LINTEL_SECRET_KEY: Buffer.alloc(32, 'crash').toString('base64') },
  }));

/** Waits until a migration has written this share of its log. @returns the process id of its backend */
async function reached(name: string, bytes: number): Promise<number> {
  return await connected(database, async (client) => {
    const pid = await until(async () => {
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'lintel-migrate' and state = 'active' and query like '%' || $1 || '%'`,
        [STATEMENTS[name]!],
      );
      return rows[0]?.pid;
    }, MIGRATED_MS);
    const from = await logPosition(client);
    await until(async () => (await logPosition(client)) - from >= bytes, MIGRATED_MS);
    return pid;
  });
}

/** Waits until the database answers and no session of a migration is left. */
async function quiet(): Promise<void> {
  await until(
    async () =>
      await sql<{ n: number }>(
        database,
        `select count(*)::int as n from pg_stat_activity where application_name = 'lintel-migrate'`,
      ).then(
        ([row]) => row!.n === 0,
        () => false,
      ),
    BACK_MS,
  );
}

/** The ways to cut off a migration, in turn. The service is killed each time, because it would repeat the migration. */
const CUTS: [by: string, cut: (backend: number) => Promise<unknown>][] = [
  ['a kill of the service', () => service!.kill9()],
  [
    'a kill of its backend',
    async (backend) => {
      process.kill(backend, 'SIGKILL');
      await service!.kill9();
    },
  ],
  [
    'a crash of the cluster',
    async () => {
      await cluster.crash();
      await service!.kill9();
      await cluster.restart();
    },
  ],
];

t.test(`${CARDS} cards are migrated, whatever cuts off the migrations`, async (t) => {
  let began = performance.now();
  await sql(maintenance, 'create database filled');
  await migrateTo(database, BEFORE);
  await connected(database, (client) => fillInventory(client, CARDS));
  await keepSample(database);
  const source = {
    cards: await checksum(database, `select ${CARD_COLUMNS} from cards`),
    relations: await checksum(database, 'table relations'),
    versions: await checksum(database, 'select id, version, valid_from, change_id from card_versions'),
    relationVersions: await checksum(database, 'select id, version, valid_from, change_id from relation_versions'),
  };
  t.comment(`filled in ${seconds(began)}: ${await megabytes(database)} MB; ${JSON.stringify(source)}`);

  // The same migrations without a cut, on a copy: the states between them, and how much log each writes.
  await sql(maintenance, 'create database whole template filled strategy file_copy');
  const states = new Map([[BEFORE, await stateOf(whole)]]);
  const log: Record<string, number> = {};
  for (const name of Object.keys(STATEMENTS)) {
    began = performance.now();
    const largest = await largestSize(whole, () =>
      connected(whole, async (client) => {
        const from = await logPosition(client);
        t.strictSame(await migrateTo(whole, name), [name]);
        log[name] = (await logPosition(client)) - from;
      }),
    );
    t.comment(
      `${name}: ${seconds(began)}, ${(log[name]! / 1_048_576).toFixed(0)} MB of log, at most ${largest} MB on disk, ${await megabytes(whole)} MB afterwards`,
    );
    states.set(name, await stateOf(whole));
  }

  for (const [i, name] of Object.keys(STATEMENTS).entries()) {
    const previous = Object.keys(STATEMENTS)[i - 1] ?? BEFORE;
    for (let round = 0; round < CUTS_EACH; round++) {
      const share = (LATEST * (round + Math.random())) / CUTS_EACH;
      const [by, cut] = CUTS[(i * CUTS_EACH + round) % CUTS.length]!;
      start();
      began = performance.now();
      const backend = await reached(name, share * log[name]!);
      const ran = seconds(began);
      await cut(backend);
      began = performance.now();
      await quiet();
      t.ok(await pending(name), `${name} is pending after ${by}`);
      t.strictSame(await stateOf(database), states.get(previous), `the state is that of ${previous}`);
      t.comment(
        `${name}, ${(share * 100).toFixed(0)} % of its log, ${ran} after the start: ${by}; back and compared in ${seconds(began)}`,
      );
    }
  }

  const last = start();
  began = performance.now();
  let exit: Exit | undefined;
  void last.exited.then((ended) => {
    exit = ended;
  });
  await until(() => exit ?? /"readyMs"/.test(last.output()), MIGRATED_MS);
  t.equal(exit, undefined, 'the last start is not cut off and becomes ready');
  t.comment(`ready after ${seconds(began)}`);
  t.equal((await last.stop()).code, 0);
  t.notOk(await pending('0028_card_contents'), 'both migrations are applied');
  const withoutScores = ({ rows: { card_contents: _scored, ...rows } }: State): Record<string, string> => rows;
  t.strictSame(
    withoutScores(await stateOf(database)),
    withoutScores(states.get('0028_card_contents')!),
    'the rows are the same as without a cut',
  );
  t.strictSame(
    {
      cards: await checksum(database, `select ${CARD_COLUMNS} from card_rows`),
      relations: await checksum(database, 'table relations'),
      versions: await checksum(database, 'select id, version, at, change_id from card_versions'),
      relationVersions: await checksum(database, 'select id, version, at, change_id from relation_versions'),
    },
    source,
    'cards, relations and versions are those from before',
  );
  await checkHistories(t, database);
});
