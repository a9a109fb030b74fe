/** Exports of cards as XLSX: the columns and values of CSV, the same redaction, and files too large for a sheet. */
import { parse } from 'csv-parse/sync';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import t from 'tap';
import { unguardedCell } from '@lintel/sdk';
import { expectStatus, makeUser, registerAdmin, sql, testApp, type AnyBody, type Session } from '../support/app.js';
import { readXlsx, type ReadSheet } from '../support/xlsx.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const admin = await registerAdmin(origin);
const viewer = await makeUser(admin, 'viewer');
const { api } = admin;
const MEDIA = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

type Query = Record<string, string>;
const create = async (card: object): Promise<AnyBody> =>
  expectStatus(await api.post('/cards', card), 201, 'creating').body;
const fetched = async (query: Query, by: Session = admin): Promise<Response> =>
  await fetch(`${origin}/api/v1/cards/export?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${by.token}`, 'accept-encoding': 'gzip' },
  });
async function download(query: Query = {}, by: Session = admin): Promise<ReadSheet> {
  const answer = await fetched({ format: 'xlsx', ...query }, by);
  if (answer.status !== 200) throw new Error(`the export gave ${answer.status}: ${await answer.text()}`);
  const { sheets } = readXlsx(new Uint8Array(await answer.arrayBuffer()));
  if (sheets.length !== 1) throw new Error(`${sheets.length} sheets`);
  return sheets[0]!;
}
async function csv(query: Query = {}, by: Session = admin): Promise<string[][]> {
  const answer = await fetched({ format: 'csv', ...query }, by);
  return parse(await answer.text());
}

await create({
  type: 'Application',
  name: '=1+1',
  description: 'a\nb <c> & "d"',
  alias: '+2',
  external_id: '@3',
  lifecycle: { plan: '1850-01-01', active: '2020-02-29', endOfLife: '2999-12-31' },
  attributes: { costTotalAnnual: 1234.5, numberOfUsers: 7, businessCriticality: 'missionCritical' },
});
const own = await create({ type: 'Application', name: 'Own', attributes: { costTotalAnnual: 99 } });
await create({ type: 'Provider', name: 'ACME', attributes: { website: 'https://example.org/?a=b&c' } });
await create({ type: 'ITComponent', name: 'Component', attributes: { version: '-5', hasAiFeatures: true } });
expectStatus(
  await api.post(`/cards/${own.id}/stakeholders`, { user_id: viewer.user.id, role: 'responsible' }),
  201,
  'a stakeholder',
);

await t.test('the columns, cards and redaction of CSV', async (t) => {
  for (const by of [admin, viewer])
    for (const query of [
      {},
      { type: 'Application' },
      { has_relation: 'none' },
      { ids: own.id },
      { search: 'nothing' },
    ] as Query[]) {
      const [sheet, lines] = [await download(query, by), await csv(query, by)];
      const rows = lines.map((line) => line.map((cell) => unguardedCell(cell)));
      t.strictSame(sheet.rows[0], rows[0], 'the header');
      t.equal(sheet.rows.length, rows.length);
      for (const [i, header] of rows[0]!.entries()) {
        // Values that are no text are stored as numbers.
        if (/_at$|^lifecycle|website|hasAi|isPersonal|date/i.test(header)) continue;
        t.strictSame(
          sheet.rows.map((row) => row[i]),
          rows.map((row) => row[i]!),
          header,
        );
      }
    }
});

await t.test('values have types', async (t) => {
  const sheet = await download();
  const [header, ...rows] = sheet.rows;
  const cell = (name: string, of: string) => {
    const row = rows.findIndex((values) => values[3] === of) + 2;
    const letter = (n: number): string =>
      (n < 26 ? '' : letter(Math.floor(n / 26) - 1)) + String.fromCharCode(65 + (n % 26));
    return {
      ...sheet.cells.get(`${letter(header!.indexOf(name))}${row}`),
      ref: `${letter(header!.indexOf(name))}${row}`,
    };
  };
  t.match(cell('name', '=1+1'), { type: 'inlineStr', value: '=1+1' });
  t.match(cell('attributes.costTotalAnnual', '=1+1'), { type: undefined, value: '1234.5' });
  t.match(cell('lifecycle.active', '=1+1'), { type: undefined, value: '43890' });
  t.match(cell('lifecycle.plan', '=1+1'), { type: 'inlineStr', value: '1850-01-01' });
  t.match(cell('version', 'Own'), { type: undefined, value: '1' });
  t.match(cell('attributes.hasAiFeatures', 'Component'), { type: 'b', value: '1' });
  t.match(cell('attributes.version', 'Component'), { type: 'inlineStr', value: '-5' });
  const { ref } = cell('attributes.website', 'ACME');
  t.equal(sheet.links.get(ref), 'https://example.org/?a=b&c');
  const created = Number(cell('created_at', 'Own').value);
  const at = (created - 25_569) * 86_400_000;
  t.ok(Math.abs(at - Date.parse(own['created_at'] as string)) < 2, 'times are in UTC');
  t.notMatch((await download({}, viewer)).xml, /1234\.5/);
  t.match((await download({}, viewer)).xml, /<v>99<\/v>/, 'the costs that a role opens');
});

await t.test('the response', async (t) => {
  const answer = await fetched({ format: 'xlsx' });
  t.equal(answer.headers.get('content-type'), MEDIA);
  t.match(answer.headers.get('content-disposition'), /^attachment; filename="cards-\d{4}-\d\d-\d\d\.xlsx"$/);
  t.equal(answer.headers.get('content-encoding'), null, 'the file is compressed already');
  await answer.arrayBuffer();
  const head = await fetch(`${origin}/api/v1/cards/export?format=xlsx`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${admin.token}` },
  });
  t.equal(head.headers.get('content-type'), MEDIA);
});

await t.test('more cards than a sheet has rows are refused before anything is sent', async (t) => {
  await sql(database, `update card_counts set n = n + 1048575 where type = 'Provider' and status = 'ACTIVE'`);
  for (const query of [{}, { type: 'Provider' }] as Query[])
    t.match(await api.get('/cards/export', { query: { format: 'xlsx', ...query } }), {
      status: 422,
      body: { code: 'validation_failed', errors: [{ field: 'format', reason: /at most 1048575 cards/ }] },
    });
  t.equal((await download({ type: 'Provider', has_relation: 'none' })).rows.length, 2, 'other cards are counted');
  t.equal((await fetched({ format: 'csv' })).status, 200);
  await sql(database, `update card_counts set n = n - 1048575 where type = 'Provider' and status = 'ACTIVE'`);
});

await t.test('a client that goes away releases the connection', async (t) => {
  for (let i = 0; i < 12; i++) {
    const request = get(`${origin}/api/v1/cards/export?format=xlsx`, {
      headers: { authorization: `Bearer ${admin.token}` },
      agent: false,
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.destroy();
  }
  t.equal((await download()).rows.length, 5);
});
