import type { Bench } from './bench.js';
import { compare, httpLanes, median, percentile, type Sample } from './load.js';
import { latencyRow } from './rows.js';
import { requestBytes, Wire } from './wire.js';
import { COMMON_WORD, MIDDLING_WORD, RARE_WORD } from './words.js';

const TARGET_MS = 25;
/** Share of the seconds of a comparison that repeated searches get; slower ones are measured by fewer requests. */
const SHARE_OF_SECONDS = 0.5;

const SEARCHES: [work: string, query: Record<string, string>][] = [
  ['search, rare word', { search: RARE_WORD }],
  ['search, middling word', { search: MIDDLING_WORD }],
  ['search, common word', { search: COMMON_WORD }],
  ['search, common word, latest first', { search: COMMON_WORD, sort_by: 'updated_at', sort_dir: 'desc' }],
  ['search, two words', { search: `${COMMON_WORD} ${MIDDLING_WORD}` }],
  ['search, part of a word', { search: MIDDLING_WORD.slice(1, -1) }],
  ['search, beginning of a common word', { search: COMMON_WORD.slice(0, 4) }],
  ['search, rare and common word', { search: `${COMMON_WORD} ${RARE_WORD}` }],
  ['search, middling word of one type', { search: MIDDLING_WORD, type: 'Application' }],
  ['search, common word by relevance', { search: COMMON_WORD, sort_by: 'relevance' }],
];
const EXACT_MS = 250;
const ATTRIBUTE_MS = 5;
const FACETS_MS = 150;
/** Other reads, each with its own target for the latency in ms. */
const OTHERS: [work: string, path: string, ms: number][] = [
  ['search, common word, exact total', `/cards?search=${COMMON_WORD}&total=exact`, EXACT_MS],
  ['filter, one value of an attribute', '/cards?type=Application&attributes.numberOfUsers=500', ATTRIBUTE_MS],
  [
    'filter, range of a number, one type',
    '/cards?type=Application&attributes.numberOfUsers%5Bgte%5D=990',
    ATTRIBUTE_MS,
  ],
  [
    'filter, range of a number, half of one type',
    '/cards?type=Application&attributes.numberOfUsers%5Bgte%5D=500',
    ATTRIBUTE_MS,
  ],
  ['filter, range of a number, all types', '/cards?attributes.numberOfUsers%5Bgte%5D=990', ATTRIBUTE_MS],
  [
    'filter, range of a date, latest first',
    '/cards?type=Initiative&attributes.endDate%5Blt%5D=2020-02-01&sort_by=updated_at&sort_dir=desc',
    ATTRIBUTE_MS,
  ],
  ['sort by a number, one type', '/cards?type=Application&sort_by=attributes.numberOfUsers', ATTRIBUTE_MS],
  [
    'sort by a cost, largest first, one type',
    '/cards?type=ITComponent&sort_by=attributes.costTotalAnnual&sort_dir=desc',
    ATTRIBUTE_MS,
  ],
  ['sort by a cost, all types', '/cards?sort_by=attributes.costTotalAnnual', ATTRIBUTE_MS],
  [
    'sort by a number, one type, page 100',
    '/cards?type=Application&sort_by=attributes.numberOfUsers&page=100',
    ATTRIBUTE_MS,
  ],
  ['facets, one type of few cards', '/cards/facets?type=Platform', FACETS_MS],
  ['facets, one type of many cards', '/cards/facets?type=Application', FACETS_MS],
];

/** Least number of samples after changes; more are taken only while time is left. */
const LEAST = 12;
/** Time within which a change gets its position in the event log. */
const SEQUENCED_MS = 30;

/**
 * Repeats one request, each time after a change of a card that may be in its result, so that rows are read again.
 * @param other sent while the change gets its position, so that processors run at the same frequency as in other figures
 */
async function afterChanges(
  { service: { port }, admin, scale: { seconds, samples } }: Bench,
  change: () => Buffer,
  other: Buffer,
  request: Buffer,
): Promise<Sample> {
  const wire = await Wire.open(port);
  try {
    const taken: number[] = [];
    const end = performance.now() + seconds * 1_000;
    for (let n = 0; n < samples && (n < LEAST || performance.now() < end); n++) {
      const { status } = await wire.send(change());
      if (status !== 200) throw new Error(`a change as ${admin.user.email} gave ${status}`);
      for (const until = performance.now() + SEQUENCED_MS; performance.now() < until; ) await wire.send(other);
      const began = performance.now();
      const reply = await wire.send(request);
      if (reply.status !== 200)
        throw new Error(`${request.toString('latin1', 0, request.indexOf('\r\n'))} gave ${reply.status}`);
      taken.push(performance.now() - began);
    }
    return {
      perSecond: Number.NaN,
      p50: median(taken),
      p99: percentile(taken, 0.99),
      node: undefined,
      postgres: undefined,
    };
  } finally {
    wire.close();
  }
}

/** Returns a function that gives requests to change one card of a type, each with another value. */
async function changesOf({ admin }: Bench, type: string): Promise<() => Buffer> {
  const { id } = (await admin.api.get(`/cards?type=${type}&page_size=1`)).body.items[0] as { id: string };
  let n = 0;
  return () => requestBytes('PATCH', `/api/v1/cards/${id}`, admin.token, { alias: `${++n} after all` });
}

/** Searches, filters and facets, each after a change and repeated, compared with the first page of all cards. */
export async function search(bench: Bench): Promise<void> {
  const {
    service: { port },
    cpu,
    admin,
    scale: { seconds },
    add,
  } = bench;
  const questions = [
    ...SEARCHES.map(([work, query]) => ({
      work,
      path: `/cards?${new URLSearchParams(query).toString()}`,
      by: 'p99' as const,
      most: TARGET_MS,
    })),
    ...OTHERS.map(([work, path, most]) => ({ work, path, by: 'p50' as const, most })),
  ];
  for (const { work, path, by, most } of questions) {
    const request = requestBytes('GET', `/api/v1${path}`, admin.token);
    const page = requestBytes('GET', '/api/v1/cards', admin.token);
    const target = { text: `≤ ${most} ms`, holds: (ms: number) => ms <= most };
    const changed = await afterChanges(
      bench,
      await changesOf(bench, /type=(\w+)/.exec(path)?.[1] ?? 'Application'),
      page,
      request,
    );
    const [again, first] = await compare(
      [await httpLanes(port, 1, 200, () => request), await httpLanes(port, 1, 200, () => page)],
      seconds * SHARE_OF_SECONDS,
      cpu,
    );
    add(
      latencyRow(work, changed, by, 'page 1', first!, target),
      latencyRow('  again, nothing changed since', again!, by, 'page 1', first!, target),
    );
  }
}
