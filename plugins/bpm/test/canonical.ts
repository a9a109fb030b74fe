/** Two XML files with the same content have the same canonical form, however they are written. */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { moddle } from '../notation/model.js';

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const DRAWN = /\/(DI|DC)$/;

interface Open {
  path: string;
  tag: SaxesTagNS;
  text: string;
  bound: Record<string, string>;
}

/**
 * One line for each element, attribute and text, with the path to it and its namespaces in full, sorted. Values of the
 * same meaning are written in one way: numbers of diagrams, qualified names, attributes that state the default value, and
 * types that are the declared ones anyway.
 */
export function canonical(xml: string): string[] {
  const lines: string[] = [];
  const open: Open[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', (tag) => {
    const outer = open.at(-1);
    const bound = Object.assign(Object.create(outer?.bound ?? null) as Record<string, string>, tag.ns);
    const id = tag.attributes['id']?.value;
    const path = `${outer?.path ?? ''}/{${tag.uri}}${tag.local}${id === undefined ? '' : `#${id}`}`;
    open.push({ path, tag, text: '', bound });
    lines.push(path, ...attributesOf(tag, bound, targetOf(open[0]!.tag)).map((attribute) => `${path} ${attribute}`));
  });
  const text = (part: string): void => {
    const inner = open.at(-1);
    if (inner) inner.text += part;
  };
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('closetag', () => {
    const { path, text: content } = open.pop()!;
    if (content.trim() !== '') lines.push(`${path} = ${content.trim()}`);
  });
  parser.write(xml).close();
  return lines.sort();
}

const targetOf = (root: SaxesTagNS): string | undefined => root.attributes['targetNamespace']?.value;

function attributesOf(tag: SaxesTagNS, bound: Record<string, string>, target: string | undefined): string[] {
  return Object.values(tag.attributes).flatMap(({ name, prefix, local, uri, value }) => {
    if (name === 'xmlns' || prefix === 'xmlns') return [];
    if (uri === XSI && local === 'type') {
      const type = expanded(value, bound);
      return type === '{http://www.omg.org/spec/DD/20100524/DC}Point' ? [] : [`xsi:type=${type}`];
    }
    if (uri === '' && defaultOf(tag, local) === value) return [];
    return [`${uri === '' ? local : `{${uri}}${local}`}=${written(tag, value, bound, target)}`];
  });
}

function written(tag: SaxesTagNS, value: string, bound: Record<string, string>, target: string | undefined): string {
  if (!DRAWN.test(tag.uri)) return value;
  if (/^-?\d*\.?\d+$/.test(value)) return String(Number(value));
  const [prefix, local] = value.split(':', 2);
  return local !== undefined && bound[prefix!] === target ? local : value;
}

function expanded(name: string, bound: Record<string, string>): string {
  const [prefix, local] = name.includes(':') ? name.split(':', 2) : ['', name];
  return `{${bound[prefix!] ?? ''}}${local}`;
}

/** The default of an attribute by the descriptors. */
function defaultOf(tag: SaxesTagNS, attribute: string): string | undefined {
  const prefix = moddle.getPackages().find(({ uri }) => uri === tag.uri)?.prefix;
  if (prefix !== 'bpmn') return undefined;
  const type = `bpmn:${tag.local.charAt(0).toUpperCase()}${tag.local.slice(1)}`;
  try {
    const { $descriptor } = moddle.getType(type) as unknown as {
      $descriptor: { propertiesByName: Record<string, { default?: unknown } | undefined> };
    };
    const value = $descriptor.propertiesByName[attribute]?.default;
    return value === undefined ? undefined : String(value);
  } catch {
    return undefined;
  }
}
