import { useTranslations, type Translations } from '../../core/safety/localize';

// Imported first, so that texts created while modules load are translated too.
const translations = document.querySelector<HTMLMetaElement>('meta[name="translations"]')?.content;
// Written by the host: its own texts, for its own page.
if (translations !== undefined) {
  useTranslations(document.documentElement.lang, JSON.parse(translations) as Translations);
}
