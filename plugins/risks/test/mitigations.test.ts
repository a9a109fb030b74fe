import t from 'tap';
import { makeUser, registerAdmin, testApp, until, type AnyBody } from '../../../test/support/app.js';
import { nextDate } from '../mitigations/recurrence.js';
import type { OccurrenceView } from '../mitigations/resource.js';
import type { RiskView } from '../register/schemas.js';

interface Mitigation {
  id: string;
  version: number;
  status: string;
  due_date: string | null;
  series_start: string | null;
  is_overdue: boolean;
  owner: { display_name: string } | null;
  open_occurrence: { id: string; number: number; due_date: string | null } | null;
  recurrence: string;
}
interface Occurrences {
  items: OccurrenceView[];
  total: number;
}

const { origin, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const [viewer, member] = [await makeUser(admin, 'viewer'), await makeUser(admin, 'member')];
const NOWHERE = '0198c2f4-7d3e-7a51-8b0a-4f1f5a1d2c3b';
const risk = (await member.api.post<RiskView>('/risks', { title: 'A risk', category: 'operational' })).body.id;
const other = (await member.api.post<RiskView>('/risks', { title: 'Another', category: 'operational' })).body.id;
const at = `/risks/${risk}/mitigations`;
const fields = (body: unknown) => (body as AnyBody).errors.map((e) => e.field).sort();
const create = async (body: object = {}) => {
  const answer = await member.api.post<Mitigation>(at, { title: 'Test the restore', ...body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const complete = (m: Mitigation, body: unknown = {}, occurrence = m.open_occurrence!.id, headers = {}) =>
  member.api.post<Mitigation>(`${at}/${m.id}/occurrences/${occurrence}/complete`, body, { headers });
const occurrences = async (id: string) =>
  (await viewer.api.get<Occurrences>(`${at}/${id}/occurrences`)).body.items.map((o) => [
    o.number,
    o.due_date,
    o.status,
  ]);

t.test('dates of a series', async (t) => {
  const series = (...[frequency, interval, start, count]: [Parameters<typeof nextDate>[0], number, string, number]) => {
    const dates = [start];
    while (dates.length < count) dates.push(nextDate(frequency, interval, start, dates.at(-1)!) ?? 'over');
    return dates;
  };
  t.strictSame(series('weekly', 2, '2026-02-20', 3), ['2026-02-20', '2026-03-06', '2026-03-20']);
  t.strictSame(series('monthly', 1, '2026-01-31', 4), ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']);
  t.strictSame(series('monthly', 13, '2023-01-30', 2), ['2023-01-30', '2024-02-29']);
  t.strictSame(series('quarterly', 1, '2025-11-30', 3), ['2025-11-30', '2026-02-28', '2026-05-30']);
  t.strictSame(series('yearly', 1, '2024-02-29', 5), [
    '2024-02-29',
    '2025-02-28',
    '2026-02-28',
    '2027-02-28',
    '2028-02-29',
  ]);
  t.strictSame(series('none', 1, '2026-01-01', 2), ['2026-01-01', 'over']);
  t.strictSame(
    [
      series('yearly', 1, '9999-01-01', 2)[1],
      series('weekly', 1, '9999-12-30', 2)[1],
      series('monthly', 100, '9999-12-31', 2)[1],
    ],
    ['over', 'over', 'over'],
  );
});

t.test('a mitigation is planned, read, changed and deleted', async (t) => {
  const body = { title: ' Patch it ', description: null, owner_id: viewer.user.id, due_date: '2020-05-31' };
  const made = await member.api.post<Mitigation>(at, body);
  t.match(made, {
    status: 201,
    body: {
      risk_id: risk,
      title: 'Patch it',
      status: 'planned',
      recurrence: 'none',
      recurrence_interval: 1,
      due_date: '2020-05-31',
      is_overdue: true,
      owner: { display_name: viewer.user.display_name },
      open_occurrence: { number: 1, due_date: '2020-05-31' },
      version: 1,
    },
  });
  const path = `${at}/${made.body.id}`;
  t.equal(made.headers.get('location'), `/api/v1${path}`);
  t.strictSame((await viewer.api.get(path)).body, made.body);
  t.match((await viewer.api.get(`/risks/${risk}`)).body, {
    mitigations: { total: 1, open: 1, overdue: 1 },
    version: 1,
  });
  t.match(await member.api.patch(path, { title: 'x' }, { headers: { 'if-match': '"7"' } }), {
    status: 412,
    body: { current_version: 1, changed_fields: ['title'] },
  });
  const moved = await member.api.patch<Mitigation>(
    path,
    { due_date: '2999-01-31' },
    { headers: { 'if-match': made.headers.get('etag')! } },
  );
  t.match(moved.body, {
    version: 2,
    due_date: '2999-01-31',
    is_overdue: false,
    open_occurrence: { id: made.body.open_occurrence!.id, due_date: '2999-01-31' },
  });
  t.match(
    (
      await viewer.api.get(at, {
        query: {
          search: 'PATCH',
          status: 'planned,done',
          owner_id: viewer.user.id,
          due_date_from: '2999-01-31',
          due_date_to: '2999-01-31',
          sort_by: 'due_date',
        },
      })
    ).body,
    { total: 1 },
  );
  t.match((await viewer.api.get(at, { query: { status: 'cancelled' } })).body, { total: 0 });
  for (const answer of [
    await viewer.api.get(`/risks/${other}/mitigations/${made.body.id}`),
    await member.api.patch(`/risks/${other}/mitigations/${made.body.id}`, { title: 'x' }),
    await viewer.api.get(`/risks/${NOWHERE}/mitigations`),
    await member.api.post(`/risks/${NOWHERE}/mitigations`, { title: 'x' }),
    await viewer.api.get(`/risks/${other}/mitigations/${made.body.id}/occurrences`),
    await member.api.del(`/risks/${other}/mitigations/${made.body.id}`),
  ])
    t.equal(answer.status, 404);
  t.match(await viewer.api.patch(path, { title: 'x' }), { status: 403, body: { required_permission: 'risks.manage' } });
  const history = await until(async () => {
    const { body } = await viewer.api.get(`${path}/history`);
    return body.total === 2 && body.items;
  }, 2_000);
  t.strictSame(
    history.map((e) => e['type']),
    ['risks_mitigation.updated', 'risks_mitigation.created'],
  );
  t.equal((await member.api.del(path)).status, 204);
  t.equal((await viewer.api.get(path)).status, 404);
});

t.test('completing an occurrence begins the next', async (t) => {
  const made = await create({ due_date: '2026-01-31', recurrence: 'monthly' });
  const second = (await complete(made, { comment: 'Went well' })).body;
  t.match(second, {
    status: 'in_progress',
    due_date: '2026-02-28',
    open_occurrence: { number: 2, due_date: '2026-02-28' },
    version: 2,
  });
  const third = (await complete(second, { outcome: 'skipped' })).body;
  t.match(third, { due_date: '2026-03-31', open_occurrence: { number: 3 } });
  t.strictSame(await occurrences(made.id), [
    [1, '2026-01-31', 'done'],
    [2, '2026-02-28', 'skipped'],
    [3, '2026-03-31', 'open'],
  ]);
  const first = (await viewer.api.get<Occurrences>(`${at}/${made.id}/occurrences`, { query: { status: 'done' } })).body
    .items[0]!;
  t.match(first, { comment: 'Went well', ended_by: member.user.id });
  t.match(await complete(third, {}, made.open_occurrence!.id), {
    status: 409,
    body: { code: 'invalid_state', state: 'done' },
  });
  t.equal((await complete(third, {}, NOWHERE)).status, 404);
  t.equal((await complete(third, {}, third.open_occurrence!.id, { 'if-match': '"1"' })).status, 412);
  const told = (await admin.api.get('/events', { query: { type: 'risks_mitigation.occurrence_ended' } })).body.items;
  t.equal(told.length, 2);
  t.match(told[0], {
    data: { risk_id: risk, outcome: 'skipped', number: 2, next: { number: 3, due_date: '2026-03-31' } },
  });
  const postponed = (await member.api.patch<Mitigation>(`${at}/${made.id}`, { due_date: '2026-04-15' })).body;
  t.match(
    (await complete(postponed, null)).body,
    { due_date: '2026-05-15' },
    'the series is counted from the new date',
  );
});

t.test('a series ends, and what is done once is done', async (t) => {
  const series = await create({ due_date: '2026-01-10', recurrence: 'weekly', ends_on: '2026-01-20' });
  const last = (await complete(series)).body;
  t.match((await complete(last)).body, { status: 'done', due_date: '2026-01-17', open_occurrence: null });
  const [once, skipped] = [await create(), await create()];
  t.match((await complete(once)).body, { status: 'done', open_occurrence: null, version: 2 });
  t.match((await complete(skipped, { outcome: 'skipped' })).body, { status: 'cancelled' });
  const again = (await member.api.patch<Mitigation>(`${at}/${once.id}`, { status: 'planned', due_date: '2026-02-01' }))
    .body;
  t.match(again, { open_occurrence: { number: 2, due_date: '2026-02-01' } });
  t.match((await member.api.patch<Mitigation>(`${at}/${once.id}`, { status: 'cancelled' })).body, {
    open_occurrence: null,
  });
  t.strictSame(await occurrences(once.id), [
    [1, null, 'done'],
    [2, '2026-02-01', 'cancelled'],
  ]);
});

t.test('of many concurrent completions one succeeds', async (t) => {
  const made = await create({ due_date: '2026-01-10', recurrence: 'weekly' });
  const answers = await Promise.all(Array.from({ length: 8 }, () => complete(made)));
  t.equal(answers.filter((a) => a.status === 200).length, 1);
  t.equal(answers.filter((a) => a.status === 409).length, 7);
  t.strictSame(await occurrences(made.id), [
    [1, '2026-01-10', 'done'],
    [2, '2026-01-17', 'open'],
  ]);
  const once = await Promise.all(
    Array.from({ length: 4 }, () => complete(made, {}, undefined, { 'idempotency-key': 'again' })),
  );
  for (const { status } of once) t.equal(status, 409);
});

t.test('every fault is named', async (t) => {
  const wrong = await member.api.post(at, {
    title: '',
    description: 1,
    owner_id: 'x',
    due_date: 'x',
    recurrence: 'daily',
    recurrence_interval: 0,
    ends_on: 1,
    status: 'open',
    risk_id: other,
    series_start: '2026-01-01',
  });
  t.strictSame(fields(wrong.body), [
    '/description',
    '/due_date',
    '/ends_on',
    '/owner_id',
    '/recurrence',
    '/recurrence_interval',
    '/risk_id',
    '/series_start',
    '/status',
    '/title',
  ]);
  t.strictSame(fields((await member.api.post(at, { title: 'x', recurrence: 'weekly' })).body), ['/due_date']);
  t.strictSame(fields((await member.api.post(at, { title: 'x', ends_on: '2026-01-01' })).body), ['/ends_on']);
  t.strictSame(
    fields(
      (await member.api.post(at, { title: 'x', recurrence: 'weekly', due_date: '2026-01-02', ends_on: '2026-01-01' }))
        .body,
    ),
    ['/ends_on'],
  );
  t.strictSame(fields((await member.api.post(at, { title: 'x', owner_id: NOWHERE })).body), ['/owner_id']);
  const { id } = await create();
  for (const body of [
    { recurrence_interval: 1e300 },
    { recurrence_interval: 1.5 },
    { recurrence_interval: 101 },
    { title: 'a\0' },
    { title: '\udfff' },
    { due_date: '0000-00-00' },
    { recurrence: 'yearly' },
    { owner_id: NOWHERE },
    { title: null },
    {},
  ]) {
    t.equal((await member.api.patch(`${at}/${id}`, body)).status, 422, JSON.stringify(body));
  }
  t.strictSame(fields((await viewer.api.get(at, { query: { status: 'open', sort_by: 'x', nothing: 1 } })).body), [
    'nothing',
    'sort_by',
    'status',
  ]);
  t.strictSame(fields((await complete(await create(), { outcome: 'open', extra: 1 })).body), ['/extra', '/outcome']);
});
