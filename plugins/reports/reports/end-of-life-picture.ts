import type { Picture, ReportRequest } from '@lintel/sdk';
import { countWords, filterWords, line } from '../words.js';
import type { Answer, Query } from './end-of-life-schemas.js';

/** Bars by the time of the end of life, stacked by type. */
export function endOfLifePicture(answer: Answer, { lang, filters }: ReportRequest<Query>): Picture {
  const { past, soon, today, until, by_type, by_period, items } = answer;
  const number = new Intl.NumberFormat(lang);
  const of = (period: Answer['by_period'][number], type: string) => period.types.find((one) => one.type === type);
  return {
    title: 'End of life',
    subtitle: line(
      `${countWords(past.count, 'card', lang)} past the end of life`,
      `${number.format(soon.count)} more after ${today} until ${until}`,
      filterWords(filters),
    ),
    description: items
      .slice(0, 50)
      .map(
        ({ name, end_of_life, dependents }) => `${name}: ${end_of_life}, ${number.format(dependents.count)} dependents`,
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
      unit: 'cards',
    },
  };
}
