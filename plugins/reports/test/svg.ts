/** Reads SVG pictures as boxes of text on filled areas, and finds what makes them hard to read or unsafe. */
import { SaxesParser } from 'saxes';

type Matrix = readonly [number, number, number, number, number, number];

/** A text with its box in the coordinates of the picture. */
export interface TextBox {
  content: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** In px of the picture. */
  fontSize: number;
  fill: string;
  /** The colour of the last area drawn below its middle. */
  ground: string;
}
/** An icon with its square in the coordinates of the picture. */
export interface IconBox {
  /** Its outline, the same for the same icon. */
  outline: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  fill: string;
  ground: string;
}
export interface SvgContent {
  /** In units of the view box. */
  width: number;
  height: number;
  texts: readonly TextBox[];
  icons: readonly IconBox[];
  links: readonly string[];
  titles: readonly string[];
  /** What is wrong with the picture; empty if nothing is. */
  problems: readonly string[];
}

const ALLOWED = new Set(
  'svg title desc defs marker g a path rect circle ellipse line polyline polygon text'.split(' '),
);
const SLACK = 0.75;

const times = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
];

/** The matrix of a `transform` attribute. @throws if it has something else than translate, scale, rotate and matrix */
function matrixOf(transform: string | undefined): Matrix {
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  for (const [, name, list] of (transform ?? '').matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [a = 0, b = 0, c = 0, ...rest] = list!
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    if (name === 'translate') matrix = times(matrix, [1, 0, 0, 1, a, b]);
    else if (name === 'scale') matrix = times(matrix, [a, 0, 0, b || a, 0, 0]);
    else if (name === 'matrix') matrix = times(matrix, [a, b, c, rest[0]!, rest[1]!, rest[2]!]);
    else if (name === 'rotate') {
      const [cos, sin] = [Math.cos((a * Math.PI) / 180), Math.sin((a * Math.PI) / 180)];
      matrix = times(times(times(matrix, [1, 0, 0, 1, b, c]), [cos, sin, -sin, cos, 0, 0]), [1, 0, 0, 1, -b, -c]);
    } else throw new Error(`unknown transform ${name}`);
  }
  return matrix;
}

/** The box around a rectangle after a transformation. */
function boxOf(matrix: Matrix, x: number, y: number, width: number, height: number) {
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ].map(([px, py]) => [matrix[0] * px! + matrix[2] * py! + matrix[4], matrix[1] * px! + matrix[3] * py! + matrix[5]]);
  const [xs, ys] = [corners.map(([px]) => px!), corners.map(([, py]) => py!)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}
type Box = ReturnType<typeof boxOf>;

/** The box of a closed path of straight lines, as bars are drawn; undefined for others. */
function boxOfPath(d: string, matrix: Matrix): Box | undefined {
  if (!/z\s*$/i.test(d) || /[acqst]/i.test(d)) return undefined;
  let [x, y] = [0, 0];
  const points: [number, number][] = [];
  for (const [, command, list] of d.matchAll(/([MLHV])([^MLHVZ]*)/gi)) {
    const numbers = (list!.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    const isRelative = command === command!.toLowerCase();
    const kind = command!.toUpperCase();
    const step = kind === 'H' || kind === 'V' ? 1 : 2;
    for (let i = 0; i < numbers.length; i += step) {
      if (kind !== 'V') x = numbers[i]! + (isRelative ? x : 0);
      if (kind !== 'H') y = numbers[i + step - 1]! + (isRelative ? y : 0);
      points.push([x, y]);
    }
  }
  const [xs, ys] = [points.map(([px]) => px), points.map(([, py]) => py)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return boxOf(matrix, left, top, Math.max(...xs) - left, Math.max(...ys) - top);
}

function contrast(a: string, b: string): number {
  const [low, high] = [a, b]
    .map((color) => {
      const [r, g, blue] = [1, 3, 5].map((at) => {
        const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      }) as [number, number, number];
      return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
    })
    .sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Pairs of texts whose boxes overlap. */
function overlaps(texts: readonly TextBox[]): string[] {
  const sorted = texts.toSorted((a, b) => a.top - b.top);
  return sorted.flatMap((a, i) => {
    const found: string[] = [];
    for (let k = i + 1; k < sorted.length && sorted[k]!.top < a.bottom - SLACK; k++) {
      const b = sorted[k]!;
      if (b.left < a.right - SLACK && b.right > a.left + SLACK) found.push(`“${a.content}” touches “${b.content}”`);
    }
    return found;
  });
}

/** Icons are squares of 24 units; no other path is both moved and scaled by its own attribute. */
const ICON = /^translate\([^)]*\) scale\([\d.]+\)$/;
const ICON_SIZE = 24;

/** Icons that touch a text or another icon, are not within the picture, or can hardly be seen. */
function iconProblems(icons: readonly IconBox[], texts: readonly TextBox[], width: number, height: number): string[] {
  return icons.flatMap(({ outline, left, top, right, bottom, fill, ground }, i) => {
    const name = `icon ${outline.slice(0, 20)}`;
    const near = [
      ...texts.map((one) => ({ ...one, name: one.content })),
      ...icons.slice(i + 1).map((one) => ({ ...one, name: 'icon' })),
    ];
    const touched = near.filter(
      (one) =>
        one.left < right - SLACK && one.right > left + SLACK && one.top < bottom - SLACK && one.bottom > top + SLACK,
    );
    return [
      ...touched.map((one) => `${name} touches “${one.name}”`),
      ...(left < -SLACK || top < -SLACK || right > width + SLACK || bottom > height + SLACK ? [`${name} is cut`] : []),
      ...(contrast(fill, ground) < 3 ? [`${name}: ${fill} on ${ground}`] : []),
    ];
  });
}

const hasText = (text: string): boolean => text.trim() !== '';

/**
 * Reads a picture.
 * @param minFont the least size of a text in px
 * @returns its texts and links, and its problems
 */
export function readSvg(svg: string, minFont = 10): SvgContent {
  const problems: string[] = [];
  const texts: TextBox[] = [];
  const icons: IconBox[] = [];
  const [links, titles, ids, named]: [string[], string[], string[], string[]] = [[], [], [], []];
  const areas: { box: Box; fill: string }[] = [];
  const stack: { name: string; matrix: Matrix; attributes: Record<string, string>; text: string }[] = [];
  const rootChildren: string[] = [];
  let [width, height, unit] = [0, 0, 1];

  function groundAt({ left, right, top, bottom }: Box): string {
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const isBelow = ({ box }: (typeof areas)[number]): boolean =>
      box.left <= x && box.right >= x && box.top <= y && box.bottom >= y;
    return areas.findLast(isBelow)?.fill ?? '#ffffff';
  }

  function addText(content: string, attributes: Record<string, string>, matrix: Matrix): void {
    const [size, length] = [Number(attributes['font-size']), Number(attributes.textLength)];
    if (!hasText(content) || !(length > 0) || attributes.lengthAdjust !== 'spacingAndGlyphs')
      problems.push(`“${content}” has no measured width`);
    const shift = { middle: length / 2, end: length }[attributes['text-anchor'] ?? ''] ?? 0;
    const [x, y] = [Number(attributes.x) - shift, Number(attributes.y) - size * 0.78];
    const box = boxOf(matrix, x, y, length, size * 0.98);
    const fontSize = size * Math.hypot(matrix[0], matrix[1]) * unit;
    texts.push({ content, ...box, fontSize, fill: attributes.fill!, ground: groundAt(box) });
  }

  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes: given }) => {
    const attributes = given as Record<string, string>;
    if (!ALLOWED.has(name)) problems.push(`element ${name}`);
    for (const [key, value] of Object.entries(attributes)) {
      if (/^on|^style$|^class$/i.test(key)) problems.push(`attribute ${key}`);
      if (/NaN|Infinity|undefined/.test(value)) problems.push(`${name} ${key}="${value}"`);
      if (/url\((?!#)/.test(value) || /javascript:/i.test(value)) problems.push(`reference ${value}`);
      if (/href$/.test(key) && name !== 'a') problems.push(`reference ${value}`);
    }
    if (attributes.id !== undefined) ids.push(attributes.id);
    if (name === 'a') links.push(attributes.href ?? '');
    if (name === 'svg' && stack.length === 0) {
      [width, height] = attributes.viewBox!.split(' ').slice(2).map(Number) as [number, number];
      unit = Number(attributes.width) / width;
      named.push(...attributes['aria-labelledby']!.split(' '));
      if (attributes.role !== 'img') problems.push('no role');
    }
    if (stack.length === 1) rootChildren.push(name);
    const matrix = times(stack.at(-1)?.matrix ?? [1, 0, 0, 1, 0, 0], matrixOf(attributes.transform));
    stack.push({ name, matrix, attributes, text: '' });
    const { fill } = attributes;
    if (fill === undefined || fill === 'none' || stack.some((one) => one.name === 'defs')) return;
    if (name === 'path' && ICON.test(attributes.transform ?? '')) {
      const box = boxOf(matrix, 0, 0, ICON_SIZE, ICON_SIZE);
      icons.push({ outline: attributes.d!, ...box, fill, ground: groundAt(box) });
      return;
    }
    const [x, y, w, h] = [attributes.x, attributes.y, attributes.width, attributes.height].map(Number);
    const box = name === 'rect' ? boxOf(matrix, x!, y!, w!, h!) : name === 'path' && boxOfPath(attributes.d!, matrix);
    if (box) areas.push({ box, fill });
  });
  parser.on('text', (text) => {
    const last = stack.at(-1);
    if (last) last.text += text;
  });
  parser.on('closetag', () => {
    const { name, text, attributes, matrix } = stack.pop()!;
    if (name === 'text') addText(text, attributes, matrix);
    else if (name === 'title') titles.push(text);
    else if (name !== 'desc' && hasText(text)) problems.push(`text “${text}” in ${name}`);
  });
  try {
    parser.write(svg).close();
  } catch (error) {
    problems.push(`not well-formed: ${String(error)}`);
  }

  if (rootChildren[0] !== 'title' || rootChildren[1] !== 'desc') problems.push('no title and description');
  if (new Set(ids).size < ids.length) problems.push('identifiers are not unique');
  problems.push(...named.filter((id) => !ids.includes(id)).map((id) => `no element ${id}`));
  for (const { content, left, right, top, bottom, fontSize, fill, ground } of texts) {
    if (left < -SLACK || top < -SLACK || right > width + SLACK || bottom > height + SLACK)
      problems.push(
        `“${content}” is cut: ${[left, top, right, bottom].map(Math.round).join(' ')} of ${width} ${height}`,
      );
    if (fontSize < minFont - 0.01) problems.push(`“${content}” is ${fontSize.toFixed(1)} px high`);
    if (contrast(fill, ground) < 4.5) problems.push(`“${content}”: ${fill} on ${ground}`);
  }
  problems.push(...overlaps(texts), ...iconProblems(icons, texts, width, height));
  return { width, height, texts, icons, links, titles, problems };
}
