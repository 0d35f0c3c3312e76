import { completeAddress } from '../../core/client/completeAddress';
import { musicService } from './optionTable';
import { UsageError } from '../usageError';
import { numberText, t } from '../../core/safety/localize';

/** The name of the environment variable with a key; the key itself is never an argument. */
export function keyEnvOf(name: string | undefined): string | undefined {
  if (name !== undefined && !/^[A-Za-z_]\w*$/.test(name)) {
    throw new UsageError(t`--key-env must be the name of an environment variable, not the key itself.`);
  }
  return name;
}

/** An address, or `sandbox`. */
export function serverOf(text: string, option = '--server'): string {
  if (text === 'sandbox') return text;
  if (text === 'cloud') return 'https://cloud.comfy.org';
  return addressOf(text, '"cloud"', option);
}

function addressOf(text: string, name: string | undefined, option = '--server'): string {
  const address = completeAddress(text);
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) {
    if (name === undefined) throw new UsageError(t`${option} must be an http or https address.`);
    throw new UsageError(t`${option} must be an http or https address, ${name}, or "sandbox".`);
  }
  return address;
}

export function registryOf(text: string): string {
  return addressOf(text, undefined);
}

/** The same for music services. */
export function musicServerOf(text: string): string {
  if (text === 'sandbox') return text;
  if (text === 'comfy') return musicService;
  return addressOf(text, '"comfy"');
}

export function secondsOf(name: string, text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(t`${name} must be a whole number of seconds.`);
  return Number(text);
}

export function countOf(name: string, text: string, most: number): number {
  const count = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : Infinity;
  if (count > most) throw new UsageError(t`${name} must be a whole number from 1 to ${numberText(most)}.`);
  return count;
}

export function yesOrNo(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (value !== 'yes' && value !== 'no') throw new UsageError(t`${name} must be yes or no.`);
  return value === 'yes';
}
