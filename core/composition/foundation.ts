import { ChangeNotifier } from '../foundation/db/change-notifier.js';
import { Continuity } from '../foundation/db/continuity.js';
import { Database } from '../foundation/db/database.js';
import { Reads } from '../foundation/db/replica.js';
import { Revisions } from '../foundation/db/revisions.js';
import { Statistics } from '../foundation/db/statistics.js';
import { Storage } from '../foundation/db/storage.js';
import { Transactions } from '../foundation/db/unit-of-work.js';
import { DatabaseWatch } from '../foundation/db/watch.js';
import { FileStore } from '../foundation/files/index.js';
import { Draining } from '../foundation/http/draining.js';
import { LargeBodies } from '../foundation/http/large-bodies.js';
import { OpenRequests } from '../foundation/http/open-requests.js';
import { Metrics } from '../foundation/http/metrics.js';
import { CronTable, JobRunner, JobService, ScheduleService } from '../foundation/jobs/index.js';
import { Outbound } from '../foundation/outbound/index.js';
import { ActingUsers } from '../identity/tokens/index.js';
import { Secrets } from '../foundation/secrets/index.js';
import { CONFIG, DATABASE, LARGE_BULKS, LOG } from './tokens.js';
import type { Once } from './once.js';

/** Registers database, HTTP, jobs, files, secrets and outbound requests. */
export function registerFoundation(once: Once): void {
  once(Metrics, () => new Metrics());
  once(Draining, () => new Draining());
  once(OpenRequests, () => new OpenRequests());
  once(Statistics, (get) => new Statistics(get(DATABASE), get(LOG)));
  once(Storage, (get) => {
    const { databaseUrl, storageMinFreeMb } = get(CONFIG);
    return new Storage(
      get(DATABASE),
      { minFreeBytes: storageMinFreeMb * 1_048_576, isEmbedded: databaseUrl === undefined },
      get(LOG),
    );
  });
  for (const kind of [LargeBodies, LARGE_BULKS])
    once(kind, (get) => new LargeBodies(get(CONFIG).largeBodies, get(CONFIG).largeBodyWaitSeconds * 1_000));
  once(DatabaseWatch, (get) => new DatabaseWatch(get(DATABASE), get(LOG)));
  once(Reads, (get) => {
    const { databaseReplicaUrl: url, databasePoolMax: max } = get(CONFIG);
    if (url === undefined) return new Reads(get(DATABASE), undefined, get(LOG));
    const served = get(Metrics).counter({
      name: 'lintel_reads_total',
      help: 'Reads that may run on the replica, by the server they ran on.',
      labels: ['server'],
    });
    const replica = new Database({ connection: { connectionString: url }, isReplica: true, max });
    return new Reads(get(DATABASE), replica, get(LOG), { onRead: (server) => served.inc({ server }) });
  });
  once(Outbound, (get) => new Outbound(get(CONFIG).outboundAllow));
  once(ChangeNotifier, (get) => new ChangeNotifier(get(DATABASE), get(LOG)));
  once(Continuity, (get) => {
    const { connection } = get(DATABASE);
    return new Continuity(get(DATABASE), get(LOG), 'folder' in connection ? connection.folder : undefined);
  });
  once(Revisions, (get) => new Revisions(get(Continuity), get(ChangeNotifier), get(LOG)));
  once(
    Transactions,
    (get) =>
      new Transactions(get(DATABASE), get(ChangeNotifier), get(Revisions), {
        storage: get(Storage),
        statistics: get(Statistics),
      }),
  );
  once(Secrets, (get) => new Secrets(get(DATABASE), get(CONFIG)));
  once(
    JobRunner,
    (get) =>
      new JobRunner(get(DATABASE), get(Transactions), get(ChangeNotifier), get(LOG), get(Storage), (...user) =>
        // Found when a job runs: users need services that queue jobs.
        get(ActingUsers).find(...user),
      ),
  );
  once(JobService, (get) => new JobService(get(DATABASE), get(Transactions), get(ChangeNotifier), get(JobRunner)));
  once(FileStore, (get) => new FileStore(get(DATABASE), get(Storage)));
  once(CronTable, (get) => new CronTable(get(DATABASE), get(JobRunner), get(LOG)));
  once(
    ScheduleService,
    (get) => new ScheduleService(get(DATABASE), get(Transactions), get(CronTable), get(JobRunner), get(JobService)),
  );
}
