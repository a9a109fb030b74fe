import { oneLine } from '../../foundation/text.js';
import { CATALOGUES, type Language, type TextKey } from './catalogue.js';

/** A value of a placeholder: a text of any content, or a time. */
export type Value = string | number | Date;
/** A paragraph, or a link with its label. */
export type Block = TextKey | { label: TextKey; url: string; isSecondary?: true };

/** A mail before it is rendered. */
export interface Letter {
  subject: TextKey;
  /** Absent where the receiver is not known, or the name is not trusted. */
  name?: string | null;
  blocks: readonly Block[];
  /** Values of the placeholders of all texts. */
  values: Readonly<Record<string, Value>>;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);

/**
 * A text that a user has chosen, such as a name, with a blank after the dots and colons inside of words: programs for mail make
 * links of addresses in texts, and a mail has no link but its own.
 */
export const unlinked = (text: string): string =>
  text.replace(/(?<=[\p{L}\p{N}])[.:\u3002\uff0e\uff61](?=[\p{L}\p{N}/])/gu, '$& ');

/** A time as users of the language write it, in UTC. */
function timeOf(time: Date, language: Language): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(time)} UTC`;
}

const FONT = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#1f4e79;color:#ffffff;text-decoration:none;font-weight:600';
const SMALL = 'font-size:13px;color:#5b6470';

/**
 * Renders a mail as plain text and as HTML. Each value is reduced to one line, so that it cannot start a header or
 * another paragraph, and escaped in HTML. Links are only those of the letter.
 * @param workspace name of the workspace
 */
export function renderMail(letter: Letter, language: Language, workspace: string): RenderedMail {
  const texts = CATALOGUES[language];
  const values: Record<string, Value> = { workspace, ...letter.values };
  // Replaced in one pass, so that placeholders inside values are not expanded.
  const say = (key: TextKey, more: Record<string, Value> = {}): string =>
    texts[key].replace(/\{(\w+)\}/g, (_match, name: string) => {
      const value = more[name] ?? values[name] ?? '';
      return value instanceof Date ? timeOf(value, language) : oneLine(String(value));
    });
  const { name } = letter;
  const greeting =
    name === undefined || name === null ? say('greeting_unnamed') : say('greeting', { name: unlinked(name) });
  const subject = oneLine(say(letter.subject));
  const footer = say('footer');
  const plain = letter.blocks.map((block) =>
    typeof block === 'string' ? say(block) : `${say(block.label)}:\n${block.url}`,
  );
  const paragraph = (content: string, style = ''): string => `<p style="margin:0 0 16px;${style}">${content}</p>`;
  const linked = (url: string, content: string, style: string): string =>
    `<a href="${escapeHtml(url)}" style="${style}">${escapeHtml(content)}</a>`;
  const html = letter.blocks.flatMap((block) => {
    if (typeof block === 'string') return [paragraph(escapeHtml(say(block)))];
    const { label, url, isSecondary } = block;
    if (isSecondary) return [paragraph(linked(url, say(label), 'color:#1f4e79'))];
    return [
      paragraph(linked(url, say(label), BUTTON)),
      paragraph(`${escapeHtml(say('link_hint'))}<br>${linked(url, url, 'color:#1f4e79;word-break:break-all')}`, SMALL),
    ];
  });
  return {
    subject,
    text: `${[greeting, ...plain, `-- \n${footer}`].join('\n\n')}\n`,
    html: [
      `<!doctype html>\n<html lang="${language}">\n<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>`,
      `<body style="margin:0;padding:24px;background:#f4f6f8;color:#1b1f24;font-size:16px;line-height:1.5;${FONT}">`,
      '<div style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px;overflow-wrap:anywhere">',
      paragraph(escapeHtml(greeting)),
      ...html,
      paragraph(escapeHtml(footer), `padding-top:16px;border-top:1px solid #d8dde3;${SMALL}`),
      '</div>\n</body>\n</html>\n',
    ].join('\n'),
  };
}
