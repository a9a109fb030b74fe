import { countWords, inLanguage, type InventoryField, type Workspace } from '@lintel/sdk';
import { createHash } from 'node:crypto';
import type { VisitorCard } from '../published/cards-repository.js';
import type { OpenPortal, VisitorList } from '../published/service.js';
import { formHtml } from './form.js';
import { Html, html, type Content } from './html.js';
import { STYLE } from './style.js';
import { Colors, isolated, LONG, valueHtml, type ValueTexts } from './values.js';
import { WORDS } from './words.js';

/** What surrounds the content of a page. */
export interface Surroundings {
  workspace: Pick<Workspace, 'title' | 'currency'>;
  lang: string;
  /** Version of the logo; undefined if there is none. */
  logo: number | undefined;
}

/** A page, and the policy with which it is sent. */
export interface PortalPage {
  text: string;
  policy: string;
}

const DESCRIPTION = 'description';

const textsOf = ({ lang, workspace: { currency } }: Surroundings): ValueTexts => ({
  words: inLanguage(WORDS, lang),
  lang,
  currency,
  colors: new Colors(),
});

/**
 * A whole page.
 * @param root path from the page to `/api/v1/`
 */
function pageOf(
  title: string,
  content: Html,
  { workspace, lang, logo }: Surroundings,
  { colors, words }: ValueTexts,
  root: string,
): PortalPage {
  // Not escaped: a constant without an end tag, and colours that were checked.
  const style = STYLE + colors.style;
  const hash = createHash('sha256').update(style).digest('base64');
  const { text } = html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === workspace.title ? title : `${title} – ${workspace.title}`}</title>
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#content">${words.skip}</a>
<header><div class="wrap">${
    logo === undefined ? undefined : html`<img src="${root}settings/logo" alt="" height="32">`
  }<span>${isolated(workspace.title)}</span></div></header>
<main class="wrap" id="content">
${content}
</main>
</body>
</html>
`;
  return {
    text,
    policy: `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  };
}

/** The values of a card besides its description. */
function valuesHtml(fields: readonly InventoryField[], card: VisitorCard, texts: ValueTexts): Content {
  const values = fields.flatMap((field) => {
    const value = field.key === DESCRIPTION ? undefined : valueHtml(field, card.fields[field.key], texts);
    if (value === undefined) return [];
    const isLong = field.kind === 'text' && String(card.fields[field.key]).length > LONG;
    return [
      html`<div${isLong ? html` class="whole"` : undefined}><dt>${field.label}</dt><dd${isLong ? html` class="long"` : undefined}>${value}</dd></div>`,
    ];
  });
  return values.length === 0 ? undefined : html`<dl>${values}</dl>`;
}

function descriptionHtml(fields: readonly InventoryField[], card: VisitorCard): Content {
  const text = card.fields[DESCRIPTION];
  const isShown = typeof text === 'string' && text.trim() !== '' && fields.some(({ key }) => key === DESCRIPTION);
  return isShown ? html`<p class="text">${isolated(text)}</p>` : undefined;
}

/** The address of another page of the same list. */
function linkTo(page: number, { query, portal }: VisitorList): string {
  const { words, filters, page_size, sort_by, sort_dir } = query;
  const params = new URLSearchParams({
    ...(words.length > 0 && { search: words.join(' ') }),
    ...filters,
    sort_by,
    sort_dir,
    ...(page_size !== portal.page_size && { page_size: String(page_size) }),
    page: String(page),
  });
  return `page?${params.toString()}`;
}

function pagingHtml(list: VisitorList, { words, lang }: ValueTexts): Content {
  const { page, page_size, total, total_relation, next_cursor } = list.page;
  const last = Math.max(1, Math.ceil((total ?? 0) / page_size));
  if (last === 1 && page === 1) return undefined;
  const number = new Intl.NumberFormat(lang);
  // Of very many cards it is not known how many pages they have.
  const where =
    total_relation === 'eq' ? words.page(number.format(page), number.format(last)) : words.onPage(number.format(page));
  const before = total_relation === 'eq' ? Math.min(page - 1, last) : page - 1;
  const link = (isThere: boolean, to: number, text: string, rel: string): Html =>
    isThere ? html`<a class="button quiet" rel="${rel}" href="${linkTo(to, list)}">${text}</a>` : html`<span></span>`;
  return html`<nav aria-label="${words.pages}">${link(page > 1, before, words.previous, 'prev')}<span>${where}</span>${link(next_cursor !== null, page + 1, words.next, 'next')}</nav>`;
}

/** The page with the list of cards. */
export function listPage(list: VisitorList, surroundings: Surroundings): PortalPage {
  const texts = textsOf(surroundings);
  const { portal, fields, page } = list;
  const { words, lang } = texts;
  const cards = page.items.map(
    (card) =>
      html`<li><h2><a href="page/${card.id}">${isolated(card.name)}</a></h2>${descriptionHtml(fields, card)}${valuesHtml(fields, card, texts)}</li>`,
  );
  const content = html`<h1>${isolated(portal.title)}</h1>
${portal.description === null ? undefined : html`<p class="lead">${isolated(portal.description)}</p>`}
${formHtml(list, words)}
<p class="count" role="status">${
    page.total_relation === 'gte' ? words.moreThan : undefined
  } ${countWords(page.total ?? 0, WORDS, ({ entries }) => entries, lang)}</p>
${cards.length === 0 ? html`<p class="empty">${words.none}</p>` : html`<ul class="cards">${cards}</ul>`}
${pagingHtml(list, texts)}`;
  return pageOf(portal.title, content, surroundings, texts, '../../../');
}

/** The page of one card. */
export function cardPage({ portal, fields }: OpenPortal, card: VisitorCard, surroundings: Surroundings): PortalPage {
  const texts = textsOf(surroundings);
  const parts = [descriptionHtml(fields, card), valuesHtml(fields, card, texts)].filter((part) => part !== undefined);
  const content = html`<p class="back"><a href="../page">← ${texts.words.back}</a></p>
<h1>${isolated(card.name)}</h1>
${parts.length === 0 ? undefined : html`<div class="card">${parts}</div>`}`;
  return pageOf(`${card.name} – ${portal.title}`, content, surroundings, texts, '../../../../');
}

/**
 * The page of a failure.
 * @param status 404: an unknown, withdrawn or broken portal, or a card that is not part of it; 422: a query that is not valid,
 * which only a list has
 */
export function failurePage(surroundings: Surroundings, status: 404 | 422, isCard: boolean): PortalPage {
  const texts = textsOf(surroundings);
  const { words } = texts;
  const [title, text, link] =
    status === 404
      ? [words.notFound, words.notFoundText, undefined]
      : [words.notValid, words.notValidText, html`<p><a href="page">← ${words.back}</a></p>`];
  const content = html`<h1>${title}</h1><p class="lead">${text}</p>${link}`;
  return pageOf(title, content, surroundings, texts, isCard ? '../../../../' : '../../../');
}
