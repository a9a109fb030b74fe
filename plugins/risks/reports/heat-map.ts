import { defineReport, Strict, type Picture, type ReportRequest, type Static } from '@lintel/sdk';
import { VIEW } from '../permissions.js';
import { MatrixQuery, MatrixView } from './schemas.js';
import type { ReportService } from './service.js';
import { countRisks, inLanguageOf, textsOf } from './words.js';

const { format: _format, lang: _lang, ...properties } = MatrixQuery.properties;
const parameters = Strict(properties);
type Query = Static<typeof parameters>;
/** What the report uses of the services of the module. */
interface Services {
  reports: ReportService;
}

/** References shown in a cell. */
const NAMED = 4;

function picture(view: MatrixView, { lang }: ReportRequest<Query>): Picture {
  const number = new Intl.NumberFormat(lang);
  const { kind, total, not_judged, probabilities, impacts, levels, rows } = inLanguageOf(view, lang);
  const texts = textsOf(lang);
  const color = new Map(levels.map((level) => [level.key, level.color]));
  // The lowest impact first, so that the highest risks are at the top right, as usual.
  const columns = [...impacts].reverse();
  return {
    title: texts.heatMap[kind],
    subtitle: texts.byBoth(countRisks(total.count, lang)),
    description: levels.map(({ label, count }) => `${label}: ${number.format(count)}`).join('; '),
    ...(not_judged.count > 0 && { notes: [texts.notJudged(number.format(not_judged.count))] }),
    content: {
      kind: 'grid',
      rowTitle: texts.column.probability,
      columnTitle: texts.column.impact,
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
      unit: texts.unit,
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
  tables: (view, { lang }) => {
    const { probabilities, impacts, levels, rows } = inLanguageOf(view, lang);
    const { column } = textsOf(lang);
    const label = (of: readonly { key: string; label: string }[], key: string): string =>
      of.find((one) => one.key === key)!.label;
    return [
      {
        name: column.risks,
        columns: [
          { title: column.probability, kind: 'text' },
          { title: column.impact, kind: 'text' },
          { title: column.level, kind: 'text' },
          { title: column.risks, kind: 'number' },
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
