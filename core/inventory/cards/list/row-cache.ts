import { LRUCache } from 'lru-cache';
import type { CardJson, Shown } from './view.js';

/** A card's view as it leaves, with what it was made of. */
export interface RowView extends Omit<CardJson, 'json'> {
  bytes: Buffer;
  id: string;
  type: string;
  /** Which parts of the card the view shows, by the rights of its reader. */
  shown: Shown;
  /** What is shown beside the row: names above it, tags, stakeholders. */
  relatedJson: string;
  /** Which row version it shows: any change of the row, the derived columns included, gives it another. */
  stamp: string;
  /** UTC day of its lifecycle phase. */
  day: string;
  /** Revision of the metamodel that said which fields are costs. */
  revision: string;
}

interface Entry {
  type: string;
  stamp: string;
  /** By what is shown. */
  views: (RowView | undefined)[];
}

const place = ({ costs, stakeholders }: Shown): number => (costs ? 1 : 0) + (stakeholders ? 2 : 0);

/** Rough cost of an entry beside its text. */
const OVERHEAD = 500;

/**
 * Views of cards by id, for readers who see cards of all types; the least lately used are dropped first. An entry is used only
 * after the database was asked which row version it must be of.
 */
export class RowCache {
  private readonly entries: LRUCache<string, Entry>;

  /** @param most bytes */
  constructor(most: number) {
    this.entries = new LRUCache({ maxSize: Math.max(1, most), sizeCalculation: sizeOf });
  }

  /** The type and the row version of what is kept of a card. */
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
