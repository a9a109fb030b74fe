import type { InventoryField } from '@lintel/sdk';
import { html, type Content, type Html } from './html.js';
import type { Words } from './words.js';

const LINK = /^https?:\/\/[^\s"<>\\^`{|}]{1,2000}$/i;
const COLOR = /^#[0-9a-f]{6}$/i;
/** Characters from which a text is shown on a line of its own. */
export const LONG = 120;

/** Collects the colours of a page: as classes, because its policy permits no styles in elements. */
export class Colors {
  private readonly classes = new Map<string, string>();

  /** The mark of an option; nothing for one without a colour. */
  mark(color: string | undefined): Html | undefined {
    if (color === undefined || !COLOR.test(color)) return undefined;
    const key = color.toLowerCase();
    const name = this.classes.get(key) ?? `c${this.classes.size}`;
    this.classes.set(key, name);
    return html`<span class="dot ${name}" aria-hidden="true"></span>`;
  }

  get style(): string {
    return [...this.classes].map(([color, name]) => `.${name}{background:${color}}`).join('');
  }
}

/** How values are written. */
export interface ValueTexts {
  words: Words;
  lang: string;
  currency: string;
  colors: Colors;
}

/** A text as it was written, whatever its direction, without effect on its surroundings. */
export const isolated = (text: string): Html => html`<bdi>${text}</bdi>`;

const numberText = ({ isCost, unit }: InventoryField, value: number, { lang, currency }: ValueTexts): string => {
  if (isCost)
    return new Intl.NumberFormat(lang, {
      style: 'currency',
      currency,
      maximumFractionDigits: 2,
      minimumFractionDigits: 0,
    }).format(value);
  const number = new Intl.NumberFormat(lang, { maximumFractionDigits: 6 }).format(value);
  return unit === undefined ? number : `${number} ${unit}`;
};

const dateText = (value: string, lang: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(value)
    ? new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${value}T00:00:00Z`))
    : value;

function optionHtml({ options }: InventoryField, key: string, { colors }: ValueTexts): Html {
  const option = options.find((one) => one.key === key);
  return html`<span class="option">${colors.mark(option?.color)}${isolated(option?.label ?? key)}</span>`;
}

/** A value as markup; undefined if the card has none. */
export function valueHtml(field: InventoryField, value: unknown, texts: ValueTexts): Content {
  if (value === null || value === undefined || value === '') return undefined;
  switch (field.kind) {
    case 'number':
      return html`<span class="number">${numberText(field, Number(value), texts)}</span>`;
    case 'boolean':
      return value === true ? texts.words.yes : texts.words.no;
    case 'date':
      return dateText(String(value), texts.lang);
    case 'option':
      return optionHtml(field, String(value), texts);
    case 'options': {
      const keys = Array.isArray(value) ? value.map(String) : [];
      if (keys.length === 0) return undefined;
      return html`<ul>${keys.map((key) => html`<li>${optionHtml(field, key, texts)}</li>`)}</ul>`;
    }
    default: {
      const text = String(value);
      return LINK.test(text)
        ? html`<a href="${text}" rel="nofollow noopener noreferrer ugc">${isolated(text)}</a>`
        : isolated(text);
    }
  }
}
