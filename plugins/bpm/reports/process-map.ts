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
import { COLORS, Count, SCORE_LABELS, card, most, scoreColor } from './shapes.js';

const FLOWS = ['published', 'pending', 'draft', 'none'] as const;
const FLOW_LABELS = {
  published: 'Published',
  pending: 'Awaiting approval',
  draft: 'Draft',
  none: 'Without a flow',
} as const;
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

function picture({ color_by: by, processes, truncated }: Answer): Picture {
  const legend =
    by === 'state'
      ? FLOWS.map((key) => ({ label: FLOW_LABELS[key], color: COLORS[key] }))
      : [
          ...COLORS.scores.map((color, i) => ({ label: String(i + 1), color })),
          { label: 'Not assessed', color: COLORS.none },
        ];
  return {
    title: 'Process map',
    subtitle: `${processes.length} processes by ${by === 'state' ? 'the state of their flows' : `their score: ${SCORE_LABELS[by]}`}`,
    description: processes
      .map(({ name, state }) => `${name}: ${state}`)
      .join('; ')
      .slice(0, 5_000),
    ...(truncated && { notes: ['Not all processes are shown.'] }),
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
  tables: ({ processes }) => [
    {
      name: 'Processes',
      columns: [
        { title: 'Process', kind: 'text' },
        { title: 'Above', kind: 'text' },
        { title: 'Flow', kind: 'text' },
        { title: 'Elements', kind: 'number' },
        ...SCORES.map((score) => ({ title: SCORE_LABELS[score], kind: 'number' as const })),
      ],
      rows: processes.map((process) => [
        process.name,
        processes.find(({ id }) => id === process.parent_id)?.name ?? null,
        FLOW_LABELS[process.state],
        process.element_count,
        ...SCORES.map((score) => process[score]),
      ]),
    },
  ],
  picture,
});
