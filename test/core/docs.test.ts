import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

/** Sections of the levels 1 and 2 of OWASP ASVS 5.0.0, with the number of their requirements. */
const ASVS =
  `1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4 5.1:1 5.2:3 5.3:2 5.4:3
  6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11
  10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3
  15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2`.split(/\s+/);

t.test('tests named on the pages about security exist, and the requirements of ASVS are all there', async (t) => {
  const root = dirname(dirname(ERRORS_PAGE));
  for (const page of ['SECURITY.md', 'docs/asvs.md']) {
    const cited = [...readFileSync(join(root, page), 'utf8').matchAll(/`([\w./-]+\.test\.ts)`((?::? "[^"]+",?)*)/g)];
    t.ok(cited.length > 40, `${cited.length} in ${page}`);
    for (const [, file, titles] of cited) {
      const text = existsSync(join(root, file!)) ? readFileSync(join(root, file!), 'utf8') : undefined;
      if (text === undefined) t.fail(`${page} names ${file!}, which does not exist`);
      for (const [, title] of titles!.matchAll(/"([^"]+)"/g))
        if (text !== undefined && !["'", '`'].some((quote) => text.includes(quote + title!)))
          t.fail(`${page} names the test “${title!}”, which is not in ${file!}`);
    }
  }
  const page = readFileSync(join(root, 'docs/asvs.md'), 'utf8');
  const named = [...page.matchAll(/^\| (V[\d., V]+) \| ([a-z ]+) \|/gm)].map(
    ([, ids, word]) => [ids!.split(', '), word!] as const,
  );
  const wanted = ASVS.flatMap((section) => {
    const [id, count] = section.split(':');
    return Array.from({ length: Number(count) }, (_, i) => `V${id!}.${i + 1}`);
  });
  t.strictSame(named.flatMap(([ids]) => ids).sort(), wanted.sort(), 'each requirement once');
  const number = (word: string) => named.filter(([, is]) => is === word).flatMap(([ids]) => ids).length;
  t.ok(
    page.includes(
      `Of ${wanted.length} requirements ${number('holds')} hold, ${number('in part')} hold in part, ${number('missing')} are missing, ${number('operator')} depend on the operator, and ${number('not applicable')} are not applicable.`,
    ),
    'the summary counts the rows',
  );
});
