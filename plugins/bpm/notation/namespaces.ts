/** Prefixes of a file, which are free, as the fixed prefixes of the model. */
import type { SaxesAttributeNS, SaxesTagNS } from 'saxes';
import { moddle } from './model.js';

const KNOWN: readonly (readonly [uri: string, prefix: string])[] = [
  ['http://www.w3.org/2001/XMLSchema-instance', 'xsi'],
  ['http://www.w3.org/XML/1998/namespace', 'xml'],
  ...moddle.getPackages().map(({ uri, prefix }) => [uri, prefix] as const),
];

/**
 * Gives every namespace one prefix: a fixed one where the model has it, else the one that the file uses first, unless it
 * is in use for another namespace. What moddle-xml needs of it: `bound`, from prefixes of the file and `<prefix>$uri`.
 */
export class Namespaces {
  readonly #prefixes = new Map<string, string>(KNOWN);
  readonly #taken = new Set(KNOWN.map(([, prefix]) => prefix));
  /** Inner scopes inherit from outer ones: a copy for each tag would take quadratic time. */
  readonly #scopes: Record<string, string>[] = [firstScope()];
  #anonymous = 0;

  /** What is bound at the current place. */
  get bound(): Record<string, string> {
    return this.#scopes.at(-1)!;
  }

  /** Enters an element. */
  open(tag: SaxesTagNS): void {
    let scope = this.bound;
    for (const name in tag.attributes) {
      const attribute = tag.attributes[name]!;
      const declared = declaredBy(attribute);
      if (declared === undefined) continue;
      if (scope === this.bound) scope = Object.create(scope) as Record<string, string>;
      const prefix = this.#prefixOf(attribute.value, declared);
      scope[declared] = prefix;
      scope[`${prefix}$uri`] = attribute.value;
      scope[`${declared}$uri`] = attribute.value;
    }
    this.#scopes.push(scope);
  }

  close(): void {
    this.#scopes.pop();
  }

  /** The name of the current element in the prefixes of the model. */
  elementName({ uri, local, prefix }: SaxesTagNS): string {
    return uri === '' ? local : `${this.#prefixOf(uri, prefix)}:${local}`;
  }

  /** The attributes of the current element by their names in the prefixes of the model; declarations keep their names. */
  attributes(tag: SaxesTagNS): Record<string, string> {
    const named = Object.create(null) as Record<string, string>;
    for (const name in tag.attributes) {
      const { uri, local, prefix, value } = tag.attributes[name]!;
      const isPlain = prefix === '' || prefix === 'xmlns';
      named[isPlain ? name : `${this.#prefixOf(uri, prefix)}:${local}`] = value;
    }
    return named;
  }

  /** @param wished prefix in the file, or `xmlns` or '' for the default namespace */
  #prefixOf(uri: string, wished: string): string {
    const known = this.#prefixes.get(uri);
    if (known !== undefined) return known;
    let prefix = wished;
    // The library looks prefixes up in plain objects, where `constructor` and others are always found.
    while (prefix === '' || prefix === 'xmlns' || prefix in {} || this.#taken.has(prefix))
      prefix = `ns${this.#anonymous++}`;
    this.#prefixes.set(uri, prefix);
    this.#taken.add(prefix);
    return prefix;
  }
}

/** The prefix that an attribute declares, `xmlns` for the default namespace. */
function declaredBy({ name, prefix, local }: SaxesAttributeNS): string | undefined {
  if (name === 'xmlns') return 'xmlns';
  return prefix === 'xmlns' ? local : undefined;
}

function firstScope(): Record<string, string> {
  const scope: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [uri, prefix] of KNOWN) {
    scope[prefix] = prefix;
    scope[`${prefix}$uri`] = uri;
  }
  return scope;
}
