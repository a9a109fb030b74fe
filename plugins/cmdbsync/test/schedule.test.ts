import t from 'tap';
import { isCron, isTimeZone, nextRun } from '../mappings/schedule.js';

/** The next runs as instants in UTC, without seconds. */
function runs(expression: string, timeZone: string, after: string, count: number): string[] {
  const found: string[] = [];
  let at = new Date(after);
  for (let i = 0; i < count; i++) {
    const next = nextRun(expression, timeZone, at);
    if (!next) return found;
    found.push(next.toISOString().slice(0, 16));
    at = next;
  }
  return found;
}

t.test('local time', (t) => {
  t.same(runs('0 2 * * *', 'UTC', '2026-01-15T02:00:00Z', 2), ['2026-01-16T02:00', '2026-01-17T02:00']);
  t.same(runs('30 1 * * *', 'Asia/Kolkata', '2026-01-15T00:00:00Z', 1), ['2026-01-15T20:00']);
  t.same(runs('0 8 * * 1-5', 'America/New_York', '2026-01-16T20:00:00Z', 1), ['2026-01-19T13:00']);
  t.same(runs('0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', 1), ['2028-02-29T00:00']);
  t.same(runs('0 0 29 2 *', 'UTC', '2096-03-01T00:00:00Z', 1), ['2104-02-29T00:00']);
  t.same(runs('*/20 * * * *', 'UTC', '2026-01-15T10:05:30Z', 3), [
    '2026-01-15T10:20',
    '2026-01-15T10:40',
    '2026-01-15T11:00',
  ]);
  t.same(runs('* * * * *', 'Europe/Berlin', '2026-01-15T10:05:59.999Z', 2), ['2026-01-15T10:06', '2026-01-15T10:07']);
  t.end();
});

t.test('daylight saving time', (t) => {
  // Berlin: 02:00 becomes 03:00 on 29 March 2026 at 01:00 UTC, 03:00 becomes 02:00 on 25 October 2026 at 01:00 UTC.
  t.same(runs('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2), ['2026-03-29T01:30', '2026-03-30T00:30']);
  t.same(runs('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2), ['2026-10-25T00:30', '2026-10-26T01:30']);
  t.same(runs('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 4), [
    '2026-10-25T00:00',
    '2026-10-25T01:00',
    '2026-10-25T02:00',
    '2026-10-25T03:00',
  ]);
  t.same(runs('0 * * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', 2), ['2026-03-29T01:00', '2026-03-29T02:00']);
  // The time that is skipped runs at 03:30, after the one at 03:10.
  t.same(runs('10,30 2,3 * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', 3), [
    '2026-03-29T01:10',
    '2026-03-29T01:30',
    '2026-03-30T00:10',
  ]);
  // Havana has no midnight on 8 March 2026.
  t.same(runs('0 0 * * *', 'America/Havana', '2026-03-07T12:00:00Z', 2), ['2026-03-08T05:00', '2026-03-09T04:00']);
  t.end();
});

t.test('what is a schedule', (t) => {
  for (const valid of ['0 2 * * *', '*/5 * * * *', '0 0 1 jan *', '0 8 * * mon-fri']) t.ok(isCron(valid), valid);
  for (const wrong of ['', 'daily', '* * * * * *', '60 * * * *', '0 2 * *', '0 2 * * * ; x', '0 0 30 2 *'])
    t.notOk(isCron(wrong), wrong);
  for (const valid of ['UTC', 'Europe/Berlin']) t.ok(isTimeZone(valid), valid);
  for (const wrong of ['', 'Mars/Base', '+02:00', 'Europe/Berlin\n']) t.notOk(isTimeZone(wrong), wrong);
  t.end();
});
