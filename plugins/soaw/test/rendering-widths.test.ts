/** Widths of columns in Word files. */
import t from 'tap';
import { renderDocx } from '../rendering/docx.js';
import type { RenderedDocument } from '../rendering/model.js';
import { parseXml, partsOf, widthsOf, type Element } from './rendering-readers.js';
import { document, section, tableOf } from './rendering-samples.js';

const bodyOf = async (doc: RenderedDocument): Promise<Element> =>
  parseXml(partsOf(await renderDocx(doc)).get('word/document.xml')!);

t.test('short words, numbers and amounts stay on one line', async (t) => {
  const text = 'Copy twice and compare the sums of all tables; keep the old system readable';
  const columns = ['Number', 'Risk', 'Level', 'Mitigation', 'Amount'].map((title) => ({ title }));
  const total = { money: '1805250.00', currency: 'EUR' };
  const rows = [['RISK-0012', text, 'medium', `${text} ${text}`, total]];
  const body = await bodyOf(document({ sections: [section(tableOf({ columns, rows, footer: rows[0]! }))] }));
  const [number = 0, , level = 0, , amount = 0] = widthsOf(body, 'NumberRisk');
  // The widths of the texts in Arial of 9 points, the amount in bold, with the margins of the cell.
  t.ok(number >= 1_060, `a number has ${number}`);
  t.ok(level >= 820, `a word has ${level}`);
  t.ok(amount >= 1_661, `a sum has ${amount}`);
  const word = 'Anwendungsverantwortlicher';
  const many = Array.from({ length: 20 }, (_, column) => ({ title: column % 2 ? word : 'Year' }));
  const crowded = await bodyOf(
    document({ sections: [section(tableOf({ columns: many, rows: [many.map((_, i) => (i % 2 ? word : 2026))] }))] }),
  );
  const widths = widthsOf(crowded, 'Year');
  t.ok(
    widths.every((width, column) => column % 2 || width >= 470),
    `long words are broken, not short ones: ${widths.join()}`,
  );
});
