/** Settings of the page by their IDs. */
export type PageSettings = Readonly<Record<string, unknown>>;

/** A page in a canvas keeps nothing of its own and asks nothing: it shows one file that is kept by us. */
const fixedSettings: PageSettings = {
  // No drafts, and no tabs of another canvas.
  'Comfy.Workflow.Persist': false,
  'Comfy.Workflow.AutoSave': 'off',
  'Comfy.Window.UnloadConfirmation': false,
  // It would write the view into the file.
  'Comfy.EnableWorkflowViewRestore': false,
  // With it, sizes change when a file is loaded.
  'Comfy.VueNodes.Enabled': false,
  'Comfy.TutorialCompleted': true,
  'Comfy.Notification.ShowVersionUpdates': false,
  // What is missing is among the problems of the file.
  'Comfy.RightSidePanel.ShowErrorsTab': false,
  'Comfy.Workflow.ShowMissingNodesWarning': false,
  'Comfy.Workflow.ShowMissingModelsWarning': false,
  'Comfy.Workflow.ShowMissingMediaWarning': false,
  'Comfy.ErrorSystem.ShowMissingModels': false,
};

/** Set by the page for a new user, who isn't one. */
const alsoKept = ['Comfy.InstalledVersion'];

/** The languages of the page, by VS Code's: `zh-cn`, `pt-br`. */
const pageLanguages: Readonly<Record<string, string>> = {
  'zh-cn': 'zh',
  'zh-tw': 'zh-TW',
  'pt-br': 'pt-BR',
  ...Object.fromEntries(['en', 'ja', 'ko', 'fr', 'ru', 'es', 'ar', 'tr', 'fa'].map((name) => [name, name])),
};

/** The page's name of a language. Undefined if it doesn't have it. @param language a BCP 47 tag as VS Code has it */
export function pageLanguage(language: string): string | undefined {
  const tag = language.toLowerCase();
  return pageLanguages[tag] ?? pageLanguages[tag.split('-')[0] ?? tag];
}

/** A language that the page doesn't have stays as the server has it. */
export function overriddenSettings(isLight: boolean, language: string): PageSettings {
  const locale = pageLanguage(language);
  return {
    ...fixedSettings,
    'Comfy.ColorPalette': isLight ? 'light' : 'dark',
    ...(locale !== undefined && { 'Comfy.Locale': locale }),
  };
}

/** What is stored of the settings that a page stores: none of ours. */
export function storedSettings(settings: PageSettings, overridden: PageSettings): PageSettings {
  return Object.fromEntries(Object.entries(settings).filter(([id]) => !isOverridden(id, overridden)));
}

export function isOverridden(id: string, overridden: PageSettings): boolean {
  return Object.hasOwn(overridden, id) || alsoKept.includes(id);
}
