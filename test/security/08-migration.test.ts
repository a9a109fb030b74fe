/** The initial state of the log-in limits after an upgrade from a version without them. */
import knex from 'knex';
import t from 'tap';
import { down, up } from '../../migrations/0021_sign_in_limits.js';
import { urlOf } from '../support/database.js';
import { createDatabase, sql } from '../support/app.js';

t.test('addresses of the latest log-ins are known, and sessions end after 30 days', async (t) => {
  const database = await createDatabase();
  const connection = knex({ client: 'pg', connection: urlOf(database) });
  t.teardown(() => connection.destroy());
  await down(connection);
  const user = '01900000-0000-7000-8000-000000000001';
  await sql(database, `insert into roles (key, label) values ('desk', 'Desk')`);
  await sql(
    database,
    `insert into users (id, email, email_key, display_name, role, created_at, updated_at, failed_logins) values ($1, 'a', 'a', 'a', 'desk', now(), now(), 3)`,
    [user],
  );
  await sql(
    database,
    `insert into sessions (id, user_id, created_at, expires_at, address)
    select gen_random_uuid(), $1, now() - make_interval(days => age), now() + make_interval(days => 90 - age), address
    from (values (1, '::ffff:10.1.2.3'), (2, '10.1.2.3'), (40, '10.9.9.9'), (0, '2001:db8::1'), (3, null)) as s(age, address)`,
    [user],
  );
  await sql(
    database,
    'insert into refresh_tokens (hash, session_id, expires_at) select sha256(id::text::bytea), id, expires_at from sessions',
  );
  await up(connection);
  t.strictSame(
    await sql(
      database,
      'select address, round(extract(epoch from now() - last_login_at) / 86400)::int as days from login_addresses',
    ),
    [{ address: '10.1.2.3', days: 1 }],
  );
  t.strictSame(
    await sql(
      database,
      'select distinct round(extract(epoch from expires_at - created_at) / 86400)::int as days from sessions',
    ),
    [{ days: 30 }],
  );
  t.strictSame(
    await sql(
      database,
      'select 1 from refresh_tokens r join sessions s on s.id = r.session_id where r.expires_at > s.expires_at',
    ),
    [],
  );
});
