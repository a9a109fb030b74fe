/** Rules that oxlint does not have, or not in the way this project needs them; `oxlint.config.js` says where they hold. */

/** Imports by regular expressions with lookaround, which oxlint's own no-restricted-imports does not have. */
const restrictedImports = {
  meta: { schema: false },
  create({ options, report }) {
    const patterns = options.map((option) => ({ ...option, regex: new RegExp(option.regex, 'iu') }));
    const check = (node, { value }, kind) => {
      const source = value.trim();
      const ofTypes =
        node[kind] === 'type' ||
        (node.specifiers?.length > 0 && node.specifiers.every((each) => each[kind] === 'type'));
      for (const { regex, allowTypeImports, message } of patterns)
        if (regex.test(source) && !(allowTypeImports && ofTypes))
          report({ node, message: `'${source}' import is restricted from being used by a pattern. ${message}` });
    };
    return {
      ImportDeclaration: (node) => check(node, node.source, 'importKind'),
      ExportAllDeclaration: (node) => check(node, node.source, 'exportKind'),
      'ExportNamedDeclaration[source]': (node) => check(node, node.source, 'exportKind'),
      'TSImportEqualsDeclaration[moduleReference.expression]': (node) =>
        check(node, node.moduleReference.expression, 'importKind'),
    };
  },
};

const restrictedSyntax = {
  meta: { schema: false },
  create: ({ options, report }) =>
    Object.fromEntries(options.map(({ selector, message }) => [selector, (node) => report({ node, message })])),
};

/** Libraries that parse or pack content: their work takes as long as the content is. */
const PARSERS =
  /^(saxes|yaml|csv-parse|markdown-it|fflate|moddle|moddle-xml|bpmn-moddle|jszip|adm-zip|exceljs|xml2js|fast-xml-parser|parse5|htmlparser2|cheerio)(\/|$)/;
const parsers = {
  create({ report }) {
    const check = (node, source) => {
      if (typeof source?.value === 'string' && PARSERS.test(source.value))
        report({
          node,
          message: `'${source.value}' takes long for long content. List the file in oxlint.config.js, with what bounds it: a thread, time slices, or the size of the content.`,
        });
    };
    const isTypes = ({ importKind, specifiers = [] }) =>
      importKind === 'type' || (specifiers.length > 0 && specifiers.every((each) => each.importKind === 'type'));
    return {
      ImportDeclaration: (node) => isTypes(node) || check(node, node.source),
      ExportAllDeclaration: (node) => check(node, node.source),
      ExportNamedDeclaration: (node) => check(node, node.source),
      ImportExpression: (node) => check(node, node.source),
      // `require(…)`, also of `createRequire(…)(…)`.
      CallExpression: (node) =>
        (node.callee.type === 'CallExpression' || node.callee.name === 'require') && check(node, node.arguments[0]),
    };
  },
};

/** Functions of zlib that block the thread; a whole namespace would hide them. */
const syncZlib = {
  create: ({ report }) => ({
    ImportDeclaration(node) {
      if (!/^(node:)?zlib$/.test(node.source.value) || node.importKind === 'type') return;
      for (const each of node.specifiers)
        if (each.type !== 'ImportSpecifier' || /Sync$/.test(each.imported.name ?? each.imported.value))
          report({ node: each, message: 'zlib works outside of the main thread: use its functions without Sync.' });
    },
  }),
};

/** A cast value, of which no-throw-literal of oxlint looks at what is cast. */
const thrownCast = {
  create: ({ report }) => ({
    ':matches(TSAsExpression, TSInstantiationExpression, TSNonNullExpression, TSSatisfiesExpression, TSTypeAssertion)'(
      node,
    ) {
      let { parent } = node;
      while (/^(Assignment|Conditional|Logical|Sequence)Expression$/.test(parent.type)) parent = parent.parent;
      if (parent.type === 'ThrowStatement') report({ node, message: 'Expected an error object to be thrown.' });
    },
  }),
};

/** What switches rules off; the last name is one with which its rule skips a comment. */
const DISABLING = /\b(oxlint-disable|eslint-disable|no-warning-comments)\b/i;
const disablingComment = {
  create: ({ report, sourceCode }) => ({
    Program() {
      for (const { value, loc } of sourceCode.getAllComments())
        if (DISABLING.test(value))
          report({
            message: `Line ${loc.start.line}: a comment names '${DISABLING.exec(value)[1]}'. oxlint.config.js alone says where a rule holds.`,
            // At the start of the file and not at the comment, which would switch this rule off too.
            loc: { line: 1, column: 0 },
          });
    },
  }),
};

const SIGHT = /\b(cards\.view|costs\.view|card\.view_costs|stakeholders\.view)\b/;
/**
 * What a caller may see is decided in core/inventory/access, by whoever asks it: elsewhere the permissions that decide it are not
 * named, save where a route states its access.
 */
const sightNames = {
  create({ filename, report }) {
    const check = (node, text) => {
      const statesAccess =
        filename.endsWith('routes.ts') && node.parent.type === 'Property' && node.parent.key.name === 'permission';
      if (SIGHT.test(text) && !statesAccess)
        report({
          node,
          message:
            'core/inventory/access decides what a caller may see; a module asks by its ports (cards.find, cards.may).',
        });
    };
    return {
      Literal: (node) => check(node, String(node.value)),
      TemplateElement: (node) => check(node, node.value.raw),
    };
  },
};

export default {
  meta: { name: 'lintel' },
  rules: {
    // Two rules are there more than once, so that different groups of files can set each, and none takes another's place.
    reach: restrictedImports,
    layer: restrictedImports,
    syntax: restrictedSyntax,
    console: restrictedSyntax,
    'json-parse': restrictedSyntax,
    parsers,
    'sync-zlib': syncZlib,
    'thrown-cast': thrownCast,
    'disabling-comment': disablingComment,
    'sight-names': sightNames,
  },
};
