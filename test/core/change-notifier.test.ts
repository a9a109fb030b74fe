/** The listener of a node: it leaves no handle open that would keep the process running. */
import t from 'tap';
import { ChangeNotifier } from '../../core/foundation/db/change-notifier.js';
import { sql, testApp, until } from '../support/app.js';

const { app, database, close } = await testApp();
t.teardown(close);
const listening = async (): Promise<number> =>
  (
    await sql<{ n: number }>(
      database,
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'lintel-notifier'`,
    )
  )[0]!.n;
const notifierOf = (): ChangeNotifier => new ChangeNotifier(app.services.db, app.log);

t.test('closing while connecting leaves no connection', async (t) => {
  const before = await listening();
  for (let n = 0; n < 5; n++) {
    const notifier = notifierOf();
    const starting = notifier.start();
    await notifier.close();
    await starting;
    t.equal(await until(async () => (await listening()) === before), true);
  }
});

t.test('after a lost connection it listens again and receives notifications', async (t) => {
  const [one, two] = [notifierOf(), notifierOf()];
  await Promise.all([one.start(), two.start()]);
  let heard = 0;
  two.on('jobs', () => {
    heard++;
  });
  await sql(
    database,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'lintel-notifier'`,
  );
  await until(() => heard > 0);
  t.pass('it reports that notifications may have been missed');
  const before = heard;
  one.notify('jobs');
  await until(() => heard > before);
  await Promise.all([one.close(), two.close()]);
});
