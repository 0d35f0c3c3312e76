import { musicPrice } from '../../protocol/musicLimits';
import { addressOrigin } from '../address';

export const comfyMusic = 'https://api.comfy.org';
/** Stands for the built-in sandbox. */
export const sandboxMusic = 'sandbox';

/** Without an address in the settings, the sandbox if workflows run there, so that practice costs nothing. */
export function chooseMusicService(setting: string, isSandboxSelected: boolean): string {
  const chosen = setting.trim();
  if (chosen !== '') return chosen;
  return isSandboxSelected ? sandboxMusic : comfyMusic;
}

/** The service of Comfy's own client, which sends an API key in a header of its own (protocol 5.2). */
export function isComfyMusic(service: string): boolean {
  return URL.canParse(service) && addressOrigin(service) === comfyMusic;
}

/** Credits and US dollars per second of music; null if only the service knows. */
export interface MusicPrice {
  readonly creditsPerSecond: number | null;
  readonly dollarsPerSecond: number | null;
}

/** The price of a service. The published price is Comfy's; another service may charge anything. */
export function musicServicePrice(service: string): MusicPrice {
  if (service === sandboxMusic) return { creditsPerSecond: 0, dollarsPerSecond: 0 };
  return isComfyMusic(service) ? musicPrice : { creditsPerSecond: null, dollarsPerSecond: null };
}
