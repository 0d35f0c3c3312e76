import { isPrivateHost } from '../safety/privateHost';
import type { MissingModelFile } from './modelsMissing';

/** Letters, digits and characters that are literal inside double quotes in every shell; no option starts this way. */
const plainName = /^[\p{L}\p{N}_][\p{L}\p{N} ._()+,@=-]{0,199}$/u;
const longestAddress = 2_000;

export type AddressProblem = 'notHttps' | 'notPublic' | 'withPassword' | 'odd';

/** A model's source address, according to the file; `href` if it may be opened and fetched. */
export function modelAddress(
  url: string,
): { readonly href: string } | { readonly href: undefined; readonly problem: AddressProblem } {
  const refused = (problem: AddressProblem) => ({ href: undefined, problem });
  if (!/^https:\/\//i.test(url)) return refused('notHttps');
  // Rejects invalid address characters, and `%` that encodes nothing, because a shell may see a variable.
  if (url.length > longestAddress || /[\s\p{C}]/u.test(url) || /%(?![0-9a-f]{2})/i.test(url))
    return refused('odd');
  if (!URL.canParse(url)) return refused('odd');
  const { href, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') return refused('withPassword');
  if (isPrivateHost(hostname)) return refused('notPublic');
  return {
    href: href.replace(/["'`$\\!^]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`),
  };
}

/** Undefined if the file doesn't say enough, or contains what a shell could interpret. */
export function modelCommand(model: MissingModelFile): string | undefined {
  const { folder, name, url } = model;
  const address = url === undefined ? undefined : quotableAddress(modelAddress(url).href);
  if (address === undefined || folder === undefined) return undefined;
  const path = ['models', ...folder.split(/[/\\]/), ...name.split(/[/\\]/)];
  const file = path.pop();
  if (file === undefined || ![...path, file].every((part) => plainName.test(part))) return undefined;
  return `comfy model download --url "${address}" --relative-path ${word(path.join('/'))} --filename ${word(file)}`;
}

/**
 * The Windows command prompt sees a variable between two `%`, even inside quotes: `%DA` may start `%DATE%`. Encoding
 * the next letter too keeps the address the same, and leaves no such name but `CD`.
 */
function quotableAddress(address: string | undefined): string | undefined {
  if (address === undefined || /%CD/i.test(address)) return undefined;
  return address.replace(/(%[a-f][0-9a-f])([\w.~-])/gi, (_, encoded: string, next: string) => {
    return `${encoded}%${next.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}

function word(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `"${text}"`;
}
