import { contrast } from '@lintel/sdk/drawing';
import type { MatrixView } from './schemas.js';
import { countRisks, inLanguageOf, textsOf } from './words.js';

const [WIDTH, HEIGHT] = [1_120, 700];
const GRID = { left: 220, top: 120, width: 640, height: 440 };
const GAP = 6;
const INK = '#1f2933';
const SOFT = '#52606d';
const NAMES_A_LINE = 2;
const LINES = 3;

/** Text escaped for XML, without characters that XML cannot contain. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
/** A number as it is written in a language. */
const written = (count: number, lang: string): string => new Intl.NumberFormat(lang).format(count);
const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text;

/** The contrast that WCAG 2 (AA) requires of text. */
const READABLE = 4.5;
/** The colour of texts on a colour; black where neither of the usual ones is readable. */
const inkOn = (color: string): string => [INK, '#ffffff'].find((ink) => contrast(ink, color) >= READABLE) ?? '#000000';

function text(
  x: number,
  y: number,
  content: string,
  { size = 16, weight = 400, fill = INK, anchor = 'start', more = '' } = {},
): string {
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}"${more}>${xml(content)}</text>`;
}

/** The text below the number of a cell: the first references, and the number of further ones. */
function references({ risks, count }: MatrixView['rows'][number]['cells'][number], lang: string): string[] {
  const room = NAMES_A_LINE * LINES;
  const listed = risks.slice(0, count > room ? room - 1 : room).map(({ reference }) => reference);
  if (count > listed.length) listed.push(textsOf(lang).more(written(count - listed.length, lang)));
  return Array.from({ length: Math.ceil(listed.length / NAMES_A_LINE) }, (_, line) =>
    listed.slice(line * NAMES_A_LINE, (line + 1) * NAMES_A_LINE).join('  '),
  );
}

function cells({ rows, levels, impacts, probabilities }: MatrixView, lang: string): string[] {
  const color = new Map(levels.map(({ key, color }) => [key, color]));
  const [width, height] = [GRID.width / impacts.length, GRID.height / rows.length];
  return rows.flatMap(({ cells }, row) =>
    [...cells].reverse().map((cell, column) => {
      const [x, y] = [GRID.left + column * width, GRID.top + row * height];
      const fill = color.get(cell.level)!;
      const ink = inkOn(fill);
      const lines = references(cell, lang);
      const top = y + height / 2 + 12 - lines.length * 9;
      const about = textsOf(lang).cell(
        probabilities[row]!.label,
        impacts[impacts.length - 1 - column]!.label,
        countRisks(cell.count, lang),
      );
      return `<g><title>${xml(about)}</title><rect x="${x + GAP / 2}" y="${y + GAP / 2}" width="${width - GAP}" height="${height - GAP}" rx="6" fill="${fill}" fill-opacity="${cell.count > 0 ? 1 : 0.45}"/>${
        cell.count === 0
          ? ''
          : text(x + width / 2, top, written(cell.count, lang), { size: 32, weight: 700, fill: ink, anchor: 'middle' })
      }${lines
        .map((line, n) => text(x + width / 2, top + 22 + n * 17, line, { size: 13, fill: ink, anchor: 'middle' }))
        .join('')}</g>`;
    }),
  );
}

function axes({ probabilities, impacts }: MatrixView, lang: string): string[] {
  const { column } = textsOf(lang);
  const [width, height] = [GRID.width / impacts.length, GRID.height / probabilities.length];
  const bottom = GRID.top + GRID.height;
  const middle = GRID.top + GRID.height / 2;
  return [
    ...probabilities.map(({ label }, row) =>
      text(GRID.left - 16, GRID.top + (row + 0.5) * height + 6, cut(label, 18), { anchor: 'end' }),
    ),
    ...[...impacts]
      .reverse()
      .map(({ label }, place) =>
        text(GRID.left + (place + 0.5) * width, bottom + 28, cut(label, 18), { anchor: 'middle' }),
      ),
    text(36, middle, `${column.probability} →`, {
      size: 18,
      weight: 600,
      fill: SOFT,
      anchor: 'middle',
      more: ` transform="rotate(-90 36 ${middle})"`,
    }),
    text(GRID.left + GRID.width / 2, bottom + 66, `${column.impact} →`, {
      size: 18,
      weight: 600,
      fill: SOFT,
      anchor: 'middle',
    }),
  ];
}

function legend({ levels, not_judged }: MatrixView, lang: string): string[] {
  const { column, notJudged } = textsOf(lang);
  const x = GRID.left + GRID.width + 36;
  return [
    text(x, GRID.top + 16, column.level, { size: 18, weight: 600, fill: SOFT }),
    ...levels.flatMap(({ label, color, count }, i) => {
      const y = GRID.top + 36 + i * 40;
      return [
        `<rect x="${x}" y="${y}" width="26" height="26" rx="5" fill="${color}"/>`,
        text(x + 38, y + 19, `${cut(label, 14)}: ${written(count, lang)}`),
      ];
    }),
    ...(not_judged.count > 0
      ? [text(x, GRID.top + 36 + levels.length * 40 + 22, notJudged(written(not_judged.count, lang)), { fill: SOFT })]
      : []),
  ];
}

/**
 * The matrix as an image without external resources: the highest risks at the top right, as usual.
 * @param lang BCP 47 tag of the language of texts and numbers
 */
export function matrixSvg(given: MatrixView, lang: string): string {
  const view = inLanguageOf(given, lang);
  const texts = textsOf(lang);
  const title = texts.matrix[view.kind];
  const subtitle = `${texts.judged[view.kind]}. ${countRisks(view.total.count, lang)}.`;
  const description = view.levels.map(({ label, count }) => `${label}: ${written(count, lang)}`).join(', ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" lang="${xml(lang)}" aria-labelledby="title description" font-family="Helvetica, Arial, sans-serif">`,
    `<title id="title">${title}</title><desc id="description">${xml(`${subtitle} ${description}.`)}</desc>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(40, 56, title, { size: 30, weight: 700 }),
    text(40, 88, subtitle, { size: 17, fill: SOFT }),
    ...cells(view, lang),
    ...axes(view, lang),
    ...legend(view, lang),
    '</svg>',
    '',
  ].join('\n');
}
