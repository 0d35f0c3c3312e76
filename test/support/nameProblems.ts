import ts from 'typescript';
import type { SourceFile } from './importProblems';

/** VS Code prescribes these names for the entry point of an extension. */
const entryPoints = new Set(['activate', 'deactivate']);

/** Nobody finds anything by these names. */
const emptyNames = new Set([
  ...['rowOf', 'idOf', 'textOf', 'wordsOf', 'placeOf', 'keyOf', 'nameOf'],
  ...['tell', 'take', 'look', 'own'],
]);

/** Exported functions, classes and types whose names stand twice, or say nothing. Each problem is a sentence. */
export function nameProblems(files: readonly SourceFile[]): string[] {
  const places = new Map<string, Set<string>>();
  for (const { file, text } of files) {
    for (const name of exportedNames(file, text)) places.set(name, (places.get(name) ?? new Set()).add(file));
  }
  const named = [...places].filter(([name]) => !entryPoints.has(name));
  return [
    ...named
      .filter(([, holders]) => holders.size > 1)
      .map(([name, holders]) => `${name} is exported by ${[...holders].join(' and ')}`),
    ...named
      .filter(([name]) => emptyNames.has(name))
      .map(([name, holders]) => `${name} says nothing: ${[...holders].join(', ')}`),
  ];
}

/** Functions, classes, interfaces, type aliases, and constants that hold a function. */
function exportedNames(file: string, text: string): string[] {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
        ts.isIdentifier(name) && initializer && isFunction(initializer) ? name.text : [],
      );
    }
    const isNamed =
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement);
    return isNamed && statement.name ? statement.name.text : [];
  });
}

function isFunction(node: ts.Node): boolean {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}
