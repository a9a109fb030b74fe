/** Rate limits use a sliding window, and expired rows are deleted. */
import t from 'tap';
import { cleanHits, DatabaseLimitStore, RateLimiter } from '../../core/identity/auth/index.js';
import { cleanAttempts } from '../../core/identity/passwords/index.js';
import { registerAdmin, sql, testApp } from '../support/app.js';

const one = await testApp();
t.teardown(() => one.close());
const admin = await registerAdmin(one.origin);

t.test('at most the allowed number of requests passes within any minute', async (t) => {
  const node = () => new RateLimiter(new DatabaseLimitStore(one.app.services.db));
  const limiter = node();
  const shift = (key: string, seconds: number) =>
    sql(
      one.database,
      'update rate_hits set at = (select array_agg(h - make_interval(secs => $1) order by h) from unnest(at) as h) where key = $2',
      [seconds, key],
    );
  const key = 'sliding';
  for (let n = 0; n < 5; n++) t.match(await limiter.hit(key, 10), { allowed: true, remaining: 9 - n, reset: 60 });
  await shift(key, 40);
  for (let n = 0; n < 5; n++) t.match(await limiter.hit(key, 10), { allowed: true, remaining: 4 - n, reset: 20 });
  for (let n = 0; n < 20; n++)
    t.match(
      await limiter.hit(key, 10),
      { allowed: false, remaining: 0, reset: 20 },
      'independent of the minute of the clock',
    );
  t.match(
    await limiter.hit(key, 3),
    { allowed: false, reset: 60 },
    'with a lower limit, reset is when enough requests are older than a minute',
  );
  await shift(key, 21);
  const later = node();
  for (let n = 0; n < 5; n++)
    t.match(
      await later.hit(key, 10),
      { allowed: true, remaining: 4 - n, reset: 39 },
      'requests older than a minute do not count',
    );
  t.match(await later.hit(key, 10), { allowed: false, reset: 39 });
  await sql(one.database, 'delete from rate_hits where key = $1', [key]);
  t.match(await later.hit(key, 10), { allowed: false, reset: 39 }, 'until then the database is not queried');
  t.match(await later.hit(key, 11), { allowed: true }, 'unless the limit has changed');
  const hits = await Promise.all(Array.from({ length: 50 }, () => limiter.hit('at once', 7)));
  t.equal(hits.filter(({ allowed }) => allowed).length, 7);
  const [row] = await sql(one.database, `select cardinality(at) as n from rate_hits where key = 'at once'`);
  t.equal(row!['n'], 7, 'refused requests are not counted');
});

t.test('expired rows are deleted', async (t) => {
  const { db } = one.app.services;
  await sql(
    one.database,
    `insert into login_misses select sha256(n::text::bytea), 'gone', array[now() - interval '1 hour'], null, now() - interval '1 minute' from generate_series(1, 12000) as n`,
  );
  await sql(
    one.database,
    `insert into login_misses values ('here', 'stays', array[now()], null, now() + interval '1 minute')`,
  );
  await sql(
    one.database,
    `insert into login_addresses values ($1, 'gone', now() - interval '31 days'), ($1, 'stays', now() - interval '29 days')`,
    [admin.user.id],
  );
  await cleanAttempts(db);
  await cleanHits(db);
  t.strictSame(
    await sql(
      one.database,
      `select source as s from login_misses where source in ('gone', 'stays') union all select address from login_addresses where address in ('gone', 'stays')`,
    ),
    [{ s: 'stays' }, { s: 'stays' }],
  );
});
