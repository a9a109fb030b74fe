import type { Picture, PictureBox, ReportRequest } from '@lintel/sdk';
import { countWords, filterWords, line, textsOf } from '../words/index.js';
import type { Answer, Box, Query } from './landscape-schemas.js';

/** The boxes with the cards inside. */
export function landscapePicture(answer: Answer, request: ReportRequest<Query>): Picture {
  const { lang } = request;
  const texts = textsOf(lang);
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
    title: texts.by(type.label, parent_type.label),
    subtitle: line(
      texts.ofType(countWords(total, 'card', lang), type.label),
      unassigned.count === 0 ? '' : texts.without(number.format(unassigned.count), parent_type.label),
      color_by && texts.landscape.colored(color_by.label),
      filterWords(request, ['type']),
    ),
    description: boxes
      .slice(0, 50)
      .map(({ name, count }) => `${name}: ${number.format(count)}`)
      .join('; '),
    ...(truncated && { notes: [texts.landscape.truncated] }),
    content: {
      kind: 'nested',
      boxes: boxes.map(boxOf),
      ...(legend.length > 0 && { legend: legend.map(({ label, color }) => ({ label, color })) }),
    },
  };
}
