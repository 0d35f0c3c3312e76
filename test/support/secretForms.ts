/** A key that exists nowhere: made at run time, and different for each name. */
export function canaryKey(name: string): string {
  return `comfyui-${name}${'0Kq7Zr-w_X'.repeat(5)}`;
}

/** The forms in which a key can be quoted, by name. */
export const secretForms: Readonly<Record<string, (key: string) => string>> = {
  verbatim: (key) => key,
  'in lower case': (key) => key.toLowerCase(),
  'in upper case': (key) => key.toUpperCase(),
  'escaped for JSON': (key) => JSON.stringify(key).slice(1, -1),
  'escaped for URLs': encodeURIComponent,
  'escaped for forms': (key) => encodeURIComponent(key).replaceAll('%20', '+'),
};

/** The name of the first form of a key that a text quotes. */
export function quotedForm(text: string, key: string): string | undefined {
  const quoted = (form: string): boolean => text.toLowerCase().includes(form.toLowerCase());
  return Object.keys(secretForms).find((name) => quoted(secretForms[name]?.(key) ?? key));
}
