/** Text for HTML, also inside of attributes in either kind of quotation marks. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
