/** The colours of the themes, and the colours that a file gives to its elements. */
import { contrast, mix } from '@lintel/sdk/drawing';
import { textOf, type BpmnNode } from './moddle.js';

export interface Theme {
  background: string;
  /** Text, and lines of shapes. */
  ink: string;
  /** Shapes without a colour of their own. */
  fill: string;
  /** Bands of participants that do not start a choreography, and envelopes of answers. */
  shade: string;
  /** Frames of pools and lanes. */
  frame: string;
  link: string;
}

const LIGHT: Theme = {
  background: '#ffffff',
  ink: '#16202a',
  fill: '#ffffff',
  shade: '#d3dae1',
  frame: '#4a5966',
  link: '#0072b2',
};

const DARK: Theme = {
  background: '#12181f',
  ink: '#eef2f5',
  fill: '#1c252e',
  shade: '#46535f',
  frame: '#8c9aa7',
  link: '#6fb7e8',
};

export const themeOf = (name: 'light' | 'dark'): Theme => (name === 'dark' ? DARK : LIGHT);

/** The colours that a file gives to an element, as `#rrggbb` in lower case. */
export interface OwnColors {
  stroke?: string | undefined;
  fill?: string | undefined;
  label?: string | undefined;
}

/** A property that is a colour; anything but `#rgb` and `#rrggbb` is not one. */
function colorOf(element: BpmnNode | undefined, property: string): string | undefined {
  const value = textOf(element, property).trim();
  if (/^#[0-9a-f]{6}$/i.test(value)) return value.toLowerCase();
  return /^#[0-9a-f]{3}$/i.test(value) ? value.toLowerCase().replace(/[0-9a-f]/g, '$&$&') : undefined;
}

/**
 * The colours of a shape or edge of the interchange and of its label, by the attributes of "BPMN in Color"
 * (`border-color`, `background-color`, `color`) or else by those of bpmn.io (`stroke`, `fill`).
 */
export const ownColors = (di: BpmnNode, label: BpmnNode | undefined): OwnColors => ({
  stroke: colorOf(di, 'border-color') ?? colorOf(di, 'stroke'),
  fill: colorOf(di, 'background-color') ?? colorOf(di, 'fill'),
  label: colorOf(label, 'color'),
});

const onGround = new Map<string, string>();

/** A colour, closer to black or white as far as it needs to have a contrast on a ground. @param least contrast by WCAG 2 */
export function visible(color: string, ground: string, least: number): string {
  const key = `${color}${ground}${least}`;
  const known = onGround.get(key);
  if (known !== undefined) return known;
  const end = contrast('#000000', ground) > contrast('#ffffff', ground) ? '#000000' : '#ffffff';
  let found = end;
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, end, share);
    if (contrast(mixed, ground) < least) continue;
    found = mixed;
    break;
  }
  // A file can name any number of colours.
  if (onGround.size > 1_000) onGround.clear();
  onGround.set(key, found);
  return found;
}

/** The contrast that WCAG 2 (AA) requires of graphics, and of text. */
export const VISIBLE = 3;
export const READABLE = 4.5;

/** The ink of one of the themes, that of the given one if it is readable on a ground. */
export const inkOn = (theme: Theme, ground: string): string =>
  [theme, LIGHT, DARK].find(({ ink }) => contrast(ink, ground) >= READABLE)?.ink ??
  visible(LIGHT.ink, ground, READABLE);
