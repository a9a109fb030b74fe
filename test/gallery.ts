/**
 * Draws the pictures of all reports on three data sets, for docs/gallery:
 *
 *     TEST_DATA_DIR=… node dist/test/gallery.js --write
 *
 * `--only=<part of a name>` limits it, and `--png=<folder>` writes PNG files there instead, to be looked at.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DATA_SETS } from './reports/data-sets.js';
import { galleryPage, type Shown } from './reports/gallery-page.js';
import { pathOf, REQUESTS } from './reports/gallery-requests.js';
import { addPlans } from './reports/plans.js';
import { registerAdmin, testApp } from './support/app.js';
import { dropCopies } from './support/database.js';
import { startCluster } from './support/postgres.js';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const FOLDER = join(root, 'docs/gallery');
const valueOf = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);

async function draw(only: string, png: string | undefined): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const set of DATA_SETS) {
    const wanted = REQUESTS[set.key].filter(({ name }) => `${set.key}-${name}`.includes(only));
    if (set.absent !== undefined || wanted.length === 0) continue;
    const app = await testApp();
    const admin = await registerAdmin(app.origin);
    await set.fill(app, admin);
    if (set.key === 'demo') await addPlans(admin);
    for (const request of wanted) {
      const path = await pathOf(request, admin);
      const format = png === undefined ? 'svg' : 'png';
      const answer = await fetch(`${app.origin}${path}&format=${format}`, {
        headers: { authorization: `Bearer ${admin.token}` },
      });
      const file = `${set.key}-${request.name}.${format}`;
      if (!answer.ok) {
        process.stdout.write(`${file}: ${answer.status} ${await answer.text()}\n`);
        continue;
      }
      const bytes = Buffer.from(await answer.arrayBuffer());
      writeFileSync(join(png ?? FOLDER, file), bytes);
      process.stdout.write(`${file}: ${bytes.length} bytes\n`);
      const title = /<title[^>]*>([^<]*)</.exec(bytes.toString())?.[1] ?? request.name;
      shown.push({ set, request, file, title });
    }
    await app.close();
  }
  return shown;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const cluster = await startCluster(process.env.TEST_DATABASE_URL || undefined, () => undefined);
  process.env.TEST_PG = JSON.stringify(cluster.connection);
  const png = valueOf('png');
  mkdirSync(png ?? FOLDER, { recursive: true });
  try {
    const shown = await draw(valueOf('only') ?? '', png);
    if (png === undefined && valueOf('only') === undefined)
      writeFileSync(join(FOLDER, 'README.md'), galleryPage(shown));
  } finally {
    await dropCopies();
    await cluster.stop();
  }
}
