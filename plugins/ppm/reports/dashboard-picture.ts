import type { GridPicture, Picture } from '@lintel/sdk';
import type { Dashboard } from './dashboard.js';
import { AREAS } from './reasons.js';
import { COLORS, money } from './shapes.js';

const SHOWN = 15;
const MILESTONES = 7;
const TITLES = { health: 'Reported', finish: 'Finish', items: 'Late', costs: 'Costs', risks: 'Risks' } as const;
/** Colours of the columns of reasons: the reported health has those of its states. */
const TONE = '#f0e0c8';

/** Initiatives with the first reason of each kind. */
function attentionGrid(rows: Dashboard['attention']): GridPicture {
  return {
    kind: 'grid',
    rowTitle: 'Initiative',
    columnTitle: '',
    rows: rows.map(({ name, href }) => ({ label: name, href })),
    columns: AREAS.map((area) => ({ label: TITLES[area] })),
    cells: rows.flatMap(({ reasons, health }, row) =>
      AREAS.flatMap((area, column) => {
        const reason = reasons.find((one) => one.area === area);
        if (!reason) return [];
        return [{ row, column, texts: reason.short, color: area === 'health' ? COLORS[health ?? 'none'] : TONE }];
      }),
    ),
  };
}

/** Milestones with their dates. */
function milestoneGrid(milestones: Dashboard['milestones']): GridPicture {
  return {
    kind: 'grid',
    rowTitle: 'Milestone',
    columnTitle: '',
    rows: milestones.map(({ title }) => ({ label: title })),
    columns: [{ label: 'Initiative' }, { label: 'Date' }],
    cells: milestones.flatMap(({ date, is_late, initiative }, row) => [
      { row, column: 0, texts: [initiative.name], color: TONE },
      { row, column: 1, texts: [date, ...(is_late ? ['late'] : [])], color: is_late ? COLORS.off_track : TONE },
    ]),
  };
}

/** The dashboard as a picture. */
export function dashboardPicture(view: Dashboard, lang: string): Picture {
  const { initiatives, health, completion, late, amounts, attention, milestones } = view;
  const number = new Intl.NumberFormat(lang);
  const inCurrency = money(lang, amounts.currency);
  const sum = (amount: number | null): string => (amount === null ? 'withheld' : inCurrency(amount));
  const note = amounts.budget === null ? undefined : `of ${inCurrency(amounts.budget)} budget`;
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
          picture: milestoneGrid(milestones.slice(0, MILESTONES)),
        },
        { title: 'Attention', isWide: true, picture: attentionGrid(attention.slice(0, SHOWN)) },
      ],
    },
  };
}
