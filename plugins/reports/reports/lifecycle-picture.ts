import type { Picture, ReportRequest, TimelinePicture } from '@lintel/sdk';
import { addDays } from '../days.js';
import { countWords, filterWords, line, textsOf } from '../words/index.js';
import type { Answer, Query } from './lifecycle-schemas.js';

/** The roadmap as spans on a time axis. */
export function lifecyclePicture(answer: Answer, request: ReportRequest<Query>): Picture {
  const { lang } = request;
  const texts = textsOf(lang);
  const { lifecycle: own } = texts;
  const { type, group_by, groups, items, phases, from, to, today, total, without, truncated } = answer;
  const number = new Intl.NumberFormat(lang);
  const views = new Map(phases.map((view) => [view.phase, view]));
  const rows = (of: Answer['items']): TimelinePicture['groups'][number]['items'] =>
    of.map(({ name, href, phases: ranges }) => ({
      label: name,
      href,
      spans: ranges.map(({ phase, from: start, to: end }) => {
        const last = end === null ? to : addDays(end, -1);
        const { label, color } = views.get(phase)!;
        return { from: start < from ? from : start, to: last > to ? to : last, label, color };
      }),
    }));
  const shown = items.filter((item) => item.phases.length > 0);
  const used = new Set(shown.flatMap((item) => item.phases.map(({ phase }) => phase)));
  const hidden = items.length - shown.length;
  const notes = [
    ...(without.count > 0 ? [own.undated(countWords(without.count, 'card', lang))] : []),
    ...(hidden > 0 ? [own.outside(countWords(hidden, 'card', lang))] : []),
    ...(truncated ? [own.shown(number.format(items.length), number.format(total))] : []),
  ];
  return {
    title: own.title(type.label),
    subtitle: line(
      own.dated(countWords(total, 'card', lang)),
      own.period(from, to),
      group_by && texts.byOnly(group_by.label),
      filterWords(request, ['type']),
    ),
    description: shown
      .slice(0, 50)
      .map(
        ({ name, phases: ranges }) =>
          `${name}: ${ranges.map(({ phase, from: start }) => own.from(views.get(phase)!.label, start)).join(', ')}`,
      )
      .join('; '),
    ...(notes.length > 0 && { notes }),
    content: {
      kind: 'timeline',
      from,
      to,
      ...(from <= today && today <= to && { marker: today }),
      groups: group_by
        ? groups
            .map(({ key, label }) => ({ label, items: rows(shown.filter(({ group }) => group === key)) }))
            .filter((group) => group.items.length > 0)
        : [{ label: '', items: rows(shown) }],
      legend: phases.filter(({ phase }) => used.has(phase)).map(({ label, color }) => ({ label, color })),
    },
  };
}
