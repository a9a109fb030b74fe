/** Markup: every text that is put into it was escaped. */
export class Html {
  constructor(readonly text: string) {}
}

export type Content = Html | string | number | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters besides tab and line feed, which HTML does not allow, and lone surrogates, which UTF-8 does not have. */
const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A text as HTML shows it, in content and in quoted attributes. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);

function written(content: Content): string {
  if (content === undefined) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'object') return content.map(written).join('');
  return escaped(String(content));
}

/** Markup with contents, which are escaped unless they are markup. Attributes have quotes in the template. */
export const html = (parts: TemplateStringsArray, ...contents: Content[]): Html =>
  new Html(parts.reduce((text, part, i) => text + written(contents[i - 1]) + part));
