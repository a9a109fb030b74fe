/** No cell of an export begins a formula, and an import restores every text unchanged. */
import t from 'tap';
import { guardedSql } from '../../core/inventory/exports/csv-repository.js';
import { FORMULA_CELL, guardedCell, unguardedCell } from '@lintel/sdk';
import { registerAdmin, sql, testApp } from '../support/app.js';
import { applied, rowsOf, staged } from '../support/imports.js';

const { origin, database, close } = await testApp();
t.teardown(close);
const { api, token } = await registerAdmin(origin);
/** What stands before a sign without changing that a spreadsheet may run it. */
const SKIPPED = [' ', '  ', '\u00a0', '\u3000', '\u200b', '\ufeff', '\v', '\f', '"', ' "', `' `, '" \''];
const SIGNS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
const exported = async (query: string) =>
  await (
    await fetch(`${origin}/api/v1/cards/export?format=csv${query}`, { headers: { authorization: `Bearer ${token}` } })
  ).text();

await t.test('the export in SQL and the import guard the same texts', async (t) => {
  const texts = [
    '',
    "'",
    "''",
    'x',
    ...SIGNS.flatMap((sign) => ['', "'", "''", "'''"].map((quotes) => `${quotes}${sign}x`)),
  ];
  const skipped = SIGNS.flatMap((sign) => SKIPPED.map((before) => `${before}${sign}x`));
  texts.push(...skipped);
  for (let code = 1; code < 0x10000; code++)
    if (code < 0xd800 || code > 0xdfff)
      texts.push(`${String.fromCharCode(code)}x`, `'${String.fromCharCode(code)}x`, `${String.fromCharCode(code)}=x`);
  texts.push('🚀=', '\u{1F600}', 'a＝', ' =1');
  const cells = await sql<{ cell: string }>(
    database,
    `select ${guardedSql('t.text')} as cell from unnest($1::text[]) with ordinality t (text, n) order by t.n`,
    [texts],
  );
  const needs = new RegExp(FORMULA_CELL);
  const wrong = texts.filter(
    (text, i) => cells[i]!.cell !== guardedCell(text) || unguardedCell(cells[i]!.cell) !== text,
  );
  t.equal(cells.length, texts.length);
  t.strictSame(wrong, []);
  t.ok(skipped.every((text) => needs.test(text)));
  t.strictSame(
    texts
      .filter((text) => /^.x$/su.test(text) && needs.test(text))
      .map((text) => text[0])
      .filter((sign, i, all) => all.indexOf(sign) === i)
      .sort(),
    [...SIGNS].sort(),
  );
});

await t.test('a line feed and full-width signs, in every column of text, there and back', async (t) => {
  const texts = SIGNS.flatMap((sign) => [`${sign}HYPERLINK("http://evil.example")`, `'${sign}quoted`, `''${sign}`]);
  const operations = texts.map((text, i) => ({
    op: 'create',
    card: {
      type: 'Application',
      name: `${text.replace(/\s+/g, ' ').trim()} ${i}`,
      description: text,
      alias: text,
      external_id: `${text}${i}`,
      attributes: { productName: text },
    },
  }));
  t.equal((await api.post('/cards/bulk', { operations })).status, 200);
  const file = await exported('&type=Application');
  // At the beginning of cells, quoted or not, apart from numbers.
  t.notMatch(file.replace(/(?<=^|,)-?\d[\d.]*(?=,|$)/gm, ''), /(^|,)"?[=+@\t＝＋－＠]/m);
  t.notMatch(file, /,"[\r\n]/);
  const read = await staged(api, 'csv', Buffer.from(file));
  t.strictSame(
    read.counts.card,
    { unchanged: texts.length },
    JSON.stringify((await rowsOf(api, read.id)).filter(({ verdict }) => verdict !== 'unchanged').slice(0, 3)),
  );
  const moved = file
    .replace(/^[^,]*/gm, (id) => (/^[0-9a-f-]{36}$/.test(id) ? '' : id))
    .replaceAll('Application,', 'Provider,')
    .replaceAll('attributes.productName', 'attributes.nothing');
  const again = await staged(api, 'csv', Buffer.from(moved), { ignore_unknown: true });
  t.strictSame(again.counts.card, { create: texts.length }, JSON.stringify(again.errors));
  t.equal((await applied(api, again.id)).state, 'applied');
  const { items } = (await api.get('/cards', { query: { type: 'Provider', page_size: 200 } })).body;
  t.strictSame(
    items.map((card) => [card['description'], card['alias'], card['external_id']]).sort(),
    texts.map((text, i) => [text, text, `${text}${i}`]).sort(),
    'as new cards, byte by byte',
  );
});
