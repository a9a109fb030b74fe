/** Draws custom shapes, `shape=stencil(…)`: see https://www.drawio.com/doc/faq/shape-complex-create-edit. */
import type { XmlElement } from '../../drawio/index.js';
import { boundedNumber } from '../../drawio/index.js';
import type { Box, Point } from '../geometry.js';
import type { Pen } from '../pen.js';
import { colourOf, type CellStyle } from '../style.js';

/** Scales from the units of the shape to px. */
interface Scale {
  x: number;
  y: number;
  sx: number;
  sy: number;
}

const read = (element: XmlElement, name: string, otherwise = 0): number =>
  boundedNumber(element.attributes.get(name), otherwise, 100_000);

function scaleOf(root: XmlElement, width: number, height: number): Scale {
  const [w, h] = [Math.max(read(root, 'w', 100), 0.01), Math.max(read(root, 'h', 100), 0.01)];
  const [sx, sy] = [width / w, height / h];
  if (root.attributes.get('aspect') !== 'fixed') return { x: 0, y: 0, sx, sy };
  const s = Math.min(sx, sy);
  return { x: (width - w * s) / 2, y: (height - h * s) / 2, sx: s, sy: s };
}

/** Draws the elements of a stencil one after another. */
class StencilPainter {
  private kept = 0;

  constructor(
    private readonly pen: Pen,
    private readonly to: Scale,
    private readonly style: CellStyle,
  ) {}

  all(parent: XmlElement | undefined): void {
    for (const element of parent?.children ?? []) this.one(element);
    for (; this.kept > 0; this.kept--) this.pen.restore();
  }

  private point(element: XmlElement, suffix = ''): Point {
    const { x, y, sx, sy } = this.to;
    return { x: x + read(element, `x${suffix}`) * sx, y: y + read(element, `y${suffix}`) * sy };
  }

  private box(element: XmlElement): Box {
    const { sx, sy } = this.to;
    return { ...this.point(element), width: read(element, 'w') * sx, height: read(element, 'h') * sy };
  }

  private one(element: XmlElement): void {
    if (!this.area(element) && !this.paint(element)) this.ink(element);
  }

  private path(element: XmlElement): void {
    const { pen } = this;
    const [one, two, three] = [this.point(element, '1'), this.point(element, '2'), this.point(element, '3')];
    const { x, y } = this.point(element);
    switch (element.name) {
      case 'move':
        pen.move(x, y);
        break;
      case 'line':
        pen.line(x, y);
        break;
      case 'quad':
        pen.quad(one.x, one.y, two.x, two.y);
        break;
      case 'curve':
        pen.curve(one.x, one.y, two.x, two.y, three.x, three.y);
        break;
      case 'arc': {
        const [rx, ry] = [read(element, 'rx') * this.to.sx, read(element, 'ry') * this.to.sy];
        const flag = (name: string): boolean => read(element, name) === 1;
        pen.arc(rx, ry, read(element, 'x-axis-rotation'), flag('large-arc-flag'), flag('sweep-flag'), x, y);
        break;
      }
      case 'close':
        pen.close();
        break;
    }
  }

  private area(element: XmlElement): boolean {
    const { pen } = this;
    const { x, y, width, height } = this.box(element);
    if (element.name === 'path') {
      pen.begin();
      // A path begins with a move; without one, SVG would refuse all of it.
      if (element.children[0]?.name === 'move') for (const child of element.children) this.path(child);
    } else if (element.name === 'rect') pen.begin().rect(x, y, width, height);
    else if (element.name === 'ellipse') pen.begin().ellipse(x, y, width, height);
    else if (element.name === 'roundrect') {
      const share = (read(element, 'arcsize') || 15) / 100;
      pen.begin().roundRect(x, y, width, height, Math.min(width, height) * share);
    } else return false;
    return true;
  }

  private paint(element: XmlElement): boolean {
    const { pen } = this;
    if (element.name === 'fillstroke') pen.fillStroke();
    else if (element.name === 'fill') pen.fill();
    else if (element.name === 'stroke') pen.stroke();
    else if (element.name === 'save') {
      pen.save();
      this.kept++;
    } else if (element.name === 'restore') {
      if (this.kept > 0) this.kept--;
      pen.restore();
    } else return false;
    return true;
  }

  private colour(element: XmlElement, own: 'fill' | 'stroke'): string | undefined {
    const value = element.attributes.get('color');
    if (value === 'fill') return this.style.fill;
    if (value === 'stroke') return this.style.stroke;
    return colourOf(this.style.get(value ?? '') ?? value) ?? (value === undefined ? this.pen.ink[own] : undefined);
  }

  private ink(element: XmlElement): void {
    const { pen } = this;
    const least = Math.min(this.to.sx, this.to.sy);
    const alpha = Math.max(0, Math.min(1, read(element, 'alpha', 1)));
    const word = (name: string, words: RegExp): string | undefined =>
      words.exec(element.attributes.get(name) ?? '')?.[0];
    switch (element.name) {
      case 'strokecolor':
        pen.ink = { ...pen.ink, stroke: this.colour(element, 'stroke') };
        break;
      case 'fillcolor':
        pen.ink = { ...pen.ink, fill: this.colour(element, 'fill') };
        break;
      case 'strokewidth':
        pen.ink = { ...pen.ink, width: read(element, 'width', 1) * (read(element, 'fixed') === 1 ? 1 : least) };
        break;
      case 'dashed':
        pen.ink = { ...pen.ink, dash: read(element, 'dashed') === 1 ? (pen.ink.dash ?? '3 3') : undefined };
        break;
      case 'dashpattern': {
        const lengths = (element.attributes.get('pattern') ?? '')
          .split(/\s+/)
          .map(Number)
          .filter((one) => one > 0);
        if (lengths.length > 0)
          pen.ink = {
            ...pen.ink,
            dash: lengths
              .slice(0, 8)
              .map((one) => one * least)
              .join(' '),
          };
        break;
      }
      case 'linecap':
        pen.ink = { ...pen.ink, cap: word('cap', /^(round|square)$/) };
        break;
      case 'linejoin':
        pen.ink = { ...pen.ink, join: word('join', /^(round|bevel)$/) };
        break;
      case 'miterlimit':
        pen.ink = { ...pen.ink, miterLimit: Math.max(1, read(element, 'limit', 10)) };
        break;
      case 'alpha':
        pen.ink = { ...pen.ink, fillOpacity: alpha, strokeOpacity: alpha };
        break;
      case 'fillalpha':
        pen.ink = { ...pen.ink, fillOpacity: alpha };
        break;
      case 'strokealpha':
        pen.ink = { ...pen.ink, strokeOpacity: alpha };
        break;
    }
  }
}

/** Draws a stencil into a box whose upper left corner is 0, 0. @param root checked by `readStencil` */
export function drawStencil(root: XmlElement, pen: Pen, width: number, height: number, style: CellStyle): void {
  const to = scaleOf(root, width, height);
  const own = root.attributes.get('strokewidth');
  if (own !== undefined && own !== 'inherit')
    pen.ink = { ...pen.ink, width: read(root, 'strokewidth', 1) * Math.min(to.sx, to.sy) };
  const painter = new StencilPainter(pen, to, style);
  const part = (name: string): XmlElement | undefined => root.children.find((child) => child.name === name);
  pen.save();
  painter.all(part('background'));
  painter.all(part('foreground'));
  pen.restore();
}
