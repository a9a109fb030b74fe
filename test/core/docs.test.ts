import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { ERRORS } from '../../core/foundation/errors.js';
import { API_PAGE, apiPage, ERRORS_PAGE, errorsPage, EVENTS_PAGE, eventsPage, sdkExports } from '../docs.js';

t.test('docs/errors.md matches the error table', async (t) => {
  t.equal(readFileSync(ERRORS_PAGE, 'utf8'), errorsPage(), 'write it anew: node dist/test/docs.js --write');
});

t.test('docs/events.md matches the catalogue of event types', async (t) => {
  t.equal(readFileSync(EVENTS_PAGE, 'utf8'), eventsPage(), 'write it anew: node dist/test/docs.js --write');
});

t.test('codes are stable names and statuses are errors', async (t) => {
  for (const [code, [status, title, meaning]] of Object.entries(ERRORS)) {
    t.match(code, /^[a-z]+(_[a-z]+)*$/, code);
    t.ok(status >= 400 && status <= 599, `${code} is an error`);
    t.ok(title.length > 0 && meaning.endsWith('.'), `${code} has an explanation`);
  }
  t.strictSame(
    Object.entries(ERRORS)
      .filter(([, [status]]) => status >= 500)
      .map(([code]) => code),
    ['internal_error', 'busy', 'storage_full', 'unavailable'],
    'only faults of the service and full storage are a 5xx',
  );
});

t.test('core/sdk/api-report.md matches the exports of the SDK, and all of them are documented', async (t) => {
  t.equal(readFileSync(API_PAGE, 'utf8'), apiPage(), 'write it anew: node dist/test/docs.js --write');
  const exports = sdkExports().flatMap((entry) => entry.exports);
  t.ok(exports.length > 100, `${exports.length} exports`);
  t.strictSame(
    exports.filter(({ isDocumented }) => !isDocumented).map(({ name }) => name),
    [],
    'without a doc comment',
  );
});

t.test('files named on the pages for contributors exist', async (t) => {
  const root = dirname(dirname(ERRORS_PAGE));
  const files = ['core', 'config', 'migrations', 'plugins', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  for (const page of ['docs/architecture.md', 'CONTRIBUTING.md']) {
    const named = [...readFileSync(join(root, page), 'utf8').matchAll(/`([\w/-]+(?:\.\w+)*\.ts)`/g)].map(
      ([, name]) => name!,
    );
    t.ok(named.length > 0, page);
    t.strictSame(
      named.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`))),
      [],
      page,
    );
  }
});
