import { TimeSlice } from '@lintel/sdk';
import type { JsonSchema } from './compilers.js';

type Write = (value: unknown) => string;

interface AnswerSchema extends JsonSchema {
  items?: object;
  required?: string[];
  properties: Record<string, AnswerSchema>;
}

/** Serialises the answers of a bulk request row by row, so that the event loop is free in between. */
export class BulkWriter {
  private constructor(
    private readonly rest: Write,
    private readonly row: Write,
  ) {}

  /**
   * @param schema of the response
   * @param compile compiles a schema to its serialiser
   * @returns undefined unless the schema is that of an object with a list `results`
   */
  static of(schema: unknown, compile: (schema: object) => Write): BulkWriter | undefined {
    const whole = schema as Partial<AnswerSchema> | undefined;
    const { results, ...others } = whole?.properties ?? {};
    if (whole?.type !== 'object' || results?.type !== 'array' || !results.items) return undefined;
    const required = whole.required?.filter((name) => name !== 'results') ?? [];
    return new BulkWriter(compile({ ...whole, properties: others, required }), compile(results.items));
  }

  /** @returns the JSON text of an answer */
  async write(answer: { results: readonly unknown[] }): Promise<string> {
    const { results, ...others } = answer;
    const rows: string[] = [];
    const slice = new TimeSlice();
    for (const result of results) {
      rows.push(this.row(result));
      if (slice.isOver) await slice.next();
    }
    const begin = this.rest(others).slice(0, -1);
    return `${begin}${begin === '{' ? '' : ','}"results":[${rows.join(',')}]}`;
  }
}
