import { invalid } from '../../foundation/errors.js';
import type { Extensions, OwnedFormat } from '../extensions.js';

/** An import format. */
interface FormatView {
  id: string;
  title: string;
  /** With the dot, in lower case. */
  extensions: string[];
  content_types: string[];
  /** The module it is of; null for the core's own. */
  module: string | null;
}

const OWN: readonly FormatView[] = [
  {
    id: 'csv',
    title: 'Table (CSV)',
    extensions: ['.csv', '.tsv'],
    content_types: ['text/csv', 'text/tab-separated-values'],
    module: null,
  },
  {
    id: 'ndjson',
    title: 'One JSON object per line (NDJSON)',
    extensions: ['.ndjson', '.jsonl'],
    content_types: ['application/x-ndjson', 'application/ndjson', 'application/jsonl'],
    module: null,
  },
  {
    id: 'archimate',
    title: 'ArchiMate Model Exchange File',
    extensions: ['.xml'],
    content_types: ['application/xml', 'text/xml'],
    module: null,
  },
];

const dots = (extension: string): number => extension.split('.').length;

/** The formats of the core, and those of the enabled modules. */
export class ImportFormats {
  constructor(private readonly extensions: Extensions) {}

  /** The core's formats come first; if two have the same id, the first one is used. */
  list(): FormatView[] {
    const added = this.extensions.formats().map(
      ({ module, format: { id, title, extensions, contentTypes } }): FormatView => ({
        id,
        title,
        extensions: [...extensions],
        content_types: [...contentTypes],
        module,
      }),
    );
    return [...new Map([...OWN, ...added].reverse().map((format) => [format.id, format])).values()].reverse();
  }

  /** The format of a module, while the module is enabled. */
  ofModule(id: string): OwnedFormat | undefined {
    return this.extensions.formats().find(({ format }) => format.id === id);
  }

  /** Whether some format accepts the media type. */
  takes(type: string): boolean {
    return this.list().some(({ content_types }) => content_types.includes(type));
  }

  /** @param where the part of the request with the format @throws a 422 where the format is unknown */
  check(id: string, where: 'body' | 'query'): void {
    const known = this.list().map((format) => format.id);
    if (!known.includes(id))
      throw invalid({
        field: where === 'body' ? '/format' : 'format',
        reason: `must be one of ${known.join(', ')}`,
        in: where,
      });
  }

  /**
   * Determines the format of a file: by an extension of several parts, by its media type, or by its extension.
   * @param type media type in lower case
   * @throws a 422 where none matches
   */
  recognise(type: string, fileName: string): string {
    const formats = this.list();
    const name = fileName.toLowerCase();
    const [byName] = formats
      .flatMap(({ id, extensions }) =>
        extensions.filter((extension) => name.endsWith(extension)).map((extension) => ({ id, extension })),
      )
      .sort((a, b) => b.extension.length - a.extension.length);
    // An extension such as `.acme.xml` is more specific than the media type a browser sends.
    if (byName && dots(byName.extension) > 2) return byName.id;
    const found = formats.find(({ content_types }) => content_types.includes(type))?.id ?? byName?.id;
    if (found === undefined)
      throw invalid({ field: '/format', reason: `is required: one of ${formats.map(({ id }) => id).join(', ')}` });
    return found;
  }
}
