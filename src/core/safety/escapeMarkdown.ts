/**
 * Escapes outside text for Markdown, so that it is not a link, image, HTML, heading, list or command. Bare addresses
 * stay text too. Harmless characters, such as the period of a sentence, stay unchanged.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()<>#+!|~&$@:=^-]|(?<=www|^\s{0,99}\d{1,9})\./gim, '\\$&');
}

/** Text for HTML, also inside of attributes in either kind of quotation marks. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
