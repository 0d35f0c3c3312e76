import * as vscode from 'vscode';
import { useTranslations } from '../../core/safety/localize';

// Imported first, so that texts created while modules load are translated too.
useTranslations(vscode.env.language, vscode.l10n.bundle ?? {});
