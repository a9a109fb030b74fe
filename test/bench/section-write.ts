import { uuidv7 } from '../../core/foundation/ids.js';
import { nameKey, searchFold } from '../../core/foundation/text.js';
import type { Bench } from './bench.js';
import { makeCard } from './cards.js';
import { compare, httpLanes, sqlLanes, warmUp } from './load.js';
import type { RecordedStatement } from './record.js';
import { rateRow } from './rows.js';
import { requestBytes } from './wire.js';
import { randomNumbers } from './words.js';

const WRITERS = 32;
const CREATE_SHARE = 0.4;
const MOST_TRIPS = 3;
const TEMPLATES = 200;
/** Number of cards that each writer changes in turn. */
const CARDS_EACH = 50;

let made = 0;
const freshName = (): string => `Made in a run ${uuidv7().slice(9, 23)} ${++made}`;

/** Returns a function that gives bodies of cards to create, each with a new name. */
function bodies(): () => string {
  const random = randomNumbers(7);
  const templates = Array.from(
    { length: TEMPLATES },
    (_, n) => JSON.stringify({ ...makeCard(random, n), name: '@' }).split('"@"') as [string, string],
  );
  let n = 0;
  return () => {
    const [before, after] = templates[n++ % TEMPLATES]!;
    return `${before}"${freshName()}"${after}`;
  };
}

/** The limit: insert and commit of one row into a table with the same columns and no index. */
async function bareInsert({ connect, admin, cardRows }: Bench): Promise<() => RecordedStatement> {
  const client = await connect();
  try {
    await client.query(
      `drop table if exists bench_insert; create table bench_insert as select * from ${cardRows} limit 0`,
    );
  } finally {
    await client.end();
  }
  const text = `insert into bench_insert (id, type, subtype, name, name_key, description, path_ids, lifecycle, attributes, status, approval_status, data_quality, open_quality,
      search_name, search_text, created_by, updated_by, created_at, updated_at, version)
    values ($1, $2, $3, $4, $5, $6, '{}', $7, $8, 'ACTIVE', 'DRAFT', 50, 50, $9, $10, $11, $11, clock_timestamp(), clock_timestamp(), 1)`;
  const random = randomNumbers(7);
  const cards = Array.from({ length: TEMPLATES }, (_, n) => makeCard(random, n)).map(
    ({ type, subtype, name, description, lifecycle, attributes }) => [
      type,
      subtype,
      name,
      nameKey(name),
      description,
      JSON.stringify(lifecycle),
      JSON.stringify(attributes),
      searchFold(name),
      searchFold(`${name} ${description}`),
      admin.user.id,
    ],
  );
  let n = 0;
  return () => ({ name: 'bench-insert', text, values: [uuidv7(), ...cards[n++ % TEMPLATES]!] });
}

/** Number of statements a write waits for, including the one that reads its answer; it does not wait for pg_notify. */
const roundTrips = (statements: readonly RecordedStatement[]): number =>
  statements.filter(({ text }) => !text.includes('pg_notify')).length;

/** Many writers that each create one card per request, compared with as many that insert and commit one row. */
export async function create(bench: Bench): Promise<void> {
  const {
    service: { port },
    database,
    cpu,
    writes,
    admin,
    scale: { seconds },
    add,
    addWrite,
  } = bench;
  const type = 'Application';
  const parent = (await admin.api.post('/cards', { type, name: freshName() })).body.id;
  const [alone, below] = await bench.record(async (recorder) => [
    (await recorder.statements((api) => api.post('/cards', { type, name: freshName() }))).statements,
    (await recorder.statements((api) => api.post('/cards', { type, name: freshName(), parent_id: parent }))).statements,
  ]);
  const next = bodies();
  const insert = await bareInsert(bench);
  const bare = () => sqlLanes(database, WRITERS, insert);
  const creating = () =>
    httpLanes(port, WRITERS, 201, () => requestBytes('POST', '/api/v1/cards', admin.token, next()));
  await warmUp(await creating(), seconds / 2);
  const [side, limit] = await compare([await creating(), await bare()], seconds, cpu, writes);
  addWrite('create_card', side!);
  add(rateRow(`create a card, ${WRITERS} writers`, side!, 'bare insert + commit', limit!, CREATE_SHARE), {
    work: 'create a card: round trips to write it',
    figure: roundTrips(alone!),
    unit: '',
    target: { text: `≤ ${MOST_TRIPS}`, holds: roundTrips(alone!) <= MOST_TRIPS },
    note: `below a parent ${roundTrips(below!)}`,
  });
  const nested = await httpLanes(port, WRITERS, 201, () =>
    requestBytes('POST', '/api/v1/cards', admin.token, { type, name: freshName(), parent_id: parent }),
  );
  const [child, again] = await compare([nested, await bare()], seconds / 2, cpu, writes);
  addWrite('create_card_below_parent', child!);
  add(rateRow(`create below one parent, ${WRITERS} writers`, child!, 'bare insert + commit', again!));
}

/** Changes of cards with If-Match, compared with update and commit of one row by its key. */
export async function patch({
  service: { port },
  database,
  connect,
  cpu,
  writes,
  cardRows,
  admin,
  filled: { ids },
  scale: { seconds },
  record,
  add,
  addWrite,
}: Bench): Promise<void> {
  const client = await connect();
  let cards: { id: string; version: number }[];
  try {
    await client.query(
      `drop table if exists bench_update;
      create table bench_update as select * from ${cardRows} where type = 'Application' and id = any('{${ids.join(',')}}') limit ${WRITERS * CARDS_EACH};
      alter table bench_update add primary key (id)`,
    );
    cards = (await client.query<{ id: string; version: number }>('select id, version from bench_update')).rows;
  } finally {
    await client.end();
  }
  // Two are changed beforehand, to count the statements.
  const each = Math.floor((cards.length - 2) / WRITERS);
  const turn = Array.from({ length: WRITERS }, () => 0);
  const current = (lane: number) => cards[lane * each + (turn[lane]! % each)]!;
  const changes: [name: string, what: string, change: () => object][] = [
    ['patch_attribute', 'an attribute', () => ({ attributes: { productName: freshName() } })],
    ['patch_description', 'the description', () => ({ description: freshName() })],
  ];
  for (const [name, what, change] of changes) {
    const { statements } = await record((recorder) =>
      recorder.statements((api) => api.patch(`/cards/${cards.at(-1)!.id}`, change())),
    );
    cards.pop();
    const changing = await httpLanes(
      port,
      WRITERS,
      200,
      (lane) => {
        const { id, version } = current(lane);
        return requestBytes('PATCH', `/api/v1/cards/${id}`, admin.token, change(), { 'If-Match': `"${version}"` });
      },
      (lane, head) => {
        current(lane).version = Number(/\r\netag: "(\d+)/i.exec(head)?.[1]);
        turn[lane]!++;
      },
    );
    let n = 0;
    const text =
      'update bench_update set description = $2, updated_at = clock_timestamp(), version = version + 1 where id = $1';
    const bare = await sqlLanes(database, WRITERS, (lane) => ({
      name: 'bench-update',
      text,
      values: [cards[lane * each + (n++ % each)]!.id, freshName()],
    }));
    const [side, limit] = await compare([changing, bare], seconds, cpu, writes);
    addWrite(name, side!);
    add({
      ...rateRow(`change ${what} of a card under If-Match, ${WRITERS} writers`, side!, 'bare update + commit', limit!),
      note: `${roundTrips(statements)} round trips`,
    });
  }
}
