import type { Bench } from './bench.js';
import { compare, httpLanes } from './load.js';
import { latencyRow } from './rows.js';
import { requestBytes } from './wire.js';
import { COMMON_WORD, MIDDLING_WORD, RARE_WORD } from './words.js';

const TARGET_MS = 25;
/** A search must not take longer than this to be repeated: what is slower is measured by fewer requests. */
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
/** Reads beside the search that have a latency of their own to keep. */
const OTHERS: [work: string, path: string, ms: number][] = [
  ['search, common word, exact total', `/cards?search=${COMMON_WORD}&total=exact`, EXACT_MS],
  ['filter, one value of an attribute', '/cards?type=Application&attributes.numberOfUsers=500', ATTRIBUTE_MS],
  ['filter, range of a number, one type', '/cards?type=Application&attributes.numberOfUsers%5Bgte%5D=990', ATTRIBUTE_MS],
  ['filter, range of a number, half of one type', '/cards?type=Application&attributes.numberOfUsers%5Bgte%5D=500', ATTRIBUTE_MS],
  ['filter, range of a number, all types', '/cards?attributes.numberOfUsers%5Bgte%5D=990', ATTRIBUTE_MS],
  ['filter, range of a date, latest first', '/cards?type=Initiative&attributes.endDate%5Blt%5D=2020-02-01&sort_by=updated_at&sort_dir=desc', ATTRIBUTE_MS],
  ['sort by a number, one type', '/cards?type=Application&sort_by=attributes.numberOfUsers', ATTRIBUTE_MS],
  ['sort by a cost, largest first, one type', '/cards?type=ITComponent&sort_by=attributes.costTotalAnnual&sort_dir=desc', ATTRIBUTE_MS],
  ['sort by a cost, all types', '/cards?sort_by=attributes.costTotalAnnual', ATTRIBUTE_MS],
  ['sort by a number, one type, page 100', '/cards?type=Application&sort_by=attributes.numberOfUsers&page=100', ATTRIBUTE_MS],
  ['facets, one type of few cards', '/cards/facets?type=Platform', FACETS_MS],
  ['facets, one type of many cards', '/cards/facets?type=Application', FACETS_MS],
];

/** Full-text searches one after the other, against the first page of all cards. */
export async function search({ service: { port }, cpu, admin, scale: { seconds }, add }: Bench): Promise<void> {
  for (const [work, query] of SEARCHES) {
    const request = requestBytes('GET', `/api/v1/cards?${new URLSearchParams(query).toString()}`, admin.token);
    const page = requestBytes('GET', '/api/v1/cards', admin.token);
    const [side, first] = await compare([await httpLanes(port, 1, 200, () => request), await httpLanes(port, 1, 200, () => page)], seconds * SHARE_OF_SECONDS, cpu);
    add(latencyRow(work, side!, 'p99', 'page 1', first!, { text: `≤ ${TARGET_MS} ms`, holds: (ms) => ms <= TARGET_MS }));
  }
  for (const [work, path, ms] of OTHERS) {
    const request = requestBytes('GET', `/api/v1${path}`, admin.token);
    const page = requestBytes('GET', '/api/v1/cards', admin.token);
    const [side, first] = await compare([await httpLanes(port, 1, 200, () => request), await httpLanes(port, 1, 200, () => page)], seconds * SHARE_OF_SECONDS, cpu);
    add(latencyRow(work, side!, 'p50', 'page 1', first!, { text: `≤ ${ms} ms`, holds: (p50) => p50 <= ms }));
  }
}
