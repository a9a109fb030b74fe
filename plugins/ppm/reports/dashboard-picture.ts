import type { GridPicture, Picture } from '@lintel/sdk';
import type { Dashboard } from './dashboard.js';
import { AREAS } from './reasons.js';
import { COLORS, money, dateIn } from './shapes.js';
import { count, textsOf, type Texts } from './words/index.js';

const SHOWN = 15;
const MILESTONES = 7;
/** Colours of the columns of reasons: the reported health has those of its states. */
const TONE = '#f0e0c8';

/** Initiatives with the first reason of each kind. */
function attentionGrid(rows: Dashboard['attention'], words: Texts['picture']): GridPicture {
  return {
    kind: 'grid',
    rowTitle: words.initiative,
    columnTitle: '',
    rows: rows.map(({ name, href }) => ({ label: name, href })),
    columns: AREAS.map((area) => ({ label: words.columns[area] })),
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
function milestoneGrid(milestones: Dashboard['milestones'], words: Texts['picture'], lang: string): GridPicture {
  const inWords = dateIn(lang);
  return {
    kind: 'grid',
    rowTitle: words.milestone,
    columnTitle: '',
    rows: milestones.map(({ title }) => ({ label: title })),
    columns: [{ label: words.initiative }, { label: words.date }],
    cells: milestones.flatMap(({ date, is_late, initiative }, row) => [
      { row, column: 0, texts: [initiative.name], color: TONE },
      {
        row,
        column: 1,
        texts: [inWords(date), ...(is_late ? [words.late] : [])],
        color: is_late ? COLORS.off_track : TONE,
      },
    ]),
  };
}

/** The dashboard as a picture. */
export function dashboardPicture(view: Dashboard, lang: string): Picture {
  const { initiatives, health, completion, late, amounts, attention, milestones } = view;
  const { picture: words } = textsOf(lang);
  const number = new Intl.NumberFormat(lang);
  const all = count(initiatives.count, 'initiative', lang);
  const inCurrency = money(lang, amounts.currency);
  const sum = (amount: number | null): string => (amount === null ? words.withheld : inCurrency(amount));
  const note = amounts.budget === null ? undefined : words.budget(inCurrency(amounts.budget));
  return {
    title: words.title,
    subtitle: words.subtitle(all, number.format(late.count)),
    description: health.map(({ label, count }) => `${label}: ${count}`).join('; '),
    ...(amounts.amounts_withheld &&
      amounts.budget !== null && {
        notes: [words.amountsOf(number.format(amounts.initiatives), all)],
      }),
    content: {
      kind: 'panels',
      panels: [
        {
          title: words.figures,
          isWide: true,
          picture: {
            kind: 'figures',
            figures: [
              { label: words.initiatives, value: number.format(initiatives.count), href: initiatives.href },
              {
                label: words.averageCompletion,
                value: completion.average === null ? '–' : `${number.format(completion.average)} %`,
              },
              { label: words.actual, value: sum(amounts.actual), note },
              { label: words.forecast, value: sum(amounts.forecast), note },
            ],
          },
        },
        {
          title: words.health,
          picture: {
            kind: 'bars',
            categories: health.map(({ label, href }) => ({ label, href })),
            series: [
              {
                label: words.initiatives,
                values: health.map(({ count }) => count),
                colors: health.map(({ key }) => COLORS[key]),
              },
            ],
            unit: words.initiatives,
          },
        },
        {
          title: words.nextMilestones,
          picture: milestoneGrid(milestones.slice(0, MILESTONES), words, lang),
        },
        { title: words.attention, isWide: true, picture: attentionGrid(attention.slice(0, SHOWN), words) },
      ],
    },
  };
}
