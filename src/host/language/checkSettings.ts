import type * as vscode from 'vscode';
import { isCheckCode, type CheckCode, type Severity } from '../../core/check/codes';
import { settings } from '../platform/contributions';
import { readSetting } from '../platform/settings';

export interface CheckSettings {
  readonly severities: Readonly<Partial<Record<CheckCode, Severity | 'off'>>>;
  readonly suppressed: ReadonlySet<CheckCode>;
}

const levels: readonly string[] = ['error', 'warning', 'information', 'hint', 'off'] satisfies (
  Severity | 'off'
)[];

/** The severities and suppressions in effect for a file; unknown names are ignored. */
export function checkSettings(uri: vscode.Uri): CheckSettings {
  const severities: Partial<Record<CheckCode, Severity | 'off'>> = {};
  for (const [code, level] of Object.entries(readSetting(settings.checkSeverity, uri) ?? {})) {
    if (isCheckCode(code) && isLevel(level)) severities[code] = level;
  }
  const suppressed = new Set(
    (readSetting(settings.suppressedChecks, uri) ?? []).filter(
      (code): code is CheckCode => typeof code === 'string' && isCheckCode(code),
    ),
  );
  return { severities, suppressed };
}

function isLevel(value: unknown): value is Severity | 'off' {
  return typeof value === 'string' && levels.includes(value);
}
