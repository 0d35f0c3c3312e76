import type { OutputFile } from '../protocol/outputFile';
import { withoutEnd } from '../safety/ends';

/** Appended to the name of a file that a desktop would run: every desktop opens it as text. */
const neutral = '.txt';

/**
 * The name, with `.txt` appended if a desktop would run the file: an untrusted output must not become a program on
 * double-click. The name itself stays readable. Everything else keeps its extension, web pages and SVG too.
 * @param name a single safe segment
 */
export function neutralName(name: string): string {
  return isExecutable(name) ? name + neutral : name;
}

export function filesSavedAsText<T extends { readonly file: OutputFile; readonly name: string }>(
  saved: readonly T[],
): readonly T[] {
  return saved.filter(({ name }) => name.endsWith(neutral) && isExecutable(name.slice(0, -neutral.length)));
}

function isExecutable(name: string): boolean {
  // Full-width letters and dots: a system that converts names makes plain ones of them.
  const shown = name.normalize('NFKC').toLowerCase();
  const plain = withoutEnd(shown.replace(/[^\p{L}\p{N}\p{P}\p{S}]/gu, ''), '. ');
  // NTFS streams and their type after a colon, which has become `_`: `a.exe::$DATA`.
  const stream = plain.endsWith('_$data') ? plain.indexOf('_', plain.lastIndexOf('.') + 1) : plain.length;
  const ending = /\.([^.]*)$/.exec(plain.slice(0, stream))?.[1] ?? '';
  return executableEndings.has(ending);
}

/** Extensions that a desktop runs on double-click. Models end in `.bin`, and what we write is never executable. */
export const executableEndings: ReadonlySet<string> = new Set(
  [
    // Windows: programs, and what loads them
    'exe com scr pif cpl dll ocx sys drv gadget ax mui efi',
    // Windows: installers, packages and images that are mounted
    'msi msp mst msu msix msixbundle appx appxbundle appinstaller application appref-ms vsix vsto xbap',
    'cab diagcab diagcfg diagpkg iso img vhd vhdx wim',
    // Windows: scripts and what their hosts run
    'bat cmd ps1 ps1xml ps2 ps2xml psc1 psc2 psd1 psm1 cdxml msh msh1 msh2 mshxml msh1xml msh2xml',
    'vb vbs vbe vbp js jse mjs cjs ws wsf wsc wsh wsb hta sct xsl inf ins isp reg',
    'gs asp aspx asx ahk au3',
    // Windows: shortcuts, and documents that act
    'lnk url website scf shb shs library-ms search-ms searchconnector-ms settingcontent-ms',
    'theme themepack deskthemepack rdp chm hlp hpj cnt its maf mht mhtml grp job jnlp',
    'mad mag mam maq mar mas mat mau mav maw mcf mda mdb mde mdt mdw mdz accda accdb accde accdr',
    'msc ops osd pcd prf prg printerexport contact group pl plg bgi crt cer der xnk one onepkg',
    'docm dotm xlsm xltm xlam xla xll xlw xlsb xlm pptm potm ppam ppsm ppa sldm slk wbk iqy oqy dqy rqy odc dsn udl',
    // macOS
    'app command tool terminal workflow action definition scpt scptd applescript osax jxa pkg mpkg dmg sparseimage',
    'sparsebundle prefpane kext plugin bundle saver qlgenerator mdimporter colorpicker webloc inetloc fileloc',
    'webarchive mobileconfig shortcut configprofile provisionprofile dylib safariextz wdgt xpc service',
    // Linux
    'desktop kdelnk directory sh bash zsh csh ksh tcsh fish dash ash run elf so ko appimage deb rpm apk',
    'flatpak flatpakref flatpakrepo snap mount socket timer',
    // Languages whose interpreters register the extension.
    'py pyw pyc pyo pyd pyz pyzw jar class war ear rb rbw php phar lua tcl tk awk sed groovy kts r rscript jl node',
    'nse ipa swf air code-workspace',
  ].flatMap((line) => line.split(' ')),
);
