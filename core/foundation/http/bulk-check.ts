import { ErrorBudget, TimeSlice, type BulkMode, type FieldError, type RefusedOperation } from '@lintel/sdk';
import { MAX_FIELD_ERRORS } from '../errors.js';
import { InvalidPart, type JsonSchema } from './compilers.js';

/** Of a call that is refused: with one more, it is known that there are more. */
const MOST_ERRORS = MAX_FIELD_ERRORS;
const MOST_REF = 200;

/** As a compiled schema answers: an error where the value does not fit. */
export type Validate = (value: unknown) => unknown;

/** A bulk with its sound operations alone, and the others. */
export interface CheckedBulk {
  body: { mode?: BulkMode; operations: unknown[] };
  refused: RefusedOperation[];
}

interface BulkSchema extends JsonSchema {
  properties: { operations: { type: 'array'; items: JsonSchema; maxItems: number } };
}

/** @throws where a schema is not that of a bulk: `{mode?, operations: […]}` with a bound for the operations */
function bulkSchema(schema: unknown, route: string): BulkSchema {
  const operations = (schema as BulkSchema | undefined)?.properties?.operations as
    | Partial<BulkSchema['properties']['operations']>
    | undefined;
  if (operations?.type !== 'array' || !operations.items || operations.maxItems === undefined)
    throw new Error(`${route} is a bulk, and its body has no array \`operations\` with \`items\` and \`maxItems\``);
  return schema as BulkSchema;
}

const faultsOf = (outcome: unknown): FieldError[] => {
  const error = (outcome as { error?: unknown } | undefined)?.error;
  return error instanceof InvalidPart ? error.errors : [];
};

/** The check of a bulk's body: its operations one by one, so that others have their turn in between. */
export class BulkCheck {
  /** Operations a call may have. */
  readonly mostOperations: number;
  private readonly envelope: Validate;
  private readonly operation: Validate;

  /**
   * @param schema of the whole body
   * @param compile makes the check of a schema
   * @param route named where the schema is none of a bulk
   */
  constructor(schema: unknown, compile: (schema: object) => Validate, route: string) {
    const whole = bulkSchema(schema, route);
    const { operations } = whole.properties;
    this.mostOperations = operations.maxItems;
    this.envelope = compile({
      ...whole,
      properties: { ...whole.properties, operations: { ...operations, items: {} } },
    });
    this.operation = compile(operations.items);
  }

  /**
   * @param unsafe faults that are known already, by place
   * @returns in `per_row` the sound operations and those that are refused
   * @throws InvalidPart where the call as a whole is refused: for what stands around the operations, or, unless the mode is
   * `per_row`, for any of them
   */
  async check(body: unknown, unsafe: ReadonlyMap<number, FieldError[]> = new Map()): Promise<CheckedBulk> {
    const faults = faultsOf(this.envelope(body));
    const given = (body as { operations?: unknown } | null | undefined)?.operations;
    const operations: unknown[] = Array.isArray(given) && given.length <= this.mostOperations ? given : [];
    const byRow = faults.length === 0 && (body as CheckedBulk['body']).mode === 'per_row';
    const slice = new TimeSlice();
    const budget = new ErrorBudget();
    const sound: unknown[] = [];
    const refused: RefusedOperation[] = [];
    for (const [index, operation] of operations.entries()) {
      const errors = [...(unsafe.get(index) ?? []), ...faultsOf(this.operation(operation))];
      if (errors.length === 0) sound.push(operation);
      else {
        const placed = (byRow ? budget.take(errors) : errors).map(
          (error): FieldError => ({ ...error, field: `/operations/${index}${error.field}` }),
        );
        if (byRow) refused.push({ index, ...refOf(operation), operation, errors: placed });
        else faults.push(...placed);
      }
      if (faults.length > MOST_ERRORS) break;
      if (slice.isOver) await slice.next();
    }
    if (faults.length > 0) throw new InvalidPart('body', faults.slice(0, MOST_ERRORS + 1));
    return { body: { ...(body as CheckedBulk['body']), operations: sound }, refused };
  }
}

function refOf(operation: unknown): { ref?: string } {
  const ref = (operation as { ref?: unknown } | null)?.ref;
  return typeof ref === 'string' &&
    ref.length > 0 &&
    ref.length <= MOST_REF &&
    ref.isWellFormed() &&
    !ref.includes('\0')
    ? { ref }
    : {};
}
