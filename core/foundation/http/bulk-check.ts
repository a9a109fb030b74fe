import { ErrorBudget, TimeSlice, type BulkMode, type FieldError, type RefusedOperation } from '@lintel/sdk';
import { MAX_FIELD_ERRORS } from '../errors.js';
import { InvalidPart, type JsonSchema } from './compilers.js';

/** Maximum number of errors collected for a rejected call; reaching it shows that there are more. */
const MOST_ERRORS = MAX_FIELD_ERRORS;
const MOST_REF = 200;

/** A compiled schema's validate function: returns an error where the value is invalid. */
export type Validate = (value: unknown) => unknown;

/** The valid operations of a bulk request, and the invalid ones. */
export interface CheckedBulk {
  body: { mode?: BulkMode; operations: unknown[] };
  refused: RefusedOperation[];
}

interface BulkSchema extends JsonSchema {
  properties: { operations: { type: 'array'; items: JsonSchema; maxItems: number } };
}

/** @throws where a schema is not that of a bulk request: `{mode?, operations: […]}` with a bound for the operations */
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

/** Validates the body of a bulk request operation by operation, so that the event loop is free in between. */
export class BulkCheck {
  /** Maximum number of operations per call. */
  readonly mostOperations: number;
  private readonly envelope: Validate;
  private readonly operation: Validate;

  /**
   * @param schema schema of the whole body
   * @param compile compiles a schema to its validate function
   * @param route named in the error where the schema is not that of a bulk request
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
   * @param unsafe errors already found, by index of the operation
   * @returns in `per_row` mode the valid operations and those that are rejected
   * @throws InvalidPart where the whole call is rejected: for errors outside the operations or, unless the mode is
   *   `per_row`, for an error in any operation
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
