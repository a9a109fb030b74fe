/** The texts of a picture with their places. */
import { SaxesParser } from 'saxes';

export interface SvgText {
  text: string;
  x: number;
  /** The baseline. */
  y: number;
  width: number;
  size: number;
  bold: boolean;
  fill: string;
  decoration: string | undefined;
}

/** Reads the texts in the order of drawing, without the transformations around them. */
export function textsOf(svg: string): SvgText[] {
  const texts: SvgText[] = [];
  let open: SvgText | undefined;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    if (name !== 'text') return;
    const of = attributes as Record<string, string>;
    const [, movedX, movedY] = /translate\((\S+) (\S+)\)/.exec(of.transform ?? '') ?? [];
    open = {
      text: '',
      x: Number(of.x ?? movedX),
      y: Number(of.y ?? movedY),
      width: Number(of.textLength ?? 0),
      size: Number(of['font-size']),
      bold: of['font-weight'] === '700',
      fill: of.fill ?? '',
      decoration: of['text-decoration'],
    };
  });
  parser.on('text', (text) => {
    if (open) open.text += text;
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'text' && open) texts.push(open);
    if (name === 'text') open = undefined;
  });
  parser.write(svg).close();
  return texts;
}
