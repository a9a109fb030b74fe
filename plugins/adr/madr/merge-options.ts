import { isDeepStrictEqual } from 'node:util';
import type { AdrOption } from '../model.js';
import type { Draft } from './draft.js';
import type { FoundOption } from './options.js';

const pointLines = (draft: Draft, { pros, cons }: AdrOption): string =>
  draft.list(pros, 'Good, because ') + draft.list(cons, 'Bad, because ');
const blockOf = (draft: Draft, option: AdrOption): string => `### ${option.title}\n\n${pointLines(draft, option)}`;
const hasPoints = ({ pros, cons }: AdrOption): boolean => pros.length + cons.length > 0;

/** Matches the options found in the source with the required ones. */
function pairs(
  found: readonly FoundOption[],
  wanted: readonly AdrOption[],
): { kept: [FoundOption, AdrOption][]; added: AdrOption[]; gone: FoundOption[] } {
  const left = [...found];
  const kept: [FoundOption, AdrOption][] = [];
  const added: AdrOption[] = [];
  for (const option of wanted) {
    const i = left.findIndex(({ title }) => title === option.title);
    if (i === -1) added.push(option);
    else kept.push([left.splice(i, 1)[0]!, option]);
  }
  return { kept, added, gone: left };
}

/** Writes changed pros and cons into the option's own section; its other text is kept. */
function setPoints(draft: Draft, found: FoundOption, option: AdrOption, apart: AdrOption[]): void {
  if (isDeepStrictEqual([found.pros, found.cons], [option.pros, option.cons])) return;
  const { block, points } = found;
  if (!block) {
    apart.push(option);
    return;
  }
  for (const { start, end } of points) draft.replace(start, end, '');
  const at = points[0]?.start ?? block.end;
  draft.insert(at, points.length > 0 ? pointLines(draft, option) : `\n${pointLines(draft, option)}\n`);
}

function setList(draft: Draft, { kept, added, gone }: ReturnType<typeof pairs>): AdrOption[] {
  const {
    source,
    parsed: { options, layout },
  } = draft;
  const items = options.flatMap(({ item }) => item ?? []);
  const body = layout.bodies.get('options');
  const names = draft.list(added.map(({ title }) => title));
  const isInOrder = kept.every(([found], i) => i === 0 || options.indexOf(kept[i - 1]![0]) < options.indexOf(found));
  if (items.length > 0 && !isInOrder) {
    const lines = kept.map(([{ item }, { title }]) =>
      item ? source.slice(item.start, item.end).replaceAll('\r\n', '\n').trimEnd() : `${draft.marker} ${title}`,
    );
    draft.replace(items[0]!.start, items.at(-1)!.end, `${lines.join('\n')}\n${names}`);
    return [];
  }
  for (const { item } of gone) if (item) draft.replace(item.start, item.end, '');
  if (added.length === 0) return [];
  if (items.length > 0) draft.insert(items.at(-1)!.end, names);
  // If the existing options have sections and no list, the new one gets a section, too.
  else if (body && options.length > 0) {
    draft.insert(body.to, added.map((option) => `${blockOf(draft, option)}\n`).join(''));
    return added;
  } else if (body) draft.insert(body.from, `\n${names}\n`);
  else draft.addSection('options', names);
  return [];
}

/**
 * Edits the source so that it contains these options with these pros and cons.
 * @returns a function that adds the sections of options without one; call it after the preceding sections are placed
 */
export function optionEdits(draft: Draft, wanted: readonly AdrOption[]): () => void {
  const {
    parsed: {
      options,
      layout: { bodies },
    },
  } = draft;
  const bare = options.map(({ title, pros, cons }) => ({ title, pros, cons }));
  if (isDeepStrictEqual(bare, wanted)) return () => undefined;
  const plan = pairs(options, wanted);
  const apart: AdrOption[] = [];
  // Edited before insertions, because the last option may end where an insertion begins.
  for (const [found, option] of plan.kept) setPoints(draft, found, option, apart);
  const written = setList(draft, plan);
  for (const { block } of plan.gone) if (block) draft.replace(block.start, block.end, '');
  apart.push(...plan.added.filter((option) => hasPoints(option) && !written.includes(option)));
  return () => {
    if (apart.length === 0) return;
    const text = apart.map((option) => blockOf(draft, option)).join('\n');
    const body = bodies.get('prosCons');
    if (body) draft.insert(body.to, body.to < draft.source.length ? `${text}\n` : `\n${text}`);
    else draft.addSection('prosCons', text);
  };
}
