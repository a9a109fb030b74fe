import type { ReportCell, ReportRequest, ReportTable } from '@lintel/sdk';
import { textsOf } from '../words/index.js';
import type { Answer, Box } from './landscape-schemas.js';

/** The boxes in their order, each with the names of those above it. */
function flat(boxes: readonly Box[], above: readonly string[] = []): { box: Box; path: string }[] {
  return boxes.flatMap((box) => {
    const path = [...above, box.name];
    return [{ box, path: path.join(' / ') }, ...flat(box.children, path)];
  });
}

/** One row per card in a box, then the boxes with their numbers. */
export function landscapeTables(
  { type, parent_type, color_by, legend, boxes, unassigned }: Answer,
  { lang }: Pick<ReportRequest, 'lang'>,
): ReportTable[] {
  const { column } = textsOf(lang);
  const rows = flat(boxes);
  const labels = new Map(legend.map(({ key, label }) => [key, label]));
  const placed = rows.flatMap(({ box, path }) =>
    box.cards.map((card): ReportCell[] => [path, card.name, ...(color_by ? [labels.get(card.color_key) ?? null] : [])]),
  );
  return [
    {
      name: column.cards,
      columns: [
        { title: parent_type.label, kind: 'text' },
        { title: type.label, kind: 'text' },
        ...(color_by ? [{ title: color_by.label, kind: 'text' as const }] : []),
      ],
      rows: placed,
    },
    {
      name: column.boxes,
      columns: [
        { title: parent_type.label, kind: 'text' },
        { title: column.level, kind: 'number' },
        { title: column.cards, kind: 'number' },
      ],
      rows: [...rows.map(({ box, path }) => [path, box.level, box.count]), [null, null, unassigned.count]],
    },
  ];
}
