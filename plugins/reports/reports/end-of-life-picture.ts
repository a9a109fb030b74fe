import type { Picture, ReportRequest } from '@lintel/sdk';
import { countWords, filterWords, line, textsOf } from '../words/index.js';
import type { Answer, Query } from './end-of-life-schemas.js';

/** Bars by the time of the end of life, stacked by type. */
export function endOfLifePicture(answer: Answer, request: ReportRequest<Query>): Picture {
  const { lang } = request;
  const texts = textsOf(lang);
  const { past, soon, today, until, by_type, by_period, items } = answer;
  const number = new Intl.NumberFormat(lang);
  const of = (period: Answer['by_period'][number], type: string) => period.types.find((one) => one.type === type);
  return {
    title: texts.column.endOfLife,
    subtitle: line(
      texts.endOfLife.past(countWords(past.count, 'card', lang)),
      texts.endOfLife.soon(number.format(soon.count), today, until),
      filterWords(request),
    ),
    description: items
      .slice(0, 50)
      .map(
        ({ name, end_of_life, dependents }) =>
          `${name}: ${end_of_life}, ${countWords(dependents.count, 'dependent', lang)}`,
      )
      .join('; '),
    content: {
      kind: 'bars',
      categories: by_period.map(({ label, href }) => ({ label, href: href ?? undefined })),
      series: by_type.map(({ type, label, color, icon }) => ({
        label,
        color,
        icon,
        values: by_period.map((period) => of(period, type)?.count ?? 0),
        hrefs: by_period.map((period) => of(period, type)?.href ?? undefined),
      })),
      unit: texts.unit.cards,
    },
  };
}
