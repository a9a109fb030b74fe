import sax from 'sax';

const SVG = 'http://www.w3.org/2000/svg';
const MAX_DEPTH = 256;
const XLINK = 'http://www.w3.org/1999/xlink';

/** What a picture that stands still is made of. No scripts, no links, no foreign content, nothing that changes it. */
const ELEMENTS = new Set([
  'svg', 'g', 'defs', 'symbol', 'use', 'title', 'desc', 'metadata', 'style', 'switch', 'view',
  'path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan', 'textPath', 'image',
  'linearGradient', 'radialGradient', 'stop', 'clipPath', 'mask', 'pattern', 'marker',
  'filter', 'feBlend', 'feColorMatrix', 'feComponentTransfer', 'feComposite', 'feConvolveMatrix', 'feDiffuseLighting', 'feDisplacementMap', 'feDistantLight', 'feDropShadow',
  'feFlood', 'feFuncA', 'feFuncB', 'feFuncG', 'feFuncR', 'feGaussianBlur', 'feMerge', 'feMergeNode', 'feMorphology', 'feOffset', 'fePointLight', 'feSpecularLighting', 'feSpotLight', 'feTile', 'feTurbulence',
]);
/** Notes that drawing programs leave, which no browser reads. */
const NOTES = /^http:\/\/(www\.inkscape\.org\/|sodipodi\.sourceforge\.net\/|www\.w3\.org\/1999\/02\/22-rdf-syntax-ns#|purl\.org\/dc\/|creativecommons\.org\/ns#|web\.resource\.org\/cc\/|ns\.adobe\.com\/|www\.bohemiancoding\.com\/sketch\/ns|www\.serif\.com\/)/;
/** A part of the same picture, or a raster image within it. */
const HARMLESS_LINK = /^(#[^\s]*|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*)$/;
/** The document type that drawing programs write; nobody reads what it names. Without an inner part it declares nothing. */
const USUAL_DOCTYPE = /^\s*svg\s+PUBLIC\s+"-\/\/W3C\/\/DTD SVG [\w. ]+\/\/EN"\s+"https?:\/\/www\.w3\.org\/[\w./-]+"\s*$/;
/** Fetches something, or could be read as something that does once its escapes are undone. */
const FETCHES = /@import|@charset|@namespace|expression\s*\(|image-set|\bsrc\s*\(|\\|url\s*\((?!\s*["']?#)/i;

/**
 * Why an SVG may not be shown to others: it holds what can run, or fetches something, or is no SVG.
 * @param bytes a file that begins as XML does
 * @returns the first reason; undefined where there is none
 */
export function svgFault(bytes: Buffer): string | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'is no UTF-8';
  }
  try {
    read(text);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

/** Ends the reading: what follows a fault is not looked at. */
class Fault extends Error {}

/** @throws Fault */
function read(text: string): void {
  const parser = sax.parser(true, { xmlns: true, position: false, strictEntities: true } as sax.SAXOptions);
  let root: string | undefined;
  let depth = 0;
  /** Depth of the style that is open; its text may come in several pieces. */
  let style: number | undefined;
  let css = '';
  const say = (reason: string): never => { throw new Fault(reason); };
  parser.onerror = () => say('is no well-formed XML');
  parser.ondoctype = (doctype) => { if (!USUAL_DOCTYPE.test(doctype)) say('has a document type'); };
  parser.onprocessinginstruction = ({ name, body }) => {
    if (name !== 'xml') say('has a processing instruction');
    else if (/encoding/i.test(body) && !/encoding\s*=\s*["']utf-?8["']/i.test(body)) say('is not encoded in UTF-8');
  };
  parser.onopentag = (tag) => {
    const { local, uri, attributes } = tag as sax.QualifiedTag;
    root ??= `${uri} ${local}`;
    if (++depth > MAX_DEPTH) say('is nested too deeply');
    if (uri === SVG ? !ELEMENTS.has(local) : !NOTES.test(uri)) say(`has the element ${shown(local)}`);
    if (uri === SVG && local === 'style') style ??= depth;
    for (const attribute of Object.values(attributes)) {
      const reason = attributeFault(attribute);
      if (reason !== undefined) say(reason);
    }
  };
  parser.ontext = parser.oncdata = (piece) => { if (style !== undefined) css += piece; };
  parser.onclosetag = () => {
    if (style === depth) {
      if (FETCHES.test(css)) say('has a style that fetches something');
      style = undefined;
      css = '';
    }
    depth--;
  };
  parser.write(text).close();
  if (root !== `${SVG} svg`) say('is no SVG');
}

const shown = (name: string): string => name.slice(0, 40);

function attributeFault({ local, name, uri, value }: sax.QualifiedAttribute): string | undefined {
  if (/^on/i.test(local)) return `has the attribute ${shown(name)}`;
  if (name === 'xml:base') return 'has the attribute xml:base';
  if (local === 'href' && (uri === '' || uri === XLINK)) return HARMLESS_LINK.test(value.trim()) ? undefined : 'links to something outside';
  if (name.startsWith('xmlns')) return undefined;
  if (/javascript:|vbscript:/i.test(value.replace(/[\s\p{Cc}]/gu, ''))) return `has a script in ${shown(name)}`;
  // Of the attributes of notes nothing is read.
  return uri === '' && (local === 'style' || /url\s*\(|image-set/i.test(value)) && FETCHES.test(value) ? `fetches something by ${shown(name)}` : undefined;
}
