/** Around the boundary of a minute no more requests pass than within any other minute. */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { client, nextAddress, registerAdmin, sql, testApp } from '../support/app.js';

const MINUTE = 60_000;

const one = await testApp();
t.teardown(() => one.close());
await registerAdmin(one.origin);

t.test('ten log-ins just before the end of a minute and ten just after it: the latter are refused', async (t) => {
  const from = nextAddress();
  const burst = () =>
    Promise.all(
      Array.from({ length: 10 }, () =>
        client(one.origin).post(
          '/auth/login',
          { email: 'nobody@example.org', password: 'wrong-guess-of-mine' },
          { from },
        ),
      ),
    );
  // The minute is that of the clock of the database; the first burst gets ten seconds before its end.
  const [clock] = await sql<{ ms: number }>(
    one.database,
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  const toEnd = MINUTE - (clock!.ms % MINUTE);
  const toStart = toEnd > 10_000 ? toEnd - 10_000 : toEnd + MINUTE - 10_000;
  const boundary = performance.now() + toStart + 10_500;
  await delay(toStart);
  const before = await burst();
  t.equal(before.filter(({ status }) => status === 401).length, 10);
  t.ok(performance.now() < boundary - 500, 'the minute has not ended yet');
  await delay(Math.max(0, boundary - performance.now()));
  const after = await burst();
  t.equal(after.filter(({ status }) => status === 401).length, 0);
  t.equal(after.filter(({ status }) => status === 429).length, 10);
  const wait = Math.max(...after.map(({ headers }) => Number(headers.get('retry-after'))));
  t.ok(wait > 20 && wait < 60, `again after ${wait} s`);
});
