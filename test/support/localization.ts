import ts from 'typescript';

export interface SourceText {
  readonly file: string;
  readonly text: string;
}

export type Texts = Readonly<Record<string, string>>;

/** The tags of our own texts (`core/safety`). */
const tags = new Set(['t', 'shown']);

/**
 * Every text of ours in the sources, with `{0}`, `{1}`, … for its values, sorted; leaves out bare icons and marks.
 */
export function textsIn(sources: readonly SourceText[]): string[] {
  const texts = new Set<string>();
  for (const { file, text } of sources) {
    const visit = (node: ts.Node): void => {
      if (ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && tags.has(node.tag.text)) {
        texts.add(keyOf(node.template));
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  }
  return [...texts].filter((key) => /\p{L}/u.test(withoutPlacesAndIcons(key))).sort();
}

function keyOf(template: ts.TemplateLiteral): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  const parts = template.templateSpans.map(({ literal }, index) => `{${index}}${literal.text}`);
  return template.head.text + parts.join('');
}

function withoutPlacesAndIcons(key: string): string {
  return key.replace(/\{\d+\}|\$\([a-z~-]+\)/g, '');
}

function placesIn(text: string): string {
  return [...text.matchAll(/\{\d+\}/g)]
    .map(([place]) => place)
    .sort()
    .join('');
}

/** Problems of a translation, one sentence each: texts that are missing, unused, or lose a value. */
export function translationProblems(name: string, english: Texts, translation: Texts): string[] {
  const missing = Object.keys(english).filter((key) => !(key in translation));
  const unused = Object.keys(translation).filter((key) => !(key in english));
  const lossy = Object.entries(translation).filter(
    ([key, text]) => key in english && placesIn(text) !== placesIn(english[key] ?? ''),
  );
  return [
    ...missing.map((key) => `${name} lacks ${JSON.stringify(key)}`),
    ...unused.map((key) => `${name} has ${JSON.stringify(key)}, which nothing uses`),
    ...lossy.map(([key]) => `${name} has other values in ${JSON.stringify(key)}`),
  ];
}

export function keysIn(manifest: string): string[] {
  return [...manifest.matchAll(/"%([\w.-]+)%"/g)].map(([, key = '']) => key);
}
