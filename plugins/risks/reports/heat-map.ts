import { defineReport, Strict, type Picture, type ReportRequest, type Static } from '@lintel/sdk';
import { VIEW } from '../permissions.js';
import { MatrixQuery, MatrixView } from './schemas.js';
import type { ReportService } from './service.js';

const { format: _format, ...properties } = MatrixQuery.properties;
const parameters = Strict(properties);
type Query = Static<typeof parameters>;
/** What the report uses of the services of the module. */
interface Services {
  reports: ReportService;
}

const TITLES = { initial: 'Risks before mitigation', residual: 'Risks with mitigation as it stands' } as const;
/** References shown in a cell. */
const NAMED = 4;

function picture(view: MatrixView, { lang }: ReportRequest<Query>): Picture {
  const number = new Intl.NumberFormat(lang);
  const { kind, total, not_judged, probabilities, impacts, levels, rows } = view;
  const color = new Map(levels.map((level) => [level.key, level.color]));
  // The lowest impact first, so that the highest risks are at the top right, as usual.
  const columns = [...impacts].reverse();
  return {
    title: TITLES[kind],
    subtitle: `${number.format(total.count)} ${total.count === 1 ? 'risk' : 'risks'} by probability and impact`,
    description: levels.map(({ label, count }) => `${label}: ${count}`).join('; '),
    ...(not_judged.count > 0 && { notes: [`Not judged: ${number.format(not_judged.count)}`] }),
    content: {
      kind: 'grid',
      rowTitle: 'Probability',
      columnTitle: 'Impact',
      rows: probabilities.map(({ label }) => ({ label })),
      columns: columns.map(({ label }) => ({ label })),
      cells: rows.flatMap(({ cells }, row) =>
        cells.map(({ impact, level, count, href, risks }) => ({
          row,
          column: columns.findIndex(({ key }) => key === impact),
          texts:
            count === 0
              ? []
              : [
                  number.format(count),
                  ...risks.slice(0, NAMED).map(({ reference }) => reference),
                  ...(count > NAMED ? [`+${number.format(count - NAMED)}`] : []),
                ],
          color: color.get(level),
          ...(count > 0 && { href }),
        })),
      ),
      unit: 'risks',
      legend: levels.map((level) => ({ label: `${level.label}: ${number.format(level.count)}`, color: level.color })),
    },
  };
}

/** Risks by probability and impact. */
export const heatMap = defineReport<Services, typeof parameters, typeof MatrixView>({
  id: 'heat-map',
  title: 'Risk heat map',
  description: 'Risks by probability and impact, all except closed ones unless `status` names others.',
  permission: VIEW,
  parameters,
  answer: MatrixView,
  run: async ({ reports }, { ctx, parameters: query, asOf }) => {
    if (asOf !== undefined) throw reports.noPast();
    return await reports.matrix(ctx, query);
  },
  tables: ({ probabilities, impacts, levels, rows }) => {
    const label = (of: readonly { key: string; label: string }[], key: string): string =>
      of.find((one) => one.key === key)!.label;
    return [
      {
        name: 'Risks',
        columns: [
          { title: 'Probability', kind: 'text' },
          { title: 'Impact', kind: 'text' },
          { title: 'Level', kind: 'text' },
          { title: 'Risks', kind: 'number' },
        ],
        rows: rows.flatMap(({ probability, cells }) =>
          cells.map(({ impact, level, count }) => [
            label(probabilities, probability),
            label(impacts, impact),
            label(levels, level),
            count,
          ]),
        ),
      },
    ];
  },
  picture,
});
