import ts from 'typescript';
import type { SourceText } from './localization';

/** Methods that call what they are given at once. */
const callers = new Set(['map', 'flatMap', 'filter', 'forEach', 'from', 'reduce']);

/**
 * The places where a text is translated while its file is loaded: `file:line: text`. A file that is loaded before the
 * translations are known, as a chunk can be, would say it in English for good. `shown` is translated when it is shown.
 */
export function textsOnLoad(sources: readonly SourceText[]): string[] {
  return sources.flatMap(({ file, text }) => {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const own = new Map(
      source.statements.filter(ts.isFunctionDeclaration).map((each) => [each.name?.text, each.body]),
    );
    const places: string[] = [];
    const visit = (node: ts.Node): void => {
      if (runsLater(node)) return;
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
        const body = own.get(node.expression.text);
        own.delete(node.expression.text);
        if (body) visit(body);
      }
      if (ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 't') {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        places.push(`${file}:${line + 1}: ${node.template.getText().slice(1, -1)}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return places;
  });
}

function runsLater(node: ts.Node): boolean {
  if (ts.isPropertyDeclaration(node)) {
    return !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);
  }
  return ts.isFunctionLike(node) && !isCalledAtOnce(node);
}

/** `(() => …)()` and `list.map(() => …)`. */
function isCalledAtOnce(node: ts.SignatureDeclaration): boolean {
  let { parent } = node;
  if (ts.isParenthesizedExpression(parent)) parent = parent.parent;
  if (!ts.isCallExpression(parent)) return false;
  const called = parent.expression;
  const isArgument = parent.arguments.some((each) => each === node);
  return isArgument ? ts.isPropertyAccessExpression(called) && callers.has(called.name.text) : true;
}
