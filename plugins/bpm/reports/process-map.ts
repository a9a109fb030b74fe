import {
  defineReport,
  Nullable,
  OneOf,
  Strict,
  Type,
  Uuid,
  type Picture,
  type PictureBox,
  type Static,
} from '@lintel/sdk';
import { SCORES } from '../assessments/resource.js';
import { VIEW } from '../permissions.js';
import type { BpmServices } from '../services.js';
import { readMap } from './repository.js';
import { COLORS, Count, card, most, scoreColor } from './shapes.js';
import { count, textsOf } from './words/index.js';

const FLOWS = ['published', 'pending', 'draft', 'none'] as const;
const Score = Nullable(Type.Integer({ minimum: 1, maximum: 5 }));

const parameters = Strict({
  root_id: Type.Optional(Uuid({ description: 'Only this process and those below it.' })),
  color_by: Type.Optional(OneOf(['state', ...SCORES], { default: 'state', description: 'What the colours show.' })),
  most: most(500, 2_000, 'processes'),
});
const answer = Type.Object({
  color_by: OneOf(['state', ...SCORES]),
  truncated: Type.Boolean(),
  processes: Type.Array(
    Type.Object({
      id: Uuid(),
      name: Type.String(),
      parent_id: Nullable(Uuid({ description: 'Null for the highest ones that are shown.' })),
      state: OneOf(FLOWS),
      element_count: Count('Of the published flow.'),
      efficiency: Score,
      effectiveness: Score,
      compliance: Score,
      automation: Score,
      overall: Score,
    }),
    { description: 'By depth and name.' },
  ),
});
type Answer = Static<typeof answer>;
type Process = Answer['processes'][number];

const colorOf = (by: Answer['color_by'], process: Process): string | undefined => {
  if (by === 'state') return COLORS[process.state];
  const score = process[by];
  return score === null ? COLORS.none : scoreColor(score);
};

/** The boxes of a level; children by their parents. */
function boxes(by: Answer['color_by'], all: readonly Process[]): PictureBox[] {
  const children = new Map<string | null, Process[]>();
  for (const process of all) {
    const known = children.get(process.parent_id);
    if (known) known.push(process);
    else children.set(process.parent_id, [process]);
  }
  const box = (process: Process): PictureBox => {
    const inner = children.get(process.id) ?? [];
    return {
      label: process.name,
      href: card(process.id),
      color: colorOf(by, process),
      ...(by !== 'state' && process[by] !== null && { note: String(process[by]) }),
      shape: inner.length > 0 ? 'container' : 'leaf',
      ...(inner.length > 0 && { children: inner.map(box) }),
    };
  };
  return (children.get(null) ?? []).map(box);
}

function picture({ color_by: by, processes, truncated }: Answer, lang: string): Picture {
  const { map: words, states, scores } = textsOf(lang);
  const counted = count(processes.length, 'process', lang);
  const legend =
    by === 'state'
      ? FLOWS.map((key) => ({ label: states[key], color: COLORS[key] }))
      : [
          ...COLORS.scores.map((color, i) => ({ label: String(i + 1), color })),
          { label: words.notAssessed, color: COLORS.none },
        ];
  return {
    title: words.title,
    subtitle: by === 'state' ? words.byState(counted) : words.byScore(counted, scores[by]),
    description: processes
      .map(({ name, state }) => `${name}: ${states[state]}`)
      .join('; ')
      .slice(0, 5_000),
    ...(truncated && { notes: [words.truncated] }),
    content: { kind: 'nested', boxes: boxes(by, processes), legend },
  };
}

/** The tree of processes. */
export const processMap = defineReport<BpmServices, typeof parameters, typeof answer>({
  id: 'process-map',
  title: 'Process map',
  description: 'The hierarchy of processes, by the state of their flows or by a score of the latest assessment.',
  permission: VIEW,
  parameters,
  answer,
  run: ({ host }, { ctx, parameters: { root_id, color_by = 'state', most: limit = 500 }, lang, asOf }) =>
    host.inventory.read(ctx, { lang, asOf }, async (inventory): Promise<Answer> => {
      const rows = await readMap(inventory, root_id?.toLowerCase(), limit + 1);
      const shown = rows.slice(0, limit);
      const known = new Set(shown.map(({ id }) => id));
      return {
        color_by,
        truncated: rows.length > limit,
        processes: shown.map(({ published, pending, draft, element_count, parent_id, ...row }) => ({
          ...row,
          parent_id: parent_id !== null && known.has(parent_id) ? parent_id : null,
          element_count: element_count ?? 0,
          state: published ? 'published' : pending ? 'pending' : draft ? 'draft' : 'none',
        })),
      };
    }),
  tables: ({ processes }, { lang }) => {
    const { column, states, scores } = textsOf(lang);
    return [
      {
        name: column.processes,
        columns: [
          { title: column.process, kind: 'text' },
          { title: column.above, kind: 'text' },
          { title: column.flow, kind: 'text' },
          { title: column.elements, kind: 'number' },
          ...SCORES.map((score) => ({ title: scores[score], kind: 'number' as const })),
        ],
        rows: processes.map((process) => [
          process.name,
          processes.find(({ id }) => id === process.parent_id)?.name ?? null,
          states[process.state],
          process.element_count,
          ...SCORES.map((score) => process[score]),
        ]),
      },
    ];
  },
  picture: (view, { lang }) => picture(view, lang),
});
