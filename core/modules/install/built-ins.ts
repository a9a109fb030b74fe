type Key = string | symbol;

/** A built-in object, and how a reason names it. */
interface BuiltIn {
  name: string;
  object: object;
  /** Whether further properties are a change: on a prototype they appear on the objects of everyone. */
  isClosed: boolean;
}

const CONSTRUCTORS = [
  'Object',
  'Function',
  'Array',
  'String',
  'Number',
  'Boolean',
  'Symbol',
  'BigInt',
  'Date',
  'RegExp',
  'Promise',
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'Error',
  'TypeError',
  'RangeError',
  'ArrayBuffer',
  'Uint8Array',
  'Buffer',
  'URL',
  'URLSearchParams',
  'AbortController',
  'AbortSignal',
  'EventTarget',
] as const;
const NAMESPACES = ['JSON', 'Math', 'Reflect', 'Atomics', 'Intl'] as const;
const iterator = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object;
const unnamed: readonly [string, object][] = [
  ['%AsyncFunction.prototype%', Object.getPrototypeOf(async () => undefined) as object],
  ['%TypedArray.prototype%', Object.getPrototypeOf(Uint8Array.prototype) as object],
  ['%IteratorPrototype%', iterator],
];

const BUILT_INS: readonly BuiltIn[] = [
  ...CONSTRUCTORS.flatMap((name): BuiltIn[] => {
    const constructor = (globalThis as unknown as Record<string, { prototype: object }>)[name]!;
    return [
      { name: `${name}.prototype`, object: constructor.prototype, isClosed: true },
      { name, object: constructor, isClosed: false },
    ];
  }),
  ...NAMESPACES.map((name) => ({
    name,
    object: (globalThis as unknown as Record<string, object>)[name]!,
    isClosed: false,
  })),
  ...unnamed.map(([name, object]) => ({ name, object, isClosed: true })),
  { name: 'globalThis', object: globalThis, isClosed: false },
  { name: 'process', object: process, isClosed: false },
];

// Taken before any module is loaded; the functions below use neither iterators nor methods that a module may have replaced.
const { ownKeys, getOwnPropertyDescriptor, defineProperty, deleteProperty, apply } = Reflect;
const { is } = Object;

/** Functions and accessors; other values, such as `Error.stackTraceLimit` or listeners of `process`, change in normal use. */
const isCode = ({ value, get }: PropertyDescriptor): boolean => typeof value === 'function' || get !== undefined;

function isSame(object: object, before: PropertyDescriptor, now: PropertyDescriptor | undefined): boolean {
  if (now === undefined) return false;
  if (is(before.value, now.value) && before.get === now.get && before.set === now.set) return true;
  // Node.js defines some globals by a getter that replaces itself with the value.
  return before.get !== undefined && now.get === undefined && is(apply(before.get, object, []), now.value);
}

function has(keys: readonly Key[], key: Key): boolean {
  for (let i = 0; i < keys.length; i++) if (keys[i] === key) return true;
  return false;
}

/** Appends to a list, also where a module has put a setter on `Array.prototype`. */
function add<T>(list: T[], value: T): void {
  defineProperty(list, list.length, { value, writable: true, enumerable: true, configurable: true });
}

/** The state of the built-in objects of JavaScript and Node.js before code of a module is imported. */
export class BuiltIns {
  private readonly before: readonly { keys: readonly Key[]; properties: readonly PropertyDescriptor[] }[] =
    BUILT_INS.map(({ object }) => {
      const keys = ownKeys(object);
      return { keys, properties: keys.map((key) => getOwnPropertyDescriptor(object, key)!) };
    });

  /**
   * Restores what was changed since: replaced and removed properties, and such as were added to a prototype.
   * @returns the changed properties, such as `Object.prototype.toJSON`
   */
  restore(): string[] {
    const found: { name: string; key: Key }[] = [];
    for (let n = 0; n < BUILT_INS.length; n++) {
      const { name, object, isClosed } = BUILT_INS[n]!;
      const { keys, properties } = this.before[n]!;
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i]!;
        const before = properties[i]!;
        if (!isCode(before) || isSame(object, before, getOwnPropertyDescriptor(object, key))) continue;
        defineProperty(object, key, before);
        add(found, { name, key });
      }
      if (!isClosed) continue;
      const now = ownKeys(object);
      for (let i = 0; i < now.length; i++) {
        if (has(keys, now[i]!)) continue;
        deleteProperty(object, now[i]!);
        add(found, { name, key: now[i]! });
      }
    }
    return found.map(({ name, key }) => `${name}.${String(key)}`);
  }
}
