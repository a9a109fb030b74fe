import type { GridPicture, Picture, ReportRequest } from '@lintel/sdk';
import { countWords, filterWords, line, textsOf } from '../words/index.js';
import type { Answer, Query } from './portfolio.js';

type Bucket = Answer['buckets'][number];
/** Values of the colouring field that a cell names. */
const NAMED = 3;
/** Groups with a grid of their own. */
const MOST_GROUPS = 12;

/** The buckets of one group as a grid. */
function gridOf({ axes, size, color }: Answer, buckets: readonly Bucket[], lang: string): GridPicture {
  const whole = new Intl.NumberFormat(lang);
  const number = new Intl.NumberFormat(lang, { notation: 'compact', maximumSignificantDigits: 3 });
  const at = (values: { key: string | null }[], key: string | null) => values.findIndex((value) => value.key === key);
  const parts = (colors: NonNullable<Bucket['colors']>): string[] => {
    const most = colors.toSorted((a, b) => b.count - a.count);
    const rest = most.slice(NAMED).reduce((sum, { count }) => sum + count, 0);
    return [
      ...most.slice(0, NAMED).map(({ label, count }) => `${label}: ${whole.format(count)}`),
      ...(rest > 0 ? [`${textsOf(lang).value.others}: ${whole.format(rest)}`] : []),
    ];
  };
  return {
    kind: 'grid',
    rowTitle: axes.y.label,
    columnTitle: axes.x.label,
    rows: axes.y.values.map(({ label }) => ({ label })),
    columns: axes.x.values.map(({ label }) => ({ label })),
    cells: buckets.map(({ x, y, count, sum, href, colors }) => ({
      row: at(axes.y.values, y),
      column: at(axes.x.values, x),
      texts: [
        whole.format(count),
        ...(size && sum != null ? [`${number.format(sum)} ${size.currency ?? ''}`.trim()] : []),
        ...(color && colors ? parts(colors) : []),
      ],
      value: count,
      href: href ?? undefined,
    })),
    unit: textsOf(lang).unit.cards,
  };
}

/** The portfolio as a grid, or one for each group. */
export function portfolioPicture(answer: Answer, request: ReportRequest<Query>): Picture {
  const { lang } = request;
  const texts = textsOf(lang);
  const { type_label, axes, buckets, total, size, color, group_by } = answer;
  const groups = (group_by?.values ?? []).map((group) => ({
    ...group,
    own: buckets.filter((bucket) => (bucket.group ?? null) === group.key),
  }));
  const names = (values: Answer['axes']['x']['values']) => new Map(values.map(({ key, label }) => [key, label]));
  const [columns, rows] = [names(axes.x.values), names(axes.y.values)];
  return {
    title: `${type_label}: ${texts.by(axes.y.label, axes.x.label)}`,
    subtitle: line(
      countWords(total, 'card', lang),
      size && texts.portfolio.withSum(size.label),
      color && texts.byOnly(color.label),
      filterWords(request, ['type']),
    ),
    description: buckets
      .slice(0, 50)
      .map(({ x, y, count }) => `${rows.get(y)}, ${columns.get(x)}: ${count}`)
      .join('; '),
    ...(groups.length > MOST_GROUPS && {
      notes: [texts.moreValues(String(groups.length - MOST_GROUPS), group_by!.label)],
    }),
    content: group_by
      ? {
          kind: 'panels',
          panels: groups.slice(0, MOST_GROUPS).map(({ label, own }) => ({
            title: `${group_by.label}: ${label}`,
            isWide: axes.x.values.length > 4,
            picture: gridOf(answer, own, lang),
          })),
        }
      : gridOf(answer, buckets, lang),
  };
}
