import type {
  CardRule,
  CardSection,
  Connector,
  ConnectorConnection,
  ConnectorDeclaration,
  Disposable,
  ExportColumn,
  ImportFormat,
  ModuleManifest,
  ReportDeclaration,
  ReportRequest,
  RequestContext,
} from '@lintel/sdk';
import type { OwnedRule, RuleHooks } from './rules.js';

/** What an enabled module adds to the core's routes on this node. */
interface Extension {
  module: string;
  services: unknown;
  off: AbortController;
  sections: readonly CardSection<unknown>[];
  columns: readonly ExportColumn[];
  formats: readonly ImportFormat<unknown>[];
  reports: readonly ReportDeclaration[];
  connectors: readonly ConnectorDeclaration<unknown>[];
  rules: readonly CardRule<unknown>[];
  hooks: RuleHooks;
  requires: readonly string[];
}

export interface OwnedSection {
  module: string;
  section: CardSection<unknown>;
  load(ctx: RequestContext, cardId: string): Promise<unknown>;
}
export interface OwnedColumn {
  name: string;
  column: ExportColumn;
}
export interface OwnedFormat {
  module: string;
  format: Omit<ImportFormat<unknown>, 'parse'>;
  parse: (file: AsyncIterable<Buffer>) => ReturnType<ImportFormat<unknown>['parse']>;
  /** Aborts when the module is disabled or replaced by another version. */
  off: AbortSignal;
}

export interface AddedReport {
  module: string;
  report: ReportDeclaration;
  run(request: ReportRequest): Promise<unknown>;
}

export interface AddedConnector {
  module: string;
  connector: ConnectorDeclaration<unknown>;
  open(connection: ConnectorConnection): Connector;
}

/** The extension points of the core: what enabled modules add to cards, exports and imports, ordered by module. */
export class Extensions {
  private readonly held = new Map<string, Extension>();
  private ruleList: readonly OwnedRule[] = [];

  /** Replaces the module's previous extensions. @returns a function that removes them, unless they were replaced */
  add(
    {
      id,
      requires = [],
      cardSections = [],
      exportColumns = [],
      importFormats = [],
      reports = [],
      connectors = [],
      cardRules = [],
    }: ModuleManifest,
    services: unknown,
    hooks: RuleHooks,
  ): Disposable {
    const extension: Extension = {
      module: id,
      services,
      off: new AbortController(),
      sections: cardSections,
      columns: exportColumns,
      formats: importFormats,
      reports,
      connectors,
      rules: cardRules,
      hooks,
      requires,
    };
    this.held.set(id, extension);
    this.collectRules();
    return () => {
      if (this.held.get(id) === extension) this.held.delete(id);
      this.collectRules();
      extension.off.abort();
    };
  }

  /** Sections for cards of a type. */
  sections(type: string): OwnedSection[] {
    return this.all().flatMap(({ module, services, sections }) =>
      sections
        .filter((s) => !s.types || s.types.includes(type))
        .map((section) => ({
          module,
          section,
          load: (ctx: RequestContext, cardId: string) => section.load(services, ctx, cardId),
        })),
    );
  }

  /** Export columns that the reader may see. */
  columns(ctx: RequestContext): OwnedColumn[] {
    return this.all().flatMap(({ module, columns }) =>
      columns
        .filter((c) => ctx.permissions.has(c.permission))
        .map((column) => ({ name: `${module}.${column.key}`, column })),
    );
  }

  formats(): OwnedFormat[] {
    return this.all().flatMap(({ module, services, off, formats }) =>
      formats.map((format) => ({
        module,
        format,
        off: off.signal,
        parse: (file: AsyncIterable<Buffer>) => format.parse(services, file),
      })),
    );
  }

  /** The reports of enabled modules, ordered by module. */
  reports(): AddedReport[] {
    return this.all().flatMap(({ module, services, reports }) =>
      reports.map((report) => ({ module, report, run: (request: ReportRequest) => report.run(services, request) })),
    );
  }

  /** The connectors of enabled modules, ordered by module. */
  connectors(): AddedConnector[] {
    return this.all().flatMap(({ module, services, connectors }) =>
      connectors.map((connector) => ({
        module,
        connector,
        open: (connection: ConnectorConnection) => connector.open(services, connection),
      })),
    );
  }

  /** The rules of enabled modules, those of a required module before those of the modules that require it. */
  rules(): readonly OwnedRule[] {
    return this.ruleList.length === 0 ? this.ruleList : this.ruleList.filter((rule) => rule.isOn());
  }

  private collectRules(): void {
    const ordered = new Set<Extension>();
    const visit = (extension: Extension, path: readonly Extension[]): void => {
      if (ordered.has(extension) || path.includes(extension)) return;
      for (const id of [...extension.requires].sort()) {
        const required = this.held.get(id);
        if (required) visit(required, [...path, extension]);
      }
      ordered.add(extension);
    };
    for (const extension of this.all()) visit(extension, []);
    this.ruleList = [...ordered].flatMap(({ module, services, rules, hooks }) =>
      rules.map((rule): OwnedRule => ({ ...hooks, module, rule, services })),
    );
  }

  private all(): Extension[] {
    return [...this.held.values()].sort((a, b) => (a.module < b.module ? -1 : 1));
  }
}
