import type { Picture, PictureBox, ReportRequest } from '@lintel/sdk';
import { countWords, filterWords, line } from '../words.js';
import type { Answer, Box, Query } from './landscape-schemas.js';

/** The boxes with the cards inside. */
export function landscapePicture(answer: Answer, { lang, filters }: ReportRequest<Query>): Picture {
  const { type, parent_type, color_by, boxes, legend, total, unassigned, truncated } = answer;
  const number = new Intl.NumberFormat(lang);
  const colors = new Map(legend.map(({ key, color }) => [key, color]));
  const boxOf = ({ name, href, count, cards, children }: Box): PictureBox => ({
    label: name,
    href: href ?? undefined,
    note: number.format(count),
    shape: 'container',
    children: [
      ...children.map(boxOf),
      ...cards.map(
        (card): PictureBox => ({
          label: card.name,
          href: card.href,
          color: color_by ? colors.get(card.color_key) : type.color,
          shape: 'leaf',
        }),
      ),
    ],
  });
  return {
    title: `${type.label} by ${parent_type.label}`,
    subtitle: line(
      `${countWords(total, 'card', lang)} of the type ${type.label}`,
      unassigned.count === 0 ? '' : `${number.format(unassigned.count)} without a ${parent_type.label}`,
      color_by && `coloured by ${color_by.label}`,
      filterWords(filters, ['type']),
    ),
    description: boxes
      .slice(0, 50)
      .map(({ name, count }) => `${name}: ${number.format(count)}`)
      .join('; '),
    ...(truncated && { notes: ['Not all boxes and cards are shown.'] }),
    content: {
      kind: 'nested',
      boxes: boxes.map(boxOf),
      ...(legend.length > 0 && { legend: legend.map(({ label, color }) => ({ label, color })) }),
    },
  };
}
