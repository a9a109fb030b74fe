/** HTML labels as text, and texts put into them. */
import { decodeEntities } from './entities.js';
import { tokensOf } from './html.js';

/** Text as the content of an HTML element. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>]/g, (one) => (one === '&' ? '&amp;' : one === '<' ? '&lt;' : '&gt;'));

const BREAKS = /^(br|p|div|li|ul|ol|h[1-6]|tr|td|th|table|hr|blockquote|pre)$/;

/** The text of HTML: tags that begin a line are spaces, references are resolved. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html;
  return tokensOf(html)
    .map((token) => {
      if (token.kind === 'text') return decodeEntities(token.raw);
      return token.kind !== 'comment' && BREAKS.test(token.name) ? ' ' : '';
    })
    .join('');
}

/** HTML with another text: the first text is replaced, the others and their line breaks are removed, tags around them stay. */
export function withText(html: string, text: string): string {
  const tokens = tokensOf(html);
  const first = tokens.findIndex((token) => token.kind === 'text' && decodeEntities(token.raw).trim() !== '');
  if (first < 0) return escapeHtml(text);
  return tokens
    .map((token, at) => {
      if (at === first) return escapeHtml(text);
      if (token.kind === 'text' || token.kind === 'comment') return '';
      return token.name === 'br' || token.name === 'hr' ? '' : token.raw;
    })
    .join('');
}
