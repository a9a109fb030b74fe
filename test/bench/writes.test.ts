/** The figures of writes, as far as they are computed and not measured. */
import t from 'tap';
import { diskLine, writeTable } from './report.js';
import { sumWritten, writeFigures, type Written } from './writes.js';

const ROUND: Written = { walBytes: 3_000, statements: 12, details: { pages: 1_000, updates: 5, hot: 2 } };

t.test('rounds are added, and divided by the number of requests', (t) => {
  const written = sumWritten([ROUND, { walBytes: 1_000, statements: 4, details: { pages: 0, updates: 3, hot: 0 } }]);
  t.strictSame(writeFigures('patch_attribute', 'request', { perSecond: 500, node: 1_500, postgres: 750 }, written, 8), {
    name: 'patch_attribute',
    per: 'request',
    per_second: 500,
    node_ms: 1.5,
    postgres_ms: 0.75,
    wal_bytes: 500,
    wal_page_bytes: 125,
    statements: 2,
    hot_share: 0.25,
  });
  t.end();
});

t.test('what is unknown is null in the file and a dash in the table', (t) => {
  const written = sumWritten([ROUND, { walBytes: 1_000, statements: 4, details: undefined }]);
  const figures = writeFigures('create_card', 'row', { perSecond: 500, node: undefined, postgres: 750 }, written, 8);
  t.match(figures, { node_ms: null, wal_bytes: 500, wal_page_bytes: null, hot_share: null });
  t.equal(
    writeTable([figures]),
    [
      'write        per   /s  node ms  pg ms  WAL bytes  whole pages  statements  HOT',
      'create_card  row  500        –   0.75        500            –           2    –',
    ].join('\n'),
  );
  t.end();
});

t.test('without updates there is no share of heap-only ones', (t) => {
  const written: Written = { walBytes: 8, statements: 8, details: { pages: 0, updates: 0, hot: 0 } };
  t.equal(writeFigures('create_card', 'row', { perSecond: 1, node: 1, postgres: 1 }, written, 8).hot_share, null);
  t.end();
});

t.test('disk is given in bytes for each card', (t) => {
  t.equal(
    diskLine({
      cards: 2,
      card_tables_bytes: 20,
      card_tables_bytes_per_card: 10,
      database_bytes: 2_468,
      database_bytes_per_card: 1_234,
    }),
    'disk per card after the fill: 10 bytes in the tables of cards, 1,234 bytes in the whole database',
  );
  t.end();
});
