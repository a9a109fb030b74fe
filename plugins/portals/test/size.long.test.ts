/** A portal over 100,000 cards. The times are printed, not asserted. */
import t from 'tap';
import { registerAdmin, sql, testApp } from '../../../test/support/app.js';
import { createPortal, visit } from './support.js';

const CARDS = 100_000;
const RUNS = 60;
const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
await sql(
  database,
  `with made as (
     insert into cards (id, type, subtype, name, name_key, description, path_ids, status, approval_status, search_name, search_text, created_at)
     select uuidv7(), 'Application', (array['businessApplication', 'microservice', 'aiAgent'])[1 + n % 3], name, lower(name),
       'Serves the people who work with ' || name || ': what they need every day, in one place, with the data of the whole company.',
       '{}', 'ACTIVE', (array['DRAFT', 'APPROVED'])[1 + n % 2], lower(name), lower(name), now()
     from (select n, 'Application ' || md5(n::text) as name from generate_series(1, ${CARDS}) n) named
     returning id, type, status, name_key)
   insert into card_contents (id, type, status, name_key, attributes, lifecycle, data_quality, open_quality, updated_at, version)
   select id, type, status, name_key, jsonb_build_object('businessCriticality',
       (array['missionCritical', 'businessCritical', 'businessOperational', 'administrative'])[1 + (hashtext(name_key) & 3)],
       'costTotalAnnual', hashtext(name_key) & 65535, 'hostingType', 'onPremise'), '{"active": "2020-01-01"}', 50, 50, now(), 1 from made`,
);
await sql(database, 'vacuum analyze cards, card_contents');

const FIELDS = [
  'description',
  'subtype',
  'lifecycle_phase',
  'attributes.businessCriticality',
  'attributes.hostingType',
];
await createPortal(admin, {
  slug: 'apps',
  fields: FIELDS,
  visitor_filters: FIELDS.slice(1),
  search_fields: ['name', 'description'],
  is_published: true,
});
await createPortal(admin, {
  slug: 'approved',
  fields: FIELDS,
  filters: { approval_status: 'APPROVED' },
  is_published: true,
});

const KINDS: [name: string, path: (run: number) => string][] = [
  ['first page', (run) => `apps/cards?page_size=${20 + (run % 60)}`],
  ['first page, approved only', (run) => `approved/cards?page_size=${20 + (run % 60)}`],
  ['100 cards, page by page', (run) => `apps/cards?page_size=100&page=${run + 2}`],
  ['page 2,000 and later', (run) => `apps/cards?page=${2_000 + run}`],
  ['without the total', (run) => `apps/cards?total=none&page=${run + 1}`],
  ['an option', (run) => `apps/cards?attributes.businessCriticality=missionCritical&page=${run + 1}`],
  [
    'two options',
    (run) => `apps/cards?attributes.businessCriticality=missionCritical&subtype=microservice&page=${run + 1}`,
  ],
  ['a word of many', (run) => `apps/cards?search=people&page=${run + 1}`],
  ['a word of few', (run) => `apps/cards?search=${(4_096 + run * 37).toString(16)}a`],
  ['by an attribute', (run) => `apps/cards?sort_by=attributes.businessCriticality&page=${run + 1}`],
  ['the page, HTML', (run) => `apps/page?page=${run + 1}`],
  ['the same first page', () => 'apps/cards'],
  ['the same page, HTML', () => 'apps/page'],
];
const at = (times: number[], share: number): string =>
  times.sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(0);

for (const [name, path] of KINDS)
  t.test(name, async (t) => {
    const times: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const began = performance.now();
      const { status, text } = await visit(origin, path(run));
      times.push(performance.now() - began);
      if (status !== 200) t.fail(text);
    }
    t.pass();
    t.comment(`${name}: median ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms`);
  });

t.test('one card', async (t) => {
  const { json } = await visit(origin, 'apps/cards?page_size=100');
  const times: number[] = [];
  for (const { id } of json.items) {
    const began = performance.now();
    t.equal((await visit(origin, `apps/cards/${id}`)).status, 200);
    times.push(performance.now() - began);
  }
  t.match(json, { total: 10_000, total_relation: 'gte' });
  t.comment(`one card: median ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms`);
});
