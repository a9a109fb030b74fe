/** HTML of labels as tokens, by the rules of browsers (https://html.spec.whatwg.org/#tokenization), in linear time. */
import { decodeEntities } from './entities.js';

/** A part of HTML. `raw` is its text in the source. */
export type HtmlToken =
  | { kind: 'text'; raw: string }
  | { kind: 'comment'; raw: string }
  | { kind: 'close'; raw: string; name: string }
  | { kind: 'open'; raw: string; name: string; attributes: HtmlAttribute[] };

/** An attribute with its name in lower case and its value with references resolved. */
export interface HtmlAttribute {
  name: string;
  value: string;
}

/** Elements whose content is text up to their end tag. */
const RAW_TEXT = /^(script|style|textarea|title|xmp|iframe|noembed|noframes|noscript|plaintext)$/;
const SPACE = /[\t\n\f\r ]/;

/** The position after a character class, at most the end. */
function skip(html: string, from: number, of: RegExp): number {
  let at = from;
  while (at < html.length && of.test(html[at]!)) at++;
  return at;
}

/** The first position of a character of a class, at most the end. */
function find(html: string, from: number, of: RegExp): number {
  let at = from;
  while (at < html.length && !of.test(html[at]!)) at++;
  return at;
}

const NAME_END = /[\t\n\f\r />]/;
const ATTRIBUTE_END = /[\t\n\f\r />=]/;
const VALUE_END = /[\t\n\f\r >]/;
const SPACE_OR_SLASH = /[\t\n\f\r /]/;

/** Reads the attributes of a tag. @param from after its name @returns the position after `>`, or undefined where the tag does not end */
function readAttributes(html: string, from: number, to: HtmlAttribute[]): number | undefined {
  let at = from;
  for (;;) {
    at = skip(html, at, SPACE_OR_SLASH);
    if (at >= html.length) return undefined;
    if (html[at] === '>') return at + 1;
    // A `=` at the beginning belongs to the name.
    const nameEnd = find(html, html[at] === '=' ? at + 1 : at, ATTRIBUTE_END);
    const name = html.slice(at, nameEnd).toLowerCase();
    at = skip(html, nameEnd, SPACE);
    let value = '';
    if (html[at] === '=') {
      at = skip(html, at + 1, SPACE);
      const quote = html[at];
      if (quote === '"' || quote === "'") {
        const end = html.indexOf(quote, at + 1);
        if (end < 0) return undefined;
        value = html.slice(at + 1, end);
        at = end + 1;
      } else {
        const end = find(html, at, VALUE_END);
        value = html.slice(at, end);
        at = end;
      }
    }
    to.push({ name, value: decodeEntities(value) });
  }
}

/** The position after a comment or a declaration. */
function commentEnd(html: string, at: number): number {
  if (!html.startsWith('<!--', at)) {
    const end = html.indexOf('>', at);
    return end < 0 ? html.length : end + 1;
  }
  // `<!-->` and `<!--->` are comments too.
  const end = /^<!---?>/.exec(html.slice(at, at + 6));
  if (end) return at + end[0].length;
  const plain = html.indexOf('-->', at + 4);
  const odd = html.indexOf('--!>', at + 4);
  if (plain < 0 && odd < 0) return html.length;
  return odd >= 0 && (plain < 0 || odd < plain) ? odd + 4 : plain + 3;
}

/** Divides HTML into tokens. A tag or comment without end is a comment up to the end of the text: browsers drop it. */
export function tokensOf(html: string): HtmlToken[] {
  const tokens: HtmlToken[] = [];
  let [at, textFrom] = [0, 0];
  const lower = /<(script|style|textarea|title|xmp|iframe|no|plaintext)/i.test(html) ? html.toLowerCase() : '';
  const text = (until: number): void => {
    if (until > textFrom) tokens.push({ kind: 'text', raw: html.slice(textFrom, until) });
  };
  for (let next = html.indexOf('<'); next >= 0; next = html.indexOf('<', at)) {
    const [after, isEnd] = [html[next + 1] ?? '', html[next + 1] === '/'];
    const letter = isEnd ? (html[next + 2] ?? '') : after;
    if (!/[A-Za-z]/.test(letter) && after !== '!' && after !== '?' && !(isEnd && letter !== '')) {
      at = next + 1;
      continue;
    }
    text(next);
    if (!/[A-Za-z]/.test(letter)) {
      at = commentEnd(html, next);
      tokens.push({ kind: 'comment', raw: html.slice(next, at) });
    } else {
      const nameFrom = next + (isEnd ? 2 : 1);
      const nameEnd = find(html, nameFrom, NAME_END);
      const name = html.slice(nameFrom, nameEnd).toLowerCase();
      const attributes: HtmlAttribute[] = [];
      const end = readAttributes(html, nameEnd, attributes);
      at = end ?? html.length;
      const raw = html.slice(next, at);
      if (end === undefined) tokens.push({ kind: 'comment', raw });
      else if (isEnd) tokens.push({ kind: 'close', raw, name });
      else {
        tokens.push({ kind: 'open', raw, name, attributes });
        if (RAW_TEXT.test(name)) {
          const close = lower.indexOf(`</${name}`, at);
          textFrom = at;
          at = close < 0 ? html.length : close;
          text(at);
        }
      }
    }
    textFrom = at;
  }
  text(html.length);
  return tokens;
}
