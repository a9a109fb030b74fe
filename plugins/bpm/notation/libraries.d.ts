/** The parts of two libraries without types of their own that this module uses. */
declare module 'bpmn-moddle' {
  /** The types of BPMN 2.0 with its diagrams, and the colours of bpmn.io and of "BPMN in Color". */
  export class BpmnModdle {
    create(type: string, properties?: Record<string, unknown>): object;
    getType(name: string): { $descriptor: object };
    getPackages(): {
      prefix: string;
      uri: string;
      enumerations?: { name: string; literalValues: { name: string }[] }[];
    }[];
    toXML(element: object, options?: { format?: boolean; preamble?: boolean }): Promise<{ xml: string }>;
    fromXML(xml: string): Promise<{ rootElement: object; warnings: { message: string }[] }>;
  }
}

declare module 'moddle-xml' {
  /** A start tag; names are in the prefixes of the model, the namespaces of the place are in `ns`. */
  export interface HandledNode {
    name: string;
    originalName: string;
    attributes: Record<string, string>;
    ns: Record<string, string>;
  }

  /** The name of another element by an attribute or a child element. */
  export interface HandledReference {
    element: object;
    property: string;
    id: string;
  }

  export interface HandlerContext {
    addElement(element: object): void;
    addReference(reference: HandledReference): void;
    addWarning(warning: { message: string; element?: object; property?: string; value?: string }): void;
  }

  /** Builds the element of one tag. */
  export interface ElementHandler {
    context: HandlerContext;
    element?: object;
    /** Of the handler of a value, whose `element` is the one that has the value. */
    propertyDesc?: object;
    /** Undefined inside of a value. @throws Error for a tag that is not allowed */
    handleNode(node: HandledNode): ElementHandler | undefined;
    handleText(text: string): void;
    handleEnd(): void;
  }

  export class Reader {
    constructor(options: { model: object; lax?: boolean });
    handler(typeName: string): ElementHandler;
  }
}
