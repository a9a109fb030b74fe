import { LRUCache } from 'lru-cache';
import type { CardJson, Shown } from './view.js';

/** The serialised view of a card, with the data it was built from. */
export interface RowView extends Omit<CardJson, 'json'> {
  bytes: Buffer;
  id: string;
  type: string;
  /** The parts of the card included for the permissions of its reader. */
  shown: Shown;
  /** The parts outside the row: names of ancestors, tags, stakeholders. */
  relatedJson: string;
  /** Row version (xmin): every update of the row, including derived columns, changes it. */
  stamp: string;
  /** UTC day for which the lifecycle phase was computed. */
  day: string;
  /** Revision of the metamodel that determined the cost fields. */
  revision: string;
}

interface Entry {
  type: string;
  stamp: string;
  /** By the parts included. */
  views: (RowView | undefined)[];
}

const place = ({ costs, stakeholders, wholeScore }: Shown): number =>
  (costs ? 1 : 0) + (stakeholders ? 2 : 0) + (wholeScore ? 4 : 0);

/** Approximate size of an entry without its text. */
const OVERHEAD = 500;

/**
 * LRU cache of card views by id, for readers without hidden types. An entry is used only after the database has
 * returned the current row version.
 */
export class RowCache {
  private readonly entries: LRUCache<string, Entry>;

  /** @param most maximum size in bytes */
  constructor(most: number) {
    this.entries = new LRUCache({ maxSize: Math.max(1, most), sizeCalculation: sizeOf });
  }

  /** Type and row version of the cached card. */
  peek(id: string): { type: string; stamp: string } | undefined {
    return this.entries.peek(id);
  }

  find(
    id: string,
    shown: Shown,
    like: Pick<RowView, 'stamp' | 'relatedJson' | 'day' | 'revision'>,
  ): RowView | undefined {
    const view = this.entries.get(id)?.views[place(shown)];
    if (
      !view ||
      view.stamp !== like.stamp ||
      view.relatedJson !== like.relatedJson ||
      view.day !== like.day ||
      view.revision !== like.revision
    )
      return undefined;
    return view;
  }

  put(view: RowView): void {
    const { id, shown } = view;
    const before = this.entries.peek(id);
    const views = before?.stamp === view.stamp ? [...before.views] : [];
    views[place(shown)] = view;
    this.entries.set(id, { type: view.type, stamp: view.stamp, views });
  }

  get bytes(): number {
    return this.entries.calculatedSize;
  }
}

const viewSize = (view: RowView | undefined): number =>
  view ? view.bytes.length + 2 * view.relatedJson.length + OVERHEAD : 0;
const sizeOf = ({ views }: Entry): number => views.reduce((size, view) => size + viewSize(view), 0);
