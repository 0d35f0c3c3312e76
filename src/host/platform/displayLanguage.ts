import * as vscode from 'vscode';
import { useTranslations } from '../../core/safety/localize';

// Imported before everything else, so that texts which modules make when they are loaded are translated as well.
useTranslations(vscode.env.language, vscode.l10n.bundle ?? {});
