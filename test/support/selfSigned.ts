import { spawnSync } from 'node:child_process';

/**
 * A key and a certificate for it that nobody vouches for, in one PEM text: made anew, so that no key lies in the
 * repository. Undefined where there is no openssl to make them.
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
