import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface SeenRecord {
  readonly name: string;
  readonly state: string;
  readonly job?: string;
  readonly promptId?: string;
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
  readonly expected?: readonly { readonly name: string }[];
}

export interface OutFolder {
  /** SHA-256 (hex) by name. */
  readonly outputs: ReadonlyMap<string, string>;
  readonly records: readonly SeenRecord[];
  /** Unfinished files, and claims on records: they exist only while a program is at work. */
  readonly parts: readonly string[];
}

/** States of a record that mean that not everything is on disk, or that nobody knows. */
const owedStates = ['sending', 'submitted', 'saving', 'incomplete'];

export function isOwed({ state }: SeenRecord): boolean {
  return owedStates.includes(state);
}

export function readOutFolder(folder: string): OutFolder {
  const names = existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    : [];
  const parts = names.filter((name) => /\.(?:part|lock|stamp)$/.test(name));
  const records = names
    .filter((name) => name.endsWith('.json') && !parts.includes(name))
    .map((name) => ({ ...(JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as SeenRecord), name }));
  const outputs = names
    .filter(
      (name) => !parts.includes(name) && !name.endsWith('.json') && !path.basename(name).startsWith('.'),
    )
    .map((name) => [name, sha256(readFileSync(path.join(folder, name)))] as const);
  return { outputs: new Map(outputs), records, parts };
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
