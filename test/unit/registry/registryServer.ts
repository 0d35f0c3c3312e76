import { RegistryClient } from '../../../src/core/registry/registryClient';
import type { FaultySandbox } from '../../support/faults/faultySandbox';
import type { Loopback, LoopbackOptions } from '../../support/loopback';
import { answering, httpForTest, sandboxForTest } from '../../support/sandboxFixture';

export interface ClientChoices {
  readonly token?: string | (() => string | undefined);
  readonly path?: string;
  readonly now?: () => number;
}

export function clientOf(baseUrl: string, { token, now }: ClientChoices = {}): RegistryClient {
  const http = httpForTest();
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
  const server = await answering(answer);
  return { server, client: clientOf(`${server.url}${choices.path ?? ''}`, choices) };
}

/** The sandbox's registry. */
export async function sandboxRegistry(
  choices: ClientChoices = {},
): Promise<{ readonly sandbox: FaultySandbox; readonly client: RegistryClient }> {
  const sandbox = await sandboxForTest();
  return { sandbox, client: clientOf(sandbox.url, choices) };
}
