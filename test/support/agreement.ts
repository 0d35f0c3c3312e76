import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Agreement {
  readonly name: string;
  readonly alike: number;
  readonly all: number;
}

export const agreementFolder = path.resolve('out/agreement');

/** Stores a count for `npm run bench`, which shows it beside its bar. */
export function keepAgreement(agreement: Agreement): void {
  mkdirSync(agreementFolder, { recursive: true });
  const file = path.join(agreementFolder, `${agreement.name.replace(/[^\w+-]+/g, '-')}.json`);
  writeFileSync(file, JSON.stringify(agreement));
}

export function readAgreements(): Agreement[] {
  if (!existsSync(agreementFolder)) return [];
  return readdirSync(agreementFolder)
    .sort()
    .map((name) => JSON.parse(readFileSync(path.join(agreementFolder, name), 'utf8')) as Agreement);
}
