/**
 * Text from outside, for Markdown: it is no link, no picture, no HTML, no heading, no list and no command. Bare
 * addresses stay text too. What means nothing in Markdown, such as the full stop of a sentence, stays as it is.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()<>#+!|~&$@:=^-]|(?<=www|^\s{0,99}\d{1,9})\./gim, '\\$&');
}
