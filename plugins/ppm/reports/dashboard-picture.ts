import type { Picture } from '@lintel/sdk';
import type { Dashboard } from './dashboard.js';
import { COLORS, money } from './shapes.js';

const SHOWN = 12;
const shorter = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** The dashboard as a picture. */
export function dashboardPicture(view: Dashboard, lang: string): Picture {
  const { initiatives, health, completion, late, amounts, attention, milestones } = view;
  const number = new Intl.NumberFormat(lang);
  const inCurrency = money(lang, amounts.currency);
  const sum = (amount: number | null): string => (amount === null ? 'withheld' : inCurrency(amount));
  const note = amounts.budget === null ? undefined : `of ${inCurrency(amounts.budget)} budget`;
  const shown = attention.slice(0, SHOWN);
  return {
    title: 'Initiatives',
    subtitle: `${number.format(initiatives.count)} initiatives, ${number.format(late.count)} with late items`,
    description: health.map(({ label, count }) => `${label}: ${count}`).join('; '),
    ...(amounts.amounts_withheld &&
      amounts.budget !== null && {
        notes: [`Amounts of ${number.format(amounts.initiatives)} of ${number.format(initiatives.count)} initiatives.`],
      }),
    content: {
      kind: 'panels',
      panels: [
        {
          title: 'Figures',
          isWide: true,
          picture: {
            kind: 'figures',
            figures: [
              { label: 'Initiatives', value: number.format(initiatives.count), href: initiatives.href },
              {
                label: 'Average completion',
                value: completion.average === null ? '–' : `${number.format(completion.average)} %`,
              },
              { label: 'Actual', value: sum(amounts.actual), note },
              { label: 'Forecast', value: sum(amounts.forecast), note },
            ],
          },
        },
        {
          title: 'Health',
          picture: {
            kind: 'bars',
            categories: health.map(({ label, href }) => ({ label, href })),
            series: [
              {
                label: 'Initiatives',
                values: health.map(({ count }) => count),
                colors: health.map(({ key }) => COLORS[key]),
              },
            ],
            unit: 'initiatives',
          },
        },
        {
          title: 'Next milestones',
          picture: {
            kind: 'grid',
            rowTitle: 'Milestone',
            columnTitle: '',
            rows: milestones.slice(0, 8).map(({ title, initiative }) => ({ label: `${title} (${initiative.name})` })),
            columns: [{ label: 'Date' }],
            cells: milestones.slice(0, 8).map(({ date, is_late }, row) => ({
              row,
              column: 0,
              texts: [date],
              color: is_late ? COLORS.off_track : COLORS.none,
            })),
          },
        },
        {
          title: 'Attention',
          isWide: true,
          picture: {
            kind: 'grid',
            rowTitle: 'Initiative',
            columnTitle: '',
            rows: shown.map(({ name, href }) => ({ label: name, href })),
            columns: [{ label: 'Why' }],
            cells: shown.map(({ reasons, health: state }, row) => ({
              row,
              column: 0,
              texts: [
                shorter(reasons[0] ?? '', 80),
                ...(reasons.length > 1 ? [shorter(reasons.slice(1).join('; '), 110)] : []),
              ],
              color: COLORS[state ?? 'none'],
            })),
          },
        },
      ],
    },
  };
}
