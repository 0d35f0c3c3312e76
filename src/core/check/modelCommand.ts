import { isPrivateHost } from '../safety/privateHost';
import type { MissingModelFile } from './modelsMissing';

/** Letters, digits and what stands for itself between double quotes in every shell; no option begins so. */
const plainName = /^[\p{L}\p{N}_][\p{L}\p{N} ._()+,@=-]{0,199}$/u;
const longestAddress = 2_000;

/** Why nothing is opened or fetched from an address. */
export type AddressProblem = 'notHttps' | 'notPublic' | 'withPassword' | 'odd';

/** The address that a model comes from, as the file says; `href` where it may be opened and fetched. */
export function modelAddress(
  url: string,
): { readonly href: string } | { readonly href: undefined; readonly problem: AddressProblem } {
  const refused = (problem: AddressProblem) => ({ href: undefined, problem });
  if (!/^https:\/\//i.test(url)) return refused('notHttps');
  // What is no letter of an address, and `%` that encodes nothing: a shell may take it for a variable.
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

/**
 * The command of comfy-cli that downloads a model to where the workflow looks for it; undefined where the file does not
 * say enough, or says what a shell could take for something else than words.
 */
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
 * Between two `%` the Windows command prompt sees a variable, also between quotes: `%DA` may begin `%DATE%`. With the next
 * letter encoded too, the address is the same, and no such name is left but `CD`.
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
