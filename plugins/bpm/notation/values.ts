/** Values of attributes by the types of the descriptors, which the library takes as they come. */
import { localName, moddle, type BpmnNode } from './model.js';
import { quoted, type ProblemCode } from './problems.js';

/** The lexical forms of https://www.w3.org/TR/xmlschema-2/; other types have any. */
const FORMS: Readonly<Record<string, RegExp | undefined>> = {
  Boolean: /^\s*(true|false|1|0)\s*$/,
  Integer: /^\s*[+-]?\d+\s*$/,
  Real: /^\s*([+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?)\s*$/,
};

const ENUMERATIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  moddle
    .getPackages()
    .flatMap(({ prefix, enumerations = [] }) =>
      enumerations.map(({ name, literalValues }) => [`${prefix}:${name}`, new Set(literalValues.map((v) => v.name))]),
    ),
);

/**
 * Checks the attributes of an element.
 * @param attributes as in the file, by names in the prefixes of the model
 * @param report called for each value that its type does not have
 */
export function checkValues(
  node: BpmnNode,
  attributes: Record<string, string>,
  report: (code: ProblemCode, message: string) => void,
): void {
  const { propertiesByName } = node.$descriptor;
  for (const name in attributes) {
    const property = propertiesByName[name];
    if (!property || property.isReference || property.type === 'String') continue;
    const value = attributes[name]!;
    const allowed = ENUMERATIONS.get(property.type);
    const isValid = allowed ? allowed.has(value.trim()) : (FORMS[property.type]?.test(value) ?? true);
    if (isValid) continue;
    const expected = allowed ? `one of ${[...allowed].join(', ')}` : `a value of type ${property.type}`;
    report('invalid_value', `${name} of this ${localName(node)} is ${quoted(value)}; it must be ${expected}.`);
  }
}
