/** The blocks of a text as paragraphs of Word. */
import { plainText, type Runs, type TextBlock } from '../text/blocks.js';
import { textWidth } from './page.js';
import { BULLET_LIST, DEEPEST_LEVEL, FIRST_LIST } from './styles.js';
import { BOLD, cell, columnWidths, HEADER_FILL, looks, row, tableStart } from './table.js';
import { paragraph, run, runs, type LinkTo } from './xml.js';

/** Where a block stands. */
interface Place {
  /** How many lists it is in. */
  depth: number;
  isQuoted: boolean;
}

/** Writes texts, and collects the ordered lists that `numberingXml` must define. */
export class TextWriter {
  readonly lists: { level: number; start: number }[] = [];
  readonly #linkTo: LinkTo;

  constructor(linkTo: LinkTo) {
    this.#linkTo = linkTo;
  }

  *blocks(blocks: readonly TextBlock[], place: Place = { depth: 0, isQuoted: false }): Generator<string> {
    for (const block of blocks) yield* this.#block(block, place);
  }

  *#block(block: TextBlock, place: Place): Generator<string> {
    const indent = place.depth === 0 ? '' : `<w:ind w:left="${425 * Math.min(place.depth, DEEPEST_LEVEL + 1)}"/>`;
    switch (block.kind) {
      // Within a list or a quotation there are no headings of the document.
      case 'heading':
        yield paragraph(
          place.isQuoted ? 'Quote' : 'Normal',
          run(plainText(block.runs), BOLD),
          `<w:keepNext/>${indent}`,
        );
        return;
      case 'paragraph':
        yield paragraph(place.isQuoted ? 'Quote' : 'Normal', runs(block.runs, this.#linkTo), indent);
        return;
      case 'code':
        yield paragraph('Code', run(block.text), indent);
        return;
      case 'rule':
        yield paragraph('Rule', '');
        return;
      case 'quote':
        yield* this.blocks(block.blocks, { ...place, isQuoted: true });
        return;
      case 'list':
        yield* this.#list(block, place);
        return;
      case 'table':
        yield* this.#table(block);
    }
  }

  *#list({ start, items }: TextBlock & { kind: 'list' }, place: Place): Generator<string> {
    const level = Math.min(place.depth, DEEPEST_LEVEL);
    if (start !== null) this.lists.push({ level, start: Math.min(start, 32_767) });
    const number = start === null ? BULLET_LIST : FIRST_LIST + this.lists.length - 1;
    const bullet = `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${number}"/></w:numPr>`;
    const inner = { ...place, depth: place.depth + 1 };
    for (const item of items) {
      const [first, ...rest] = item;
      // The sign of an item belongs to its first paragraph; other items have one without text.
      if (first?.kind === 'paragraph') yield paragraph('ListParagraph', runs(first.runs, this.#linkTo), bullet);
      else yield paragraph('ListParagraph', '', bullet);
      yield* this.blocks(first?.kind === 'paragraph' ? rest : item, inner);
    }
  }

  *#table({ alignments, rows }: TextBlock & { kind: 'table' }): Generator<string> {
    const texts = rows.slice(0, 200).map((cells) => cells.map(plainText));
    const widths = columnWidths(texts, alignments.length, textWidth('portrait'));
    yield tableStart(widths);
    for (const [index, cells] of rows.entries())
      yield row(this.#cells(cells, widths, alignments, index === 0), index === 0);
    yield '</w:tbl>';
    yield paragraph('TableNote', '');
  }

  #cells(
    cells: readonly Runs[],
    widths: readonly number[],
    alignments: readonly string[],
    isHeader: boolean,
  ): string[] {
    return widths.map((width, column) => {
      const content = (cells[column] ?? []).map((piece) => (isHeader ? { ...piece, bold: true } : piece));
      const align = alignments[column] === 'left' ? '' : `<w:jc w:val="${alignments[column]}"/>`;
      return cell({
        width,
        content: paragraph(looks(widths.length).style, runs(content, this.#linkTo), align),
        ...(isHeader && { fill: HEADER_FILL }),
      });
    });
  }
}
