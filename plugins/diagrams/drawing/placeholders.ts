/** Labels with their placeholders replaced: attributes of the cell, of those around it, of the file and of the page. */
import { escapeHtml, isHtml, type DrawioFile, type DrawioPage } from '../drawio/index.js';
import type { Item } from './scene.js';

/** Cells around each other that are searched. */
const MAX_DEPTH = 50;

function variablesOf(file: DrawioFile): Map<string, string> {
  try {
    const read: unknown = JSON.parse(file.attributes.get('vars') ?? '{}');
    if (typeof read !== 'object' || read === null) return new Map();
    return new Map(
      Object.entries(read).flatMap(([key, value]): [string, string][] =>
        typeof value === 'string' ? [[key, value]] : [],
      ),
    );
  } catch {
    return new Map();
  }
}

/** @returns a function that gives the label of a cell of the page */
export function labelsOf(file: DrawioFile, page: DrawioPage): (item: Item) => string {
  const variables = variablesOf(file);
  const fixed = new Map([
    ['page', page.name],
    ['pagenumber', String(file.pages.indexOf(page) + 1)],
    ['pagecount', String(file.pages.length)],
  ]);
  const valueOf = (item: Item, name: string): string | undefined => {
    let at: Item | undefined = item;
    for (let depth = 0; at && depth < MAX_DEPTH; at = at.parent, depth++) {
      const value = at.cell.wrapper?.attributes.get(name);
      if (value !== undefined) return value;
    }
    return fixed.get(name) ?? variables.get(name);
  };
  return (item) => {
    const { label = '', wrapper } = item.cell;
    if (wrapper?.attributes.get('placeholders') !== '1') return label;
    return label.replace(/%([^%\s<>]{1,100})%/g, (all, name: string) => {
      const value = valueOf(item, name);
      if (value === undefined) return all;
      return isHtml(item.cell) ? escapeHtml(value) : value;
    });
  };
}
