/** Pictures for dark pages: light colours become dark ones and the reverse, hues stay. */

/** Lightness of what was white, and the range up to what was black. */
const [DARKEST, RANGE] = [0.1, 0.86];

const NAMES: Record<string, string> = {
  white: '#ffffff',
  black: '#000000',
  red: '#ff0000',
  blue: '#0000ff',
  gray: '#808080',
};

/** Red, green and blue from 0 to 1; undefined for colours that are not given by numbers. */
function channelsOf(colour: string): [number, number, number] | undefined {
  const text = NAMES[colour] ?? colour;
  const [, short, long] = /^#(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(text) ?? [];
  const hex = long ?? short?.replace(/./g, '$&$&');
  if (hex !== undefined)
    return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as [number, number, number];
  const numbers = /^rgba?\(\s*([\d.]+)\s*,\s*([\d.]+)\s*,\s*([\d.]+)/.exec(text)?.slice(1, 4);
  return numbers?.map((one) => Math.min(255, Number(one)) / 255) as [number, number, number] | undefined;
}

/** A colour of the same hue and saturation with the reverse lightness (HSL). */
function reversed(colour: string): string {
  const channels = channelsOf(colour);
  if (!channels) return colour;
  const [most, least] = [Math.max(...channels), Math.min(...channels)];
  const lightness = (most + least) / 2;
  const wanted = DARKEST + (1 - lightness) * RANGE;
  const spread = most - least;
  const saturation = spread === 0 ? 0 : spread / (1 - Math.abs(2 * lightness - 1));
  const wide = saturation * (1 - Math.abs(2 * wanted - 1));
  return `#${channels
    .map((one) => {
      const share = spread === 0 ? 0.5 : (one - least) / spread;
      const value = Math.round(Math.max(0, Math.min(1, wanted + (share - 0.5) * wide)) * 255);
      return value.toString(16).padStart(2, '0');
    })
    .join('')}`;
}

/** The same picture in colours for a dark page; embedded images stay as they are. */
export function darkened(svg: string): string {
  return svg.replace(
    / (fill|stroke|stop-color)="([^"]*)"/g,
    (_, name: string, colour: string) => ` ${name}="${reversed(colour)}"`,
  );
}
