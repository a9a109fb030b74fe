import { join } from 'node:path';
import { startEmbedded } from '../../core/foundation/db/embedded.js';
import type { Bench } from './bench.js';
import { median } from './load.js';
import { freePort, serviceEnvironment, startService } from './service.js';

const TARGET_EMPTY_MS = 3_000;
const TARGET_EXISTING_MS = 1_500;

async function databaseMs(dataDir: string): Promise<number> {
  const began = performance.now();
  const { stop } = await startEmbedded({ dataDir });
  const ms = performance.now() - began;
  await stop();
  return ms;
}

async function serviceMs(dataDir: string, log: string): Promise<number> {
  const service = await startService(serviceEnvironment(dataDir, await freePort()), log);
  await service.stop();
  return service.readyMs;
}

/** Time from the command to the first successful answer of /api/ready, with an embedded database; the limit is that database alone. */
export async function start({ folder, scale, add }: Bench): Promise<void> {
  const log = join(folder, 'start.log');
  const [bare, served] = [join(folder, 'start-bare'), join(folder, 'start-served')];
  const [bareEmpty, empty] = [await databaseMs(bare), await serviceMs(served, log)];
  const again: [number, number][] = [];
  for (let i = 0; i < scale.restarts; i++) again.push([await databaseMs(bare), await serviceMs(served, log)]);
  const [bareExisting, existing] = [median(again.map(([ms]) => ms)), median(again.map(([, ms]) => ms))];
  add(
    {
      work: 'start, empty folder → ready',
      figure: empty,
      unit: 'ms',
      limit: { name: 'initdb + database', value: bareEmpty, unit: 'ms' },
      ratio: empty / bareEmpty,
      target: { text: '≤ 3 s', holds: empty <= TARGET_EMPTY_MS },
    },
    {
      work: 'start, existing database → ready',
      figure: existing,
      unit: 'ms',
      limit: { name: 'database', value: bareExisting, unit: 'ms' },
      ratio: existing / bareExisting,
      target: { text: '≤ 1.5 s', holds: existing <= TARGET_EXISTING_MS },
    },
  );
}
