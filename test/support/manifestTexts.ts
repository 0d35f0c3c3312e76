import type { Texts } from './localization';

/** The manifest as VS Code reads it: every `%key%` replaced by its text in `package.nls.json`. */
export function withTexts(manifest: string, texts: Texts): unknown {
  return JSON.parse(manifest, (_key, value: unknown) => {
    const [, key] = typeof value === 'string' ? (/^%([\w.-]+)%$/.exec(value) ?? []) : [];
    return key === undefined ? value : (texts[key] ?? value);
  });
}
