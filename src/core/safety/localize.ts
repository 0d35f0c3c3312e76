import * as l10n from '@vscode/l10n';

/** The texts of one display language, by our English ones with `{0}`, `{1}`, … for their values. */
export type Translations = Readonly<Record<string, string>>;

let language = 'en';
let texts: Translations = {};
let plurals = new Intl.PluralRules(language);

/** Call it once, before any text is made: texts stay in the language in which they were made. English without it. */
export function useTranslations(displayLanguage: string, translations: Translations): void {
  texts = translations;
  l10n.config({ contents: { ...texts } });
  language = displayLanguage;
  plurals = new Intl.PluralRules(language);
}

/** Rewords single texts for this process. */
export function rewordTexts(words: Translations): void {
  texts = { ...texts, ...words };
  l10n.config({ contents: { ...texts } });
}

/** The BCP 47 tag of the display language, for `Intl`. */
export function displayLanguage(): string {
  return language;
}

/** Our own text in the display language. Each sentence is one text, never concatenated, since word order differs. */
export function t(template: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  if (!isChinese()) return l10n.t(template, ...values);
  const pieces = translateTemplate(template).map((piece) =>
    typeof piece === 'string' ? piece : String(values[piece]),
  );
  return closedUp(pieces).join('');
}

/** Removes the spaces between our Chinese words and a Chinese value; with a name in Latin letters they belong there. */
export function closedUp(pieces: readonly string[]): readonly string[] {
  if (!isChinese()) return pieces;
  const gaps = /(?<=[\p{sc=Han}，。：；）])(?: \0|\0 )(?=[\p{sc=Han}（])/gu;
  return pieces.join('\0').replace(gaps, '\0').split('\0');
}

/** The key of a template's translation. One without words has none: its colon and parentheses are those of Chinese. */
function keyOf(template: readonly string[]): string {
  const key = template.map((words, index) => (index === 0 ? words : `{${index - 1}}${words}`)).join('');
  if (!isChinese() || /\p{L}/u.test(key)) return key;
  return key.replaceAll(': ', '：').replaceAll(/ \(([^()]*)\)/g, '（$1）');
}

function isChinese(): boolean {
  return language.startsWith('zh');
}

/** Chooses by the plural rules of the display language: plural(n, t`1 file`, t`${n} files`). */
export function plural<Text>(count: number, one: Text, other: Text): Text {
  return plurals.select(count) === 'one' ? one : other;
}

export function listText(words: readonly (string | undefined)[]): string {
  return words.filter(Boolean).join(isChinese() ? '，' : ', ');
}

/** Sentences one after the other, without those that are empty: a full stop of Chinese brings its own space. */
export function sentencesText(...sentences: readonly string[]): string {
  return sentences.filter((each) => each !== '').join(isChinese() ? '' : ' ');
}

export function numberText(number: number, options?: Intl.NumberFormatOptions): string {
  return number.toLocaleString(language, options);
}

/** A template in the display language, split at its values, which may be reordered. */
export function translateTemplate(template: readonly string[]): readonly (string | number)[] {
  const text = l10n.t(keyOf(template));
  const pieces = text.split(/\{(\d+)\}/).map((piece, index) => (index % 2 === 1 ? Number(piece) : piece));
  return pieces.filter((piece) => piece !== '');
}
