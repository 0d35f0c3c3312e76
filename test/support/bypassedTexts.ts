import ts from 'typescript';
import type { SourceText } from './localization';

/** Calls that write to the log, which stays English, by object and method name. */
const log = /^(?:.*\.)?#?log(?:\(\))?$/i;
const logMethods = new Set(['error', 'warn', 'info', 'debug', 'trace']);

/**
 * Errors that no user should see, and requested cancellations; an error with a message for users has its own class.
 */
const developerErrors = /^(?:Error|DOMException|TypeError|SyntaxError|RangeError|Unsupported)$/;

/** Product names, and the endpoints that errors name. */
const onlyNames = /^(?:Comfy Deck|Comfy Cloud|(?:GET|POST|DELETE) \{\})$/;

/** Four words in a row: a help text or the like, without a capital or a full stop. */
const manyWords = /(?:^|[\s(:])(?:[\p{L}'’]{2,}|a|\{\}),? (?:(?:[\p{L}'’]{2,}|a|\{\}),? ){2}[\p{L}'’]{2,}/u;

/**
 * Texts that look as if users see them but have no tag for translation: `file:line: text`.
 * @param allowed the files that may have some, with what those look like
 */
export function bypassedTexts(
  sources: readonly SourceText[],
  allowed: Readonly<Record<string, RegExp>> = {},
): string[] {
  return sources.flatMap(({ file, text }) => {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      const words = wordsOf(node);
      if (words !== undefined && isForPeople(words) && !isUsedInside(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        if (allowed[file]?.test(words) !== true) found.push(`${file}:${line + 1}: ${words}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

/** The words of a string or of a template without a tag, with `{}` for its values. */
function wordsOf(node: ts.Node): string | undefined {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return undefined;
  if (ts.isTaggedTemplateExpression(node.parent)) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}

/** A title (a capital, and words with a space between them), a sentence of at least three words, or many words. */
function isForPeople(text: string): boolean {
  if (onlyNames.test(text)) return false;
  if (manyWords.test(text)) return true;
  const words = text.trim().split(/\s+/);
  const isTitle = /^\s*\p{Lu}/u.test(text) && words.filter((word) => /\p{L}{2}|\{\}/u.test(word)).length > 1;
  return isTitle || /\p{L}+,? \S+ \S*\p{L}\S*[.!?](?:\s|$)/u.test(text);
}

/** Module names, types, names of members, and anything compared, logged or thrown at developers. */
function isUsedInside(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isLiteralTypeNode(parent) || ts.isCaseClause(parent)) return true;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return true;
  if (ts.isElementAccessExpression(parent) && parent.argumentExpression === node) return true;
  if (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText())) return true;
  if (ts.isNewExpression(parent)) return developerErrors.test(parent.expression.getText());
  return ts.isCallExpression(parent) && isLogging(parent.expression);
}

function isLogging(callee: ts.Expression): boolean {
  return (
    ts.isPropertyAccessExpression(callee) &&
    logMethods.has(callee.name.text) &&
    log.test(callee.expression.getText())
  );
}
