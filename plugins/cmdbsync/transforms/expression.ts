import { Environment, type ASTNode } from '@marcbachmann/cel-js';
import type { Value } from '../records/definition.js';
import { Budget } from './budget.js';
import { checked, instrumented, sourcesOf } from './expression-text.js';
import { MappingFault, storable } from './values.js';

/** Longest expression in characters. */
export const MOST_EXPRESSION = 2_000;
const LIMITS = { maxAstNodes: 200, maxDepth: 20, maxListElements: 50, maxMapEntries: 50, maxCallArguments: 4 };
/** The text with the measured parts has more of both, in a fixed ratio. */
const INNER_LIMITS = { ...LIMITS, maxAstNodes: 700, maxDepth: 80 };

/** Used by one evaluation at a time: evaluations are synchronous. */
const budget = new Budget();

const outer = new Environment({ unlistedVariablesAreDyn: false, homogeneousAggregateLiterals: false, limits: LIMITS })
  .registerVariable('record', 'dyn')
  .registerVariable('value', 'dyn')
  .registerVariable('id', 'string');
const inner = outer
  .clone({ limits: INNER_LIMITS })
  .registerFunction('_spent(dyn): dyn', (value: unknown) => budget.spend(value))
  .registerFunction('_like(dyn, string): bool', (text: unknown, pattern: string) => budget.matches(text, pattern));

/** A compiled expression. */
export interface CompiledExpression {
  /**
   * @param record values of the record
   * @param value of the source field
   * @param id of the record
   * @throws MappingFault for an error of this record
   */
  evaluate(record: Readonly<Record<string, unknown>>, value: Value, id: string): Value;
  /** The members of `record` that it reads. */
  sources: readonly string[];
}

const reasonOf = (error: unknown): string =>
  // It may name values of the record.
  storable(((error as { summary?: string }).summary ?? (error as Error).message).split('\n')[0]!, 300);

/**
 * Compiles an expression. Its text is evaluated with a function around each part whose size depends on the record, which adds up
 * sizes and ends the evaluation at a limit.
 * @throws MappingFault with the reason why it is invalid
 */
export function compileExpression(text: string): CompiledExpression {
  if (text.length > MOST_EXPRESSION) throw new MappingFault(`must have at most ${MOST_EXPRESSION} characters`);
  let program: (context: Record<string, unknown>) => unknown;
  let ast: ASTNode;
  try {
    const parsed = outer.parse(text);
    ast = parsed.ast;
    checked(ast);
    const { valid, error } = outer.check(text);
    if (!valid) throw error ?? new Error('is invalid');
    program = inner.parse(instrumented(ast));
  } catch (error) {
    throw error instanceof MappingFault ? error : new MappingFault(`is not valid: ${reasonOf(error)}`);
  }
  return {
    sources: sourcesOf(ast),
    evaluate(record, value, id) {
      budget.begin();
      try {
        return budget.result(program({ record, value, id }));
      } catch (error) {
        throw error instanceof MappingFault ? error : new MappingFault(reasonOf(error));
      }
    },
  };
}
