import { isLoopback } from '../../core/client/address';
import { completeAddress } from '../../core/client/completeAddress';
import { UsageError } from './usageError';
import { unusableName } from '../../core/safety/paths';
import { numberText, t } from '../../core/safety/localize';

export const cloudAddress = 'https://cloud.comfy.org';
export const musicService = 'https://api.comfy.org';

/** The key itself is never an argument. */
export function readKeyName(name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name))
    throw new UsageError(t`--key-env must be the name of an environment variable, not the key itself.`);
  return name;
}

/** A file or folder to write, which must exist on every system alike; `con` and `a:b` would be something else there. */
export function readWritablePath(file: string, name: string): string {
  const unusable = unusableName(file);
  if (unusable === undefined) return file;
  throw new UsageError(t`${name} has a name that Windows can't use: ${JSON.stringify(unusable)}.`);
}

export function readOneWord<const W extends string>(words: readonly W[]): (text: string, name: string) => W {
  return (text, name) => {
    const word = words.find((each) => each === text);
    if (word === undefined) throw new UsageError(t`${name} must be one of ${words.join(', ')}.`);
    return word;
  };
}

export function readServerAddress(text: string, option = '--server'): string {
  if (text === 'sandbox') return text;
  if (text === 'cloud') return cloudAddress;
  return readAddress(text, '"cloud"', option);
}

export function readServerAddresses(text: string, option: string): readonly string[] {
  const words = text.split(/[,\s]+/).filter(Boolean);
  return words.map((each) => readServerAddress(each, option));
}

/** Files may name servers, but only Comfy Cloud and this machine can't be a stranger's. */
export function isTrustedAddress(address: string): boolean {
  return address === cloudAddress || isLoopback(address);
}

function readAddress(text: string, name: string | undefined, option = '--server'): string {
  const address = completeAddress(text);
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) {
    if (name === undefined) throw new UsageError(t`${option} must be an http or https address.`);
    throw new UsageError(t`${option} must be an http or https address, ${name}, or "sandbox".`);
  }
  return address;
}

export function readRegistry(text: string): string {
  return readAddress(text, undefined);
}

export function readMusicServer(text: string): string {
  if (text === 'sandbox') return text;
  if (text === 'comfy') return musicService;
  return readAddress(text, '"comfy"');
}

/** Written as seconds. */
export function readMilliseconds(text: string, name: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(t`${name} must be a whole number of seconds.`);
  return 1000 * Number(text);
}

export function readCountTo(most: number): (text: string, name: string) => number {
  return (text, name) => {
    const count = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : Infinity;
    if (count > most) throw new UsageError(t`${name} must be a whole number from 1 to ${numberText(most)}.`);
    return count;
  };
}

export function readYesOrNo(text: string, name: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new UsageError(t`${name} must be yes or no.`);
  return text === 'yes';
}

export function readSeedWord(text: string): 'new' {
  if (text !== 'random') throw new UsageError(t`--seed must be "random".`);
  return 'new';
}

export function readThreshold(text: string): number {
  const threshold = /^\d{1,3}(?:\.\d{1,9})?$/.test(text) ? Number(text) : NaN;
  if (!(threshold <= 100)) throw new UsageError(t`--threshold must be a number from 0 to 100.`);
  return threshold;
}

export function readDuration(text: string): number {
  if (!/^\d+$/.test(text))
    throw new UsageError(t`--duration must be a whole number from 1 to 360 (seconds).`);
  return Number(text);
}

export function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError(t`--port must be a number from 0 to 65535.`);
  return port;
}
