import { DateOnly, defineReport, Nullable, Strict, Type, type Picture, type Static } from '@lintel/sdk';
import { SCORES } from '../assessments/resource.js';
import { VIEW } from '../permissions.js';
import type { BpmServices } from '../services.js';
import { readScores } from './repository.js';
import { COLORS, Count, Named, card, most, processes, scoreColor } from './shapes.js';
import { count, textsOf } from './words/index.js';

const Score = Nullable(Type.Integer({ minimum: 1, maximum: 5 }));
const parameters = Strict({ most: most(60, 300, 'processes') });
const answer = Type.Object({
  assessed: Type.Object({ count: Count(), href: Type.String() }),
  processes: Type.Array(
    Type.Object({
      ...Named.properties,
      assessed_on: DateOnly(),
      efficiency: Score,
      effectiveness: Score,
      compliance: Score,
      automation: Score,
      overall: Score,
    }),
    { description: 'Those with the lowest overall score first.' },
  ),
});
type Answer = Static<typeof answer>;

function picture({ processes: rows, assessed }: Answer, lang: string): Picture {
  const { heatmap: words, column: titles, scores } = textsOf(lang);
  return {
    title: words.title,
    subtitle: words.subtitle(count(assessed.count, 'assessed', lang)),
    description: rows
      .map(({ name, overall }) => `${name}: ${overall}`)
      .join('; ')
      .slice(0, 5_000),
    ...(rows.length < assessed.count && {
      notes: [words.more(new Intl.NumberFormat(lang).format(assessed.count - rows.length))],
    }),
    content: {
      kind: 'grid',
      rowTitle: titles.process,
      columnTitle: titles.score,
      rows: rows.map(({ id, name }) => ({ label: name, href: card(id) })),
      columns: SCORES.map((score) => ({ label: scores[score] })),
      cells: rows.flatMap((process, row) =>
        SCORES.flatMap((score, column) => {
          const value = process[score];
          return value === null ? [] : [{ row, column, texts: [String(value)], color: scoreColor(value) }];
        }),
      ),
      legend: COLORS.scores.map((color, i) => ({ label: String(i + 1), color })),
    },
  };
}

/** The scores of the latest assessments. */
export const heatmap = defineReport<BpmServices, typeof parameters, typeof answer>({
  id: 'heatmap',
  title: 'Assessments of processes',
  description: 'The scores of the latest assessment of each process, those with the lowest overall score first.',
  permission: VIEW,
  parameters,
  answer,
  run: ({ host }, { ctx, parameters: { most: limit = 60 }, lang, asOf }) =>
    host.inventory.read(ctx, { lang, asOf }, async (inventory): Promise<Answer> => {
      const rows = await readScores(inventory, limit);
      return {
        assessed: { count: rows[0]?.total ?? 0, href: processes({ assessed: 'true' }) },
        processes: rows.map(({ total: _total, parent_id: _parent, ...row }) => row),
      };
    }),
  tables: ({ processes: rows }, { lang }) => {
    const { column, scores } = textsOf(lang);
    return [
      {
        name: column.score,
        columns: [
          { title: column.process, kind: 'text' },
          { title: column.assessedOn, kind: 'date' },
          ...SCORES.map((score) => ({ title: scores[score], kind: 'number' as const })),
        ],
        rows: rows.map((row) => [row.name, row.assessed_on, ...SCORES.map((score) => row[score])]),
      },
    ];
  },
  picture: (view, { lang }) => picture(view, lang),
});
