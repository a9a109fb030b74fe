import { DateOnly, defineReport, Nullable, Strict, Type, type Picture, type Static } from '@lintel/sdk';
import { SCORES } from '../assessments/resource.js';
import { VIEW } from '../permissions.js';
import type { BpmServices } from '../services.js';
import { readScores } from './repository.js';
import { COLORS, Count, Named, SCORE_LABELS, card, most, processes, scoreColor } from './shapes.js';

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

function picture({ processes: rows, assessed }: Answer): Picture {
  return {
    title: 'Assessments of processes',
    subtitle: `${assessed.count} assessed processes, those with the lowest overall score first`,
    description: rows
      .map(({ name, overall }) => `${name}: ${overall}`)
      .join('; ')
      .slice(0, 5_000),
    ...(rows.length < assessed.count && { notes: [`${assessed.count - rows.length} more are not shown.`] }),
    content: {
      kind: 'grid',
      rowTitle: 'Process',
      columnTitle: 'Score',
      rows: rows.map(({ id, name }) => ({ label: name, href: card(id) })),
      columns: SCORES.map((score) => ({ label: SCORE_LABELS[score] })),
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
  tables: ({ processes: rows }) => [
    {
      name: 'Scores',
      columns: [
        { title: 'Process', kind: 'text' },
        { title: 'Assessed on', kind: 'date' },
        ...SCORES.map((score) => ({ title: SCORE_LABELS[score], kind: 'number' as const })),
      ],
      rows: rows.map((row) => [row.name, row.assessed_on, ...SCORES.map((score) => row[score])]),
    },
  ],
  picture,
});
