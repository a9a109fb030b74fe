/** Finds what a picture must not contain. */
import { SaxesParser } from 'saxes';

const ELEMENTS = /^(svg|title|desc|defs|g|a|path|rect|text|image|linearGradient|radialGradient|stop)$/;

/** Elements, attributes and addresses that are not allowed in a picture; throws where it is not well-formed. */
export function unsafeParts(svg: string): string[] {
  const found: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (!ELEMENTS.test(name)) found.push(name);
    for (const [key, value] of Object.entries(attributes as Record<string, string>)) {
      if (/^on/i.test(key) || key === 'style') found.push(`${name} ${key}`);
      if (/href$/.test(key) && !/^(https?:\/\/|mailto:|data:image\/(png|jpeg);base64,)/.test(value)) found.push(value);
      if (/url\((?!#)/.test(value)) found.push(value);
      if (/NaN|Infinity|undefined/.test(value) && key !== 'data-cell-id') found.push(`${name} ${key}=${value}`);
    }
  });
  parser.write(svg).close();
  return found;
}
