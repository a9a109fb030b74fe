/** The exports of an entry point of the SDK as text, so that reviews show changes of the API. */
import { join } from 'node:path';
import ts from 'typescript';

export interface ApiExport {
  name: string;
  /** Whether it has a doc comment. */
  isDocumented: boolean;
  /** Its declarations without comments; for a declaration of another package only the name of the package. */
  text: string;
}

/** Sorts inferred unions of texts, because their order depends on the order in which files were compiled. */
const sortedUnions = (text: string): string =>
  text.replace(/"[^"\n]*"(?: \| "[^"\n]*")+/g, (union) => union.split(' | ').sort().join(' | '));

/** @param entry compiled declarations, such as `core/sdk/dist/index.d.ts` @returns its exports, sorted by name */
export function exportsOf(root: string, entry: string): ApiExport[] {
  const path = join(root, entry);
  const program = ts.createProgram([path], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const symbol = source && checker.getSymbolAtLocation(source);
  if (!symbol) throw new Error(`${entry} exports nothing: is it built?`);
  const printer = ts.createPrinter({ removeComments: true });
  const textOf = (declaration: ts.Declaration): string => {
    const file = declaration.getSourceFile();
    if (file.fileName.includes('/node_modules/')) {
      return `// of ${/node_modules\/((@[^/]+\/)?[^/]+)/.exec(file.fileName)?.[1]}`;
    }
    const whole = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    return sortedUnions(printer.printNode(ts.EmitHint.Unspecified, whole, file));
  };
  return checker
    .getExportsOfModule(symbol)
    .map((exported) => {
      const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const own = (target.declarations ?? []).some((one) => !one.getSourceFile().fileName.includes('/node_modules/'));
      return {
        name: exported.name,
        isDocumented: !own || target.getDocumentationComment(checker).length > 0,
        text: (target.declarations ?? []).map(textOf).join('\n'),
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
