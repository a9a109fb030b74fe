/** The style of a cell as draw.io applies it: named styles, defaults, numbers and colours within bounds. */
import { boundedNumber, type DrawioCell } from '../drawio/index.js';

const TEXT = { fillColor: 'none', gradientColor: 'none', strokeColor: 'none', align: 'left', verticalAlign: 'top' };
const LABEL = {
  fontStyle: '1',
  align: 'left',
  verticalAlign: 'middle',
  spacing: '2',
  spacingLeft: '52',
  imageWidth: '42',
  imageHeight: '42',
  rounded: '1',
};
const IMAGE = {
  shape: 'image',
  labelBackgroundColor: '#ffffff',
  verticalAlign: 'top',
  verticalLabelPosition: 'bottom',
};
const tint = (fillColor: string, gradientColor: string, strokeColor: string): Record<string, string> => ({
  fillColor,
  gradientColor,
  strokeColor,
});
const TINTS: Record<string, Record<string, string>> = {
  gray: tint('#F5F5F5', '#B3B3B3', '#666666'),
  blue: tint('#DAE8FC', '#7EA6E0', '#6C8EBF'),
  green: tint('#D5E8D4', '#97D077', '#82B366'),
  turquoise: tint('#D5E8D4', '#67AB9F', '#6A9153'),
  yellow: tint('#FFF2CC', '#FFD966', '#D6B656'),
  orange: tint('#FFCD28', '#FFA500', '#D79B00'),
  red: tint('#F8CECC', '#EA6B66', '#B85450'),
  pink: tint('#E6D0DE', '#B5739D', '#996185'),
  purple: tint('#E1D5E7', '#8C6C9C', '#9673A6'),
};

/** Named styles of draw.io (https://github.com/jgraph/drawio/blob/dev/src/main/webapp/styles/default.xml). */
const NAMED = new Map<string, Record<string, string>>([
  ['text', TEXT],
  ['edgeLabel', { ...TEXT, labelBackgroundColor: '#ffffff', fontSize: '11' }],
  ['label', LABEL],
  [
    'icon',
    {
      ...LABEL,
      align: 'center',
      imageAlign: 'center',
      verticalLabelPosition: 'bottom',
      verticalAlign: 'top',
      labelBackgroundColor: '#ffffff',
      spacing: '0',
      spacingLeft: '0',
      spacingTop: '6',
      fontStyle: '0',
      imageWidth: '48',
      imageHeight: '48',
    },
  ],
  ['swimlane', { shape: 'swimlane', fontSize: '12', fontStyle: '1', startSize: '23' }],
  ['group', { verticalAlign: 'top', fillColor: 'none', strokeColor: 'none', gradientColor: 'none' }],
  ['ellipse', { shape: 'ellipse', perimeter: 'ellipsePerimeter' }],
  ['rhombus', { shape: 'rhombus', perimeter: 'rhombusPerimeter' }],
  ['triangle', { shape: 'triangle', perimeter: 'trianglePerimeter' }],
  ['line', { shape: 'line', strokeWidth: '4', labelBackgroundColor: '#ffffff', verticalAlign: 'top', spacingTop: '8' }],
  ['image', IMAGE],
  ['roundImage', { ...IMAGE, perimeter: 'ellipsePerimeter' }],
  ['rhombusImage', { ...IMAGE, perimeter: 'rhombusPerimeter' }],
  ['arrow', { shape: 'arrow', edgeStyle: 'none', fillColor: '#ffffff' }],
  ['fancy', { shadow: '1', glass: '1' }],
  ...Object.entries(TINTS).flatMap(([name, values]): [string, Record<string, string>][] => [
    [name, { shadow: '1', glass: '1', ...values }],
    [`plain-${name}`, values],
  ]),
]);

const BOTH = {
  fontFamily: 'Helvetica',
  align: 'center',
  verticalAlign: 'middle',
  strokeColor: '#000000',
  fontColor: '#000000',
};
const VERTEX = { ...BOTH, shape: 'label', perimeter: 'rectanglePerimeter', fontSize: '12', fillColor: '#ffffff' };
const EDGE = {
  ...BOTH,
  shape: 'connector',
  labelBackgroundColor: '#ffffff',
  endArrow: 'classic',
  fontSize: '11',
  rounded: '1',
};

/** Colours of CSS by name that draw.io files use, and words that stand for colours of the page. */
const COLOUR =
  /^(#[0-9a-f]{3}|#[0-9a-f]{4}|#[0-9a-f]{6}|#[0-9a-f]{8}|[a-z]{3,20}|(rgb|hsl)a?\([0-9.,%/ a-z-]{3,60}\))$/i;
const NOT_COLOURS = /^(none|inherit|initial|unset|currentcolor|transparent|swimlane|indicated|auto)$/i;

/** A colour that SVG understands; undefined for none. @param light the first colour of `light-dark(…)` is used */
export function colourOf(text: string | undefined): string | undefined {
  let value = text?.trim();
  const pair = /^light-dark\(\s*((?:[^(),]|\([^()]*\))+),/i.exec(value ?? '');
  if (pair) value = pair[1]!.trim();
  // Variables of CSS state a colour for readers that do not know them.
  const variable = /^var\(\s*--[\w-]+\s*,\s*((?:[^()]|\([^()]*\))+)\)$/i.exec(value ?? '');
  if (variable) value = variable[1]!.trim();
  if (value === undefined || NOT_COLOURS.test(value) || !COLOUR.test(value)) return undefined;
  return value.toLowerCase();
}

/** The effective values of a cell's style. */
export class CellStyle {
  private readonly values: ReadonlyMap<string, string>;
  /** Name of the shape. */
  readonly shape: string;
  private around: CellStyle | undefined;
  /** The nearest swimlane around. */
  private lane: CellStyle | undefined;

  constructor(
    cell: DrawioCell,
    /** Colours for `default`: of the background, of lines and of text. */
    private readonly theme: Theme,
  ) {
    const values = new Map(Object.entries<string>(cell.edge ? EDGE : VERTEX));
    for (const { key, value } of cell.style) {
      if (value !== undefined) {
        if (value === 'none' && !KEEPS_NONE.test(key)) values.delete(key);
        else values.set(key, value);
        continue;
      }
      // Names of unknown styles have no effect, as in draw.io.
      for (const [name, one] of Object.entries(NAMED.get(key.trim()) ?? {})) values.set(name, one);
    }
    this.values = values;
    this.shape = values.get('shape') ?? 'label';
  }

  /** States the style of the cell that contains this one, for colours that are taken from it. */
  within(around: CellStyle): void {
    this.around = around;
    this.lane = around.shape === 'swimlane' ? around : around.lane;
  }

  get(key: string): string | undefined {
    return this.values.get(key);
  }

  /** A word of a list; the first one where the style has another. */
  word<Word extends string>(key: string, words: readonly [Word, ...Word[]]): Word {
    return words.find((word) => word === this.values.get(key)) ?? words[0];
  }

  number(key: string, otherwise: number, limit?: number): number {
    return boundedNumber(this.values.get(key), otherwise, limit);
  }

  is(key: string, otherwise = false): boolean {
    const value = this.values.get(key);
    return value === undefined ? otherwise : value === '1' || value === 'true';
  }

  /** A colour; undefined for none. @param otherwise where the style does not name the key */
  colour(key: string, otherwise?: string): string | undefined {
    const value = this.values.get(key);
    if (value === undefined) return otherwise;
    if (value === 'default') return this.defaultOf(key);
    if (value === 'inherit') return this.around?.colour(key);
    if (value === 'swimlane') return this.lane?.fill ?? (/^(stroke|font)Color$/.test(key) ? '#000000' : '#ffffff');
    return colourOf(value);
  }

  get fill(): string | undefined {
    return this.colour('fillColor');
  }

  get stroke(): string | undefined {
    return this.colour('strokeColor');
  }

  get strokeWidth(): number {
    return Math.max(0, this.number('strokeWidth', 1, 200));
  }

  /** Degrees, clockwise. */
  get rotation(): number {
    return this.number('rotation', 0) % 360;
  }

  private defaultOf(key: string): string {
    if (/^(fillColor|labelBackgroundColor|swimlaneFillColor|gradientColor)$/.test(key)) return this.theme.background;
    return key === 'fontColor' ? this.theme.text : this.theme.line;
  }
}

/** Keys for which `none` is a value, and not the absence of one. */
const KEEPS_NONE =
  /^(startArrow|endArrow|edgeStyle|fillColor|strokeColor|gradientColor|labelBackgroundColor|swimlaneFillColor|perimeter|.*Color|symbol|outline|.*Style)$/i;

/** Colours of a page. */
export interface Theme {
  background: string;
  line: string;
  text: string;
}
