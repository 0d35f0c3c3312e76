/** Escapes outside text, so that it is no link, image, HTML, heading, list or command, and bare addresses stay text. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()<>#+!|~&$@:=^-]|(?<=www|^\s{0,99}\d{1,9})\./gim, '\\$&');
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
