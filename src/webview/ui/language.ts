import { useTranslations, type Translations } from '../../core/safety/localize';

// Imported before everything else, so that texts which modules make when they are loaded are translated as well.
const translations = document.querySelector<HTMLMetaElement>('meta[name="translations"]')?.content;
// The host wrote it: its own texts, for its own page.
if (translations !== undefined) {
  useTranslations(document.documentElement.lang, JSON.parse(translations) as Translations);
}
