import { afterEach } from 'vitest';
import { undiciStack } from '../../../src/cli/undiciStack';
import { RegistryClient } from '../../../src/core/registry/registryClient';
import type { FaultySandbox } from '../../support/faults/faultySandbox';
import { startFaultySandbox } from '../../support/faults/faultySandbox';
import type { Loopback, LoopbackOptions } from '../../support/loopback';
import { loopback } from '../../support/loopback';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

export interface ClientChoices {
  readonly token?: string | (() => string | undefined);
  readonly path?: string;
  readonly now?: () => number;
}

export function clientOf(baseUrl: string, { token, now }: ClientChoices = {}): RegistryClient {
  const http = undiciStack();
  closing.push(() => http.close());
  const reviewToken = () => {
    const value = typeof token === 'function' ? token() : token;
    return Promise.resolve(value === undefined ? undefined : ({ kind: 'bearer', value } as const));
  };
  return new RegistryClient({ baseUrl, http, reviewToken, retryBase: 1, now });
}

/** A registry whose answers the test defines. */
export async function registryThat(
  answer: NonNullable<LoopbackOptions['answer']>,
  choices: ClientChoices = {},
): Promise<{ readonly server: Loopback; readonly client: RegistryClient }> {
  const server = await loopback({ answer });
  closing.push(() => server.close());
  return { server, client: clientOf(`${server.url}${choices.path ?? ''}`, choices) };
}

/** The sandbox's registry. */
export async function sandboxRegistry(
  choices: ClientChoices = {},
): Promise<{ readonly sandbox: FaultySandbox; readonly client: RegistryClient }> {
  const sandbox = await startFaultySandbox();
  closing.push(() => sandbox.close());
  return { sandbox, client: clientOf(sandbox.url, choices) };
}
