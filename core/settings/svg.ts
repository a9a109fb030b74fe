import { XmlFault, XmlReader, type XmlTag } from '../foundation/xml.js';
import { isAllowedAttribute, isAllowedElement, isLink, isSvg } from './svg-allowed.js';

const LIMITS = { depth: 256, attributes: 256 };
/** A part of the same image, or an embedded raster image. */
const HARMLESS_LINK = /^(#[^\s]*|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*)$/;
/**
 * The usual document type of drawing programs; its URL is not fetched. Without an internal subset it declares nothing.
 */
const USUAL_DOCTYPE =
  /^\s*svg\s+PUBLIC\s+"-\/\/W3C\/\/DTD SVG [\w. ]+\/\/EN"\s+"https?:\/\/www\.w3\.org\/[\w./-]+"\s*$/;
/** CSS that loads a resource, or might do so after its escapes are decoded. */
const FETCHES = /@import|@charset|@namespace|expression\s*\(|image-set|\bsrc\s*\(|\\|url\s*\((?!\s*["']?#)/i;

/**
 * The reason why an SVG must not be shown to other users: it contains active content, loads a resource, or is not an
 * SVG.
 * @param bytes a file that begins like XML
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
    if (error instanceof XmlFault) return `${error.reason} (line ${error.line})`;
    throw error;
  }
}

/** Stops the parsing at the first finding. */
class Fault extends Error {}

/** @throws Fault, XmlFault */
function read(text: string): void {
  let root: boolean | undefined;
  let depth = 0;
  /** Depth of the open `style` element; its text may arrive in several pieces. */
  let style: number | undefined;
  let css = '';
  const reader = new XmlReader(
    {
      doctype(doctype) {
        if (!USUAL_DOCTYPE.test(doctype)) throw new Fault('has a document type');
      },
      instruction() {
        throw new Fault('has a processing instruction');
      },
      open({ local, uri, attributes }) {
        root ??= isSvg(uri) && local === 'svg';
        depth++;
        if (!isAllowedElement(uri, local)) throw new Fault(`has the element ${shown(local)}`);
        if (isSvg(uri) && local === 'style') style ??= depth;
        for (const attribute of Object.values(attributes)) {
          const reason = attributeFault(attribute, uri);
          if (reason !== undefined) throw new Fault(reason);
        }
      },
      text(piece) {
        if (style !== undefined) css += piece;
      },
      close() {
        if (style === depth) {
          if (FETCHES.test(css)) throw new Fault('has a style that fetches something');
          style = undefined;
          css = '';
        }
        depth--;
      },
    },
    LIMITS,
  );
  reader.write(text);
  reader.end();
  if (!root) throw new Fault('is no SVG');
}

const shown = (name: string): string => name.slice(0, 40);

/** @param element namespace of the element */
function attributeFault(
  { local, name, uri, value }: XmlTag['attributes'][string],
  element: string,
): string | undefined {
  // Declaring a namespace is allowed, because it does not use it.
  if (name === 'xmlns' || name.startsWith('xmlns:')) return undefined;
  if (!isAllowedAttribute(uri, local, element)) return `has the attribute ${shown(name)}`;
  if (isLink(uri, local)) return HARMLESS_LINK.test(value.trim()) ? undefined : 'links to something outside';
  if (/javascript:|vbscript:/i.test(value.replace(/[\s\p{Cc}]/gu, ''))) return `has a script in ${shown(name)}`;
  // Attribute values in other namespaces are ignored by browsers.
  return uri === '' && (local === 'style' || /url\s*\(|image-set/i.test(value)) && FETCHES.test(value)
    ? `fetches something by ${shown(name)}`
    : undefined;
}
