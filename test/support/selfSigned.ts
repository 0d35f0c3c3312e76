import { spawnSync } from 'node:child_process';

/**
 * A key with a self-signed certificate, in one PEM text: generated each time, so that no key is in the repository.
 * Undefined without openssl.
 */
export function selfSigned(): string | undefined {
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
  const { status, stdout } = spawnSync('openssl', [...request, '-keyout', '-', '-out', '-'], {
    encoding: 'utf8',
  });
  return status === 0 && stdout.includes('PRIVATE KEY') && stdout.includes('CERTIFICATE')
    ? stdout
    : undefined;
}
