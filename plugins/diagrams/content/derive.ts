/** What a reader gets: the stored file with the current names, colours and states of its cards. */
import { escapeHtml } from '../drawio/label-text.js';
import {
  isHtml,
  setCellStyle,
  setText,
  setUserAttribute,
  userAttribute,
  type DrawioCell,
  type DrawioFile,
} from '../drawio/model.js';
import { styleValue } from '../drawio/style.js';
import { byPlace, CARD_ATTRIBUTES, cardOf, cardOfLink, type PublicUrl } from './card-shapes.js';
import { mask, maskedCells } from './masking.js';
import { hideIds } from './stand-ins.js';
import { placeOf, type CardShape, type CardState, type StoredOwners } from './stored.js';

/**
 * The attribute of a shape that is drawn as archived or deleted. It has the values of the style before, so that saving
 * the file again does not store the mark.
 */
const MARK = 'cardMark';
const MARKED = { dashed: '1', opacity: '40' } as const;

/** Removes the reference to a card from a shape. */
function unlink(cell: DrawioCell, publicUrl: PublicUrl): void {
  for (const wanted of CARD_ATTRIBUTES)
    for (const name of [...(cell.wrapper?.attributes.keys() ?? [])])
      if (name.toLowerCase() === wanted.toLowerCase()) setUserAttribute(cell, name, undefined);
  const link = userAttribute(cell, 'link');
  if (link === undefined || cardOfLink(link, publicUrl) === undefined) return;
  for (const name of [...(cell.wrapper?.attributes.keys() ?? [])])
    if (name.toLowerCase() === 'link') setUserAttribute(cell, name, undefined);
}

function markAs(cell: DrawioCell, state: 'archived' | 'deleted'): void {
  const before = Object.keys(MARKED).map((key) => styleValue(cell.style, key) ?? '');
  setUserAttribute(cell, MARK, [state, ...before].join('|'));
  for (const [key, value] of Object.entries(MARKED)) setCellStyle(cell, key, value);
}

/** Removes the marks of archived and deleted cards from a file that is to be stored. */
export function removeMarks(file: DrawioFile): void {
  for (const { cells } of file.pages)
    for (const cell of cells) {
      const mark = userAttribute(cell, MARK);
      if (mark === undefined) continue;
      const [, ...before] = mark.split('|');
      setUserAttribute(cell, MARK, undefined);
      // A user who has changed the style meant it.
      Object.entries(MARKED).forEach(([key, value], i) => {
        if (styleValue(cell.style, key) === value) setCellStyle(cell, key, before[i] === '' ? undefined : before[i]);
      });
    }
}

/** A name that looks like markup is written as HTML, in which it is text for every program that reads the file. */
function rename(cell: DrawioCell, name: string): void {
  if (!isHtml(cell) && /[<&]/.test(name)) {
    setCellStyle(cell, 'html', '1');
    cell.label = escapeHtml(name);
  } else setText(cell, name);
}

function show(
  cell: DrawioCell,
  shape: CardShape,
  state: Exclude<CardState, { kind: 'hidden' }>,
  publicUrl: PublicUrl,
): void {
  if (state.kind === 'deleted') {
    unlink(cell, publicUrl);
    markAs(cell, 'deleted');
    return;
  }
  if (shape.name !== null && shape.name !== state.name) rename(cell, state.name);
  if (shape.color !== null && state.color !== null && shape.color !== state.color)
    setCellStyle(cell, 'fillColor', state.color);
  if (state.isArchived) markAs(cell, 'archived');
}

/**
 * Changes a stored file to what a reader may see now.
 * @param stored what is stored with the file; `key` is that of the diagram
 * @param states of all its cards, by id
 */
export function derive(
  file: DrawioFile,
  stored: StoredOwners & { key: string },
  states: ReadonlyMap<string, CardState>,
  publicUrl: PublicUrl,
): void {
  const places = byPlace(stored.shapes);
  const masked = maskedCells(file, stored, (card) => (states.get(card)?.kind ?? 'hidden') === 'hidden');
  file.pages.forEach(({ cells }, page) => {
    cells.forEach((cell, at) => {
      const owned = masked[page]!.get(at);
      if (owned) {
        mask(cell, owned.kind);
        return;
      }
      const shape = places.get(placeOf(page, at));
      const state = shape && states.get(shape.card);
      if (shape && state && state.kind !== 'hidden') show(cell, shape, state, publicUrl);
      // A reference that was not accepted when the version was saved.
      else if (cardOf(cell, publicUrl) !== undefined) unlink(cell, publicUrl);
    });
    hideIds(file.pages[page]!, masked[page]!, stored.key);
  });
}
