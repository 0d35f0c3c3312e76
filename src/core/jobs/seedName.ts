import { givenName, type JobOrigin } from './job';

/** The name of a seed: `KSampler (3)`, or `Noise (5), noise_seed`. `key`: `nodeId.input`. */
export function seedName(key: string, nodeNames: JobOrigin['nodeNames']): string {
  const dot = key.indexOf('.');
  const [nodeId, input] = [key.slice(0, dot), key.slice(dot + 1)];
  const name = givenName({ nodeNames }, nodeId);
  if (name === undefined) return key;
  return input === 'seed' ? `${name} (${nodeId})` : `${name} (${nodeId}), ${input}`;
}
