/** URLs with one or several hosts, in the forms of libpq, and what the client library makes of them. */
import pg from 'pg';
import t from 'tap';
import { DatabaseUrlError, readDatabaseUrl } from '../../config/database-url.js';
import { loadConfig } from '../../config/load.js';

const LINTEL_SECRET_KEY = Buffer.alloc(32, 7).toString('base64');

function refusal(url: string): string | undefined {
  try {
    readDatabaseUrl(url);
    return undefined;
  } catch (error) {
    if (error instanceof DatabaseUrlError) return error.message;
    throw error;
  }
}

/** Hosts as `host port`. */
const hostsOf = (url: string): string[] => readDatabaseUrl(url).hosts.map(({ host, port }) => `${host} ${port}`);

t.test('several hosts', async (t) => {
  const cases: [url: string, ...hosts: string[]][] = [
    ['postgres://u:p@h1:5432,h2:5433/db?target_session_attrs=read-write', 'h1 5432', 'h2 5433'],
    ['postgresql:///db?host=h1,h2&port=5432,5433&user=u&password=p', 'h1 5432', 'h2 5433'],
    ['POSTGRES://u:p@h1,h2/db', 'h1 5432', 'h2 5432'],
    ['postgres://u:p@h1:5433,h2/db', 'h1 5433', 'h2 5432'],
    ['postgres://u:p@h1,h2:5433/db', 'h1 5432', 'h2 5433'],
    ['postgres://u:p@h1:,h2:5433/db', 'h1 5432', 'h2 5433'],
    ['postgres://u:p@/db?host=h1,h2&port=5433', 'h1 5433', 'h2 5433'],
    ['postgres://u:p@/db?host=h1,h2', 'h1 5432', 'h2 5432'],
    ['postgres://u:p@/db?host=h1,h2&port=,5433', 'h1 5432', 'h2 5433'],
    ['postgres://u:p@other:5434/db?host=h1,h2', 'h1 5434', 'h2 5434'],
    ['postgres://u:p@a:5434,b:5435/db?host=h1,h2', 'h1 5434', 'h2 5435'],
    ['postgres://u:p@h1:1,h2:2/db?port=5433', 'h1 5433', 'h2 5433'],
    ['postgres://u:p@h1:1,h2:2/db?port=3,4', 'h1 3', 'h2 4'],
    ['postgres://u:p@[::1]:5432,[2001:db8::2]:5433/db', '::1 5432', '2001:db8::2 5433'],
    ['postgres://u:p@/db?host=::1,2001:db8::2', '::1 5432', '2001:db8::2 5432'],
    ['postgres://u:p@%2Frun%2Fa,%2Frun%2Fb:5433/db', '/run/a 5432', '/run/b 5433'],
    ['postgres://u:p@/db?host=/run/postgres ql,h2', '/run/postgres ql 5432', 'h2 5432'],
    ['postgres://u:p@/db?host=%2Frun%2Fa%2Ch2', '/run/a 5432', 'h2 5432'],
    ['postgres://u:p@10.0.0.1,db-2.example_x.com/db', '10.0.0.1 5432', 'db-2.example_x.com 5432'],
    ['postgres://u:p@h1,h2,h3', 'h1 5432', 'h2 5432', 'h3 5432'],
    ['postgres://u:p@h1,h1/db?host=&port=', 'h1 5432', 'h1 5432'],
    ['postgres://u:p@a,b/db?host=x,y&host=h1,h2', 'h1 5432', 'h2 5432'],
  ];
  for (const [url, ...hosts] of cases) t.strictSame(hostsOf(url), hosts, url);
});

t.test('one host is left to the client library', async (t) => {
  for (const url of [
    'postgres://u:p@db:5432/x',
    'postgres://u:p,q@db/x',
    'postgres://u:p@db/a,b?options=-c%20search_path%3Da,b',
    'postgresql://u@localhost:5432/db?host=%2Frun%2Fa',
    'postgresql:///db?host=/run/a',
    'postgresql:///db',
    'postgres://u:p@[::1]:5432/db',
  ])
    t.strictSame(
      readDatabaseUrl(url),
      { hosts: [], url, mustReadWrite: false, connectMs: undefined },
      'with the URL as it was given',
    );
});

t.test('user, password, database and parameters are those of each host', async (t) => {
  const cases: [url: string, password: string][] = [
    ['postgres://us%40er:p%40%2C%2F%3F%23%25%3Aw@h1:1,h2:2/d%20b?application_name=a%26b,c', 'p@,/?#%:w'],
    ['postgres://us%40er:a,b@c@h1:1,h2:2/d%20b?application_name=a%26b,c', 'a,b@c'],
    ['postgres:///d%20b?host=h1,h2&port=1,2&user=us%40er&password=p%26host%3Dx&application_name=a%26b,c', 'p&host=x'],
  ];
  for (const [url, password] of cases) {
    const client = new pg.Client({ connectionString: readDatabaseUrl(url).url });
    t.match(client, { host: 'h1', port: 1, user: 'us@er', database: 'd b' }, url);
    t.equal(client.password, password);
    t.match(client, { connectionParameters: { application_name: 'a&b,c' } });
  }
  for (const [url, host, port] of [
    ['postgres://u@%2Frun%2Fa%20b:5433,h2/db', '/run/a b', 5433],
    ['postgres://u@[::1],h2/db', '::1', 5432],
  ] as const)
    t.match(new pg.Client({ connectionString: readDatabaseUrl(url).url }), { host, port }, url);
});

t.test('what a server must accept, and for how long a connection is awaited', async (t) => {
  const of = (query: string) => readDatabaseUrl(`postgres://u:p@h1,h2/db?${query}`);
  t.match(of(''), { mustReadWrite: false, connectMs: undefined });
  t.match(of('target_session_attrs=any'), { mustReadWrite: false });
  t.match(of('target_session_attrs=primary&connect_timeout=0'), { mustReadWrite: false, connectMs: undefined });
  t.match(of('target_session_attrs=read-write&connect_timeout=2'), { mustReadWrite: true, connectMs: 2_000 });
  t.match(readDatabaseUrl('postgres://db/x?target_session_attrs=read-write'), { mustReadWrite: true });
});

t.test('an unusable URL is refused with the reason, without a part of the URL', async (t) => {
  const cases: [url: string, reason: RegExp][] = [
    ['mysql://u:hunter2@h1,h2/db', /^must be a URL/],
    ['hunter2', /^must be a URL/],
    ['postgres://u:hunter2@h1:hunter2/db', /^must be a URL/],
    ['postgres://u:hunter2@h1:1:2,h2/db', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@h1,/db', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@,h1/db', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@,/db', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@h1, h2/db', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@h1,::1/db', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@[::1,h2/db', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@[h1],h2/db', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@h1,h2%00/db', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@h1,h2%ZZ/db', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@h1%2Ch2,h3/db', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@/db?host=h1,', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@/db?host=h1,[::1]', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@/db?host=h1,h2:5432', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@/db?host=h1,@abstract', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@/db?host=h1,../h2', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@/db?host=h1,/run/%0Aa', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@h1:x,h2/db', /names, addresses or absolute folders/],
    ['postgres://u:hunter2@h1:0,h2/db', /ports from 1 to 65535/],
    ['postgres://u:hunter2@h1:65536,h2/db', /ports from 1 to 65535/],
    ['postgres://u:hunter2@/db?host=h1,h2&port=1,%2B2', /ports from 1 to 65535/],
    ['postgres://u:hunter2@/db?host=h1,h2&port=5432,5433,5434', /one port for all hosts, or as many/],
    ['postgres://u:hunter2@/db?host=h1&port=5432,5433', /one port for all hosts, or as many/],
    ['postgres://u:hunter2@a:1,b:2/db?host=h1', /one port for all hosts, or as many/],
    ['postgres://u:hunter2@h1,h2/db?port=1,2,3', /one port for all hosts, or as many/],
    [`postgres://u:hunter2@${'h,'.repeat(16)}h/db`, /at most 16 hosts/],
    ['postgres://u:hunter2@h1,h2/db?target_session_attrs=standby', /target_session_attrs=read-write, primary or any/],
    ['postgres://u:hunter2@h1/db?target_session_attrs=read-only', /target_session_attrs=read-write, primary or any/],
    ['postgres://u:hunter2@h1,h2/db?target_session_attrs=prefer-standby', /target_session_attrs=/],
    ['postgres://u:hunter2@h1,h2/db?target_session_attrs=Read-Write', /target_session_attrs=/],
    ['postgres://u:hunter2@h1,h2/db?connect_timeout=2s', /connect_timeout in whole seconds/],
    ['postgres://u:hunter2@h1,h2/db?connect_timeout=-1', /connect_timeout in whole seconds/],
  ];
  for (const [url, reason] of cases) {
    t.match(refusal(url), reason, url);
    t.notMatch(refusal(url), /hunter/);
    // As other errors of the configuration.
    t.throws(() => loadConfig({ DATABASE_URL: url, LINTEL_SECRET_KEY }), {
      name: 'ConfigError',
      message: `DATABASE_URL ${refusal(url)}`,
    });
  }
});
