import type { InventoryField } from '@lintel/sdk';
import { NAME } from '../definition.js';
import type { VisitorList } from '../published/service.js';
import { html, type Content, type Html } from './html.js';
import type { Words } from './words.js';

const option = (value: string, label: string, chosen: string): Html =>
  value === chosen
    ? html`<option value="${value}" selected>${label}</option>`
    : html`<option value="${value}">${label}</option>`;

const select = (id: string, name: string, label: string, options: Content): Html =>
  html`<div class="control"><label for="${id}">${label}</label><select id="${id}" name="${name}">${options}</select></div>`;

/** The label of several values that were chosen in the address; what names no option is not shown as if it was one. */
const labelOfSeveral = (chosen: string, options: readonly { key: string; label: string }[]): string =>
  chosen
    .split(',')
    .map((key) => options.find((one) => one.key === key)?.label ?? '—')
    .join(', ');

/** The control of one filter. */
function filterControl(
  field: InventoryField,
  i: number,
  filters: Readonly<Record<string, string>>,
  words: Words,
): Html {
  const { key, kind, label } = field;
  const id = `filter-${i}`;
  if (kind === 'number' || kind === 'date') {
    const input = (operator: 'gte' | 'lte', text: string): Html =>
      html`<div><label for="${id}-${operator}">${text}</label><input id="${id}-${operator}" name="${key}[${operator}]" ${
        kind === 'date' ? html`type="date"` : html`type="number" step="any"`
      } value="${filters[`${key}[${operator}]`] ?? ''}"></div>`;
    return html`<fieldset class="control${kind === 'date' ? ' dates' : ''}"><legend>${label}</legend><div class="pair">${input('gte', words.from)}${input('lte', words.to)}</div></fieldset>`;
  }
  const options =
    kind === 'boolean'
      ? [
          { key: 'true', label: words.yes },
          { key: 'false', label: words.no },
        ]
      : field.options;
  const chosen = filters[key] ?? '';
  return select(id, key, label, [
    option('', words.all, chosen),
    options.map((one) => option(one.key, one.label, chosen)),
    chosen !== '' && !options.some((one) => one.key === chosen)
      ? option(chosen, labelOfSeveral(chosen, options), chosen)
      : undefined,
  ]);
}

/** The form by which visitors search, filter and sort, which works without scripts. */
export function formHtml({ portal, fields, filters, sorts, query }: VisitorList, words: Words): Html {
  const labelOf = (key: string): string =>
    key === NAME ? words.name : (fields.find((field) => field.key === key)?.label ?? key);
  const searched = portal.search_fields.filter((key) => key === NAME || fields.some((field) => field.key === key));
  const search =
    searched.length === 0
      ? undefined
      : html`<div class="control wide"><label for="search">${words.searchFor} ${searched.map(labelOf).join(', ')}</label><input id="search" name="search" type="search" maxlength="200" value="${query.words.join(' ')}"></div>`;
  return html`<form method="get" action="page" role="search" aria-label="${words.filters}">${search}${filters.map(
    (field, i) => filterControl(field, i, query.filters, words),
  )}${select(
    'sort',
    'sort_by',
    words.sort,
    sorts.map((key) => option(key, labelOf(key), query.sort_by)),
  )}${select('order', 'sort_dir', words.order, [
    option('asc', words.ascending, query.sort_dir),
    option('desc', words.descending, query.sort_dir),
  ])}<div class="actions"><button type="submit">${words.apply}</button><a class="button plain" href="page">${words.reset}</a></div></form>`;
}
