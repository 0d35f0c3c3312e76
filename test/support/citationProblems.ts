export interface CitingFile {
  readonly file: string;
  readonly text: string;
}

/** Name of a document, as cited in comments -> its Markdown. */
export type Documents = Readonly<Record<string, string>>;

/** Words before a number in parentheses that are not documents: `(version 1.100)`. */
const plainWords = new Set(['about', 'before', 'from', 'since', 'until', 'version']);

/**
 * Every citation, such as `(protocol 3.6)`, `(workflows 2, B)`, `(workflows 2, A3)` or `(workflows 4.2, row 9)`,
 * whose document, section, letter or row does not exist: one sentence each.
 */
export function citationProblems(files: readonly CitingFile[], documents: Documents): string[] {
  const places = new Map(Object.entries(documents).map(([name, text]) => [name, placesIn(text)]));
  return files.flatMap(({ file, text }) => {
    const lines = joinedComments(text);
    const lineOf = (index: number): number => text.slice(0, index).split('\n').length;
    const missing = [...places].flatMap(([name, known]) =>
      citationsOf(name, lines)
        .filter(({ place }) => !known.has(place))
        .map(({ place, index }) => ({ index, words: `docs/${name}.md has no ${place}` })),
    );
    const unknown = unknownDocuments(lines)
      .filter(({ name }) => !places.has(name))
      .map(({ name, index }) => ({ index, words: `docs/${name}.md is no numbered document` }));
    return [...missing, ...unknown]
      .sort((a, b) => a.index - b.index)
      .map(({ index, words }) => `${file}:${lineOf(index)}: ${words}.`);
  });
}

/** `1.2`, `2, B` and `4.2, row 9`: the headings, table rows and list items of a document. */
function placesIn(markdown: string): ReadonlySet<string> {
  const places = new Set<string>();
  let section: string | undefined;
  for (const line of markdown.split('\n')) {
    if (/^#{1,6} /.test(line)) {
      section = /^#+ (\d+(?:\.\d+)*(?:, [A-Z])?)(?:\.? |$)/.exec(line)?.[1];
      if (section !== undefined) places.add(section);
    }
    const row = /^(?:\| *(\d+) *\||(\d+)\. )/.exec(line);
    const number = row?.[1] ?? row?.[2];
    if (section !== undefined && number !== undefined) places.add(`${section}, row ${number}`);
  }
  return places;
}

interface Citation {
  readonly place: string;
  readonly index: number;
}

/** Several sections may follow, `(protocol 3.3, 3.6)`; anything but a number, letter or row is free text. */
function citationsOf(name: string, text: string): Citation[] {
  return [...text.matchAll(new RegExp(`\\b${name} +(?=\\d)`, 'g'))].flatMap(({ 0: start, index }) => {
    const [cited = ''] = /^.*?(?=[)]|[*][/]|[.] |$)/m.exec(text.slice(index + start.length)) ?? [];
    let section = '';
    return cited.split(/[,;]/).flatMap((part, at): Citation[] => {
      const words = part.trim();
      const number = (at === 0 ? /^\d+(?:\.\d+)*/ : /^\d+(?:\.\d+)+|^\d+$/).exec(words)?.[0];
      if (number !== undefined) {
        section = number;
        return [{ place: section, index }];
      }
      const [, letter, item] = /^([A-Z])(\d*)$/.exec(words) ?? [];
      if (letter !== undefined) {
        const step = `${section}, ${letter}`;
        return [{ place: item ? `${step}, row ${item}` : step, index }];
      }
      const rows = /^rows? \d[\d and]*/.exec(words)?.[0].match(/\d+/g) ?? [];
      return rows.map((row) => ({ place: `${section}, row ${row}`, index }));
    });
  });
}

/** A word and `2.1` or `N10` in parentheses: only citations look like that. */
function unknownDocuments(text: string): { readonly name: string; readonly index: number }[] {
  return [...text.matchAll(/\(([a-z]+) +(?:[A-Z]\d+|\d+\.\d+)/g)].flatMap(({ 1: name = '', index }) =>
    plainWords.has(name) ? [] : [{ name, index }],
  );
}

/** The text with the lines of each comment joined; every character keeps its position. */
function joinedComments(text: string): string {
  return text.replace(/\r?\n[ \t]*(?:\*(?!\/)|\/\/)/g, (edge) => ' '.repeat(edge.length));
}
