import { defaultCardTypes } from '../../config/metamodel/index.js';
import {
  cardPage,
  fullStatement,
  ROWS_BY_ID,
  type CardListQuery,
} from '../../core/inventory/cards/list/page-repository.js';
import { visibilityOf } from '../../core/inventory/access/index.js';
import { systemContext } from '../../core/foundation/context.js';
import { named } from '../../core/foundation/db/list-query.js';
import { CardType, Metamodel } from '../../core/inventory/metamodel/index.js';
import { NOTHING_KNOWN } from '../support/list-knowledge.js';
import type { Bench } from './bench.js';
import { compare, httpLanes, sqlLanes, warmUp, type Lane } from './load.js';
import type { RecordedStatement } from './record.js';
import { cpuRow, latencyRow, rateRow } from './rows.js';
import { requestBytes } from './wire.js';

/** Number of concurrent requests, and of connections for the bare SQL. */
const AT_ONCE = 16;
/** Target: least share of the rate of the same SQL sent directly. */
const LIST_SHARE = 0.8;
const LIST_MICROS = 1_000;
const VIEWER_COST = 1.2;
const DEEP_MS = 25;
const CURSOR_MULTIPLE = 1.5;
const GET_SHARE = 0.5;
const PAGE_SIZE = 50;

const HEALTH = requestBytes('GET', '/api/health');

interface List {
  work: string;
  path: string;
  /** The statement that the service sends if the rows are cached: it reads their ids and versions. */
  statement: RecordedStatement;
  /** The same list with all columns, as without a row cache: the limit with which lists are compared. */
  whole: RecordedStatement;
}

const path = (query: Record<string, string>): string => {
  const text = new URLSearchParams(query).toString();
  return `/api/v1/cards${text && `?${text}`}`;
};

const METAMODEL = new Metamodel(
  'bench',
  defaultCardTypes.map((type) => new CardType(type, 1, '')),
  [],
);

function wholeStatement(query: Record<string, string>): RecordedStatement {
  const parsed: CardListQuery = {
    ...query,
    ...(query['page'] !== undefined && { page: Number(query['page']) }),
  } as CardListQuery;
  const reader = {
    metamodel: METAMODEL,
    visibility: visibilityOf(systemContext('bench'), METAMODEL),
    today: new Date().toISOString().slice(0, 10),
  };
  const page = cardPage(parsed, reader, NOTHING_KNOWN);
  // The service names a statement from the second call on.
  named(fullStatement(page));
  return { ...named(fullStatement(page)), values: page.bindings.values };
}

/** The lists, each with the SQL that the service sends for it. */
async function recordLists({ record, filled }: Bench): Promise<{ lists: List[]; deep: List; cursor: List }> {
  return await record(async (recorder) => {
    const list = async (work: string, query: Record<string, string>): Promise<List & { next: string | null }> => {
      const { answer, statements } = await recorder.statements((api) => api.get(path(query)));
      if (answer.status !== 200 || statements.length === 0)
        throw new Error(`${path(query)} gave ${answer.status} with ${statements.length} statements`);
      return {
        work,
        path: path(query),
        statement: statements.at(-1)!,
        whole: wholeStatement(query),
        next: answer.body.next_cursor,
      };
    };
    const last = Math.floor(filled.active / PAGE_SIZE) - 1;
    const hundred = await list('list, page 100', { page: String(Math.min(100, last)) });
    const deep = await list(`list, page ${last} by number`, { page: String(last) });
    const cursor = (of: { next: string | null }, work: string) => list(work, { cursor: of.next ?? '' });
    return {
      lists: [
        await list('list, page 1', {}),
        await list('list, one type by name', { type: 'Application', sort_by: 'name' }),
        await list('list by updated_at, latest first', { sort_by: 'updated_at', sort_dir: 'desc' }),
        hundred,
        await cursor(hundred, 'list, cursor after page 100'),
      ],
      deep,
      cursor: await cursor(deep, `list, cursor after page ${last}`),
    };
  });
}

/** Lists over HTTP with token and permissions, compared with the same SQL sent directly, and with an answer from memory. */
export async function list(bench: Bench): Promise<void> {
  const {
    service: { port },
    database,
    cpu,
    admin,
    viewer,
    scale: { seconds },
    add,
  } = bench;
  const { lists, deep, cursor } = await recordLists(bench);
  const request = (of: List, token = admin.token) => requestBytes('GET', of.path, token);
  const lanes = (bytes: Buffer, count = AT_ONCE) => httpLanes(port, count, 200, () => bytes);
  await warmUp(await lanes(request(lists[0]!)), seconds);
  for (const of of lists) {
    const sides = [
      await lanes(request(of)),
      await sqlLanes(database, AT_ONCE, () => of.statement),
      await sqlLanes(database, AT_ONCE, () => of.whole),
    ];
    const [side, keysOnly, bare] = await compare(sides, seconds, cpu);
    add(rateRow(of.work, side!, 'its SQL, full rows', bare!, LIST_SHARE));
    add({
      ...rateRow('  the SQL it sends, driven bare', keysOnly!, 'its SQL, full rows', bare!),
      note: 'ids, row versions, related names; rows are in memory',
    });
    if (of === lists[0]) add(...cpuRow('list, page 1: CPU of service and database', side!, bare!, LIST_MICROS));
  }
  const first = lists[0]!;
  const [page, health] = await compare([await lanes(request(first)), await lanes(HEALTH)], seconds, cpu);
  add(rateRow('list, page 1', page!, '/api/health', health!));
  const typed = lists[1]!;
  const [asViewer, asAdmin] = await compare(
    [await lanes(request(typed, viewer.token)), await lanes(request(typed))],
    seconds,
    cpu,
  );
  add(
    rateRow(
      'list, one type, as a viewer who sees no costs',
      asViewer!,
      "admin's",
      asAdmin!,
      Number((1 / VIEWER_COST).toFixed(2)),
    ),
  );
  const alone: Lane[][] = await Promise.all([deep, cursor, first].map((of) => lanes(request(of), 1)));
  const [byNumber, byCursor, pageOne] = await compare(alone, seconds / 2, cpu);
  add(
    latencyRow(deep.work, byNumber!, 'p50', 'page 1', pageOne!, {
      text: `≤ ${DEEP_MS} ms`,
      holds: (ms) => ms <= DEEP_MS,
    }),
    latencyRow(cursor.work, byCursor!, 'p50', 'page 1', pageOne!, {
      text: `≤ ${CURSOR_MULTIPLE} ×`,
      holds: (_ms, ratio) => ratio <= CURSOR_MULTIPLE,
    }),
  );
}

/** One of many cards at a time, compared with an answer from memory and with its own SQL. */
export async function get({
  service: { port },
  database,
  cpu,
  admin,
  filled: { ids },
  scale: { seconds },
  add,
}: Bench): Promise<void> {
  const sample = ids.slice(0, 1_000);
  const requests = sample.map((id) => requestBytes('GET', `/api/v1/cards/${id}`, admin.token));
  const bare = sample.map((id): RecordedStatement => ({ ...ROWS_BY_ID, values: [[id]] }));
  let n = 0;
  const cards = () => httpLanes(port, AT_ONCE, 200, () => requests[n++ % requests.length]!);
  await warmUp(await cards(), seconds / 2);
  const [card, health] = await compare(
    [await cards(), await httpLanes(port, AT_ONCE, 200, () => HEALTH)],
    seconds,
    cpu,
  );
  add(rateRow('get a card', card!, '/api/health', health!, GET_SHARE));
  const [again, sql] = await compare(
    [await cards(), await sqlLanes(database, AT_ONCE, () => bare[n++ % bare.length]!)],
    seconds,
    cpu,
  );
  add(rateRow('get a card', again!, 'its SQL, one each', sql!));
}
