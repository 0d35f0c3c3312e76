import { bypassedTexts } from './bypassedTexts';
import type { SourceText } from './localization';

/** Where every text of ours has its tag. */
const tagged = [
  'src/webview',
  'src/cli',
  'src/sandbox',
  'src/core/check/codes.ts',
  ...['catalogs', 'jobs', 'language', 'platform', 'preview', 'registry', 'runs', 'servers'].map(
    (name) => `src/host/${name}`,
  ),
  ...['language', 'workflow', 'json', 'catalog', 'registry', 'client/nodeManager'].map(
    (name) => `src/core/${name}`,
  ),
];
/** Names of node types and widgets, and values as packs have them: no texts of ours. */
const ofPacks = 'src/core/workflow/packs/';

/** Texts that are not ours to translate, by file. */
const namesOfOthers: Readonly<Record<string, RegExp>> = {
  // Values of the setting.
  'src/host/servers/knownServers.ts': /^Local ComfyUI$/,
  // Widgets, node types and properties, as in workflow files.
  'src/core/workflow/graph/extraWidgets.ts': /^(waiting for camera|Auto-refresh after generation)/,
  'src/core/workflow/graph/liveGraph.ts': /^(ByteDance|Ideogram|Topaz) /,
  'src/core/workflow/graph/primitives.ts': /^Run widget replace on values$/,
  'src/core/workflow/graph/sentValues.ts': /^Node name for S&R$/,
  'src/core/workflow/graph/members.ts': /^ ?(IMAGE MASK|UPSCALE_MODEL|LATENT_OPERATION) /,
  // The content of a run record, for any reader.
  'src/host/jobs/outputSaver.ts': /^Saving was cancelled/,
  // Endpoints.
  'src/core/client/nodeManager/installPack.ts': /^POST /,
  // A programming error.
  'src/core/json/textEdit.ts': /^The edit at offset/,
  'src/core/json/memberIndex.ts': /^not a JSON object at offset/,
  // Python's refusal, repeated in a verdict.
  'src/core/json/boundedJson.ts': /^number of too many digits$/,
  // What users type, and what a shell reads.
  'src/cli/commandTable.ts': /^comfy-deck music/,
  'src/cli/shellCompletion.ts': /^# (bash|zsh|fish|PowerShell) completion|COMPREPLY/,
  // The sandbox answers in the words of the servers that it imitates.
  'src/sandbox/requestHandler.ts':
    /^(Authentication is required|Not found|Internal error)$|^500 Internal|^Unknown member/,
  'src/sandbox/sandbox.ts': /^HTTP/,
  'src/sandbox/execution/callInputs.ts':
    /^list ind|^\{\}\(\) |out of memory on your GPU|^TIPS|^ {2}File|^Dependency cycle/,
  'src/sandbox/execution/promptRun.ts': /^Execution Blocked/,
  'src/sandbox/execution/runOrder.ts': /^Node \{\} not found$/,
  'src/sandbox/http/exchange.ts': /^Maximum request body size/,
  'src/sandbox/routes/managerRoutes.ts': /^A security error/,
  'src/sandbox/music/musicLines.ts': /^(Quiet Golden|Harbour Lanterns|calm warm)/,
  'src/sandbox/routes/musicRoutes.ts': /^Missing or invalid credentials$/,
  'src/sandbox/nodes/pictureNodes.ts':
    /^(Unauthorized|Status): |^Invalid \{\} file|^\[Errno 2\]|^cannot identify/,
  'src/sandbox/nodes/behaviours.ts':
    /^(Iteration |StartLoop\.execute)|^(Allocation on device|Payment Required|The width must|could not fetch|the machine has|this node costs|the subscription ended)/,
  'src/sandbox/nodes/pythonText.ts': /^Allocation on device$/,
  'src/sandbox/nodes/nodeValues.ts': /^'.*' object /,
  'src/sandbox/nodes/savers.ts': /^\*{4} ERROR/,
  'src/sandbox/registry/packStore.ts': /./,
  'src/sandbox/routes/registryRoutes.ts':
    /[Nn]ot [Ff]ound$|^(No node found|Node is banned|Invalid format|Internal Server Error|Failed to review|missing auth token|token is not|failed to create)/,
  'src/sandbox/routes/jobRoutes.ts': /^Job not found$|must be|^Invalid status value/,
  'src/sandbox/routes/promptRoutes.ts': /^(No prompt|Queued for|prompt_id must|extra_data must)/,
  'src/sandbox/routes/queueRoutes.ts': /^(Unknown member|History not found$)/,
  'src/sandbox/routes/fileRoutes.ts':
    /^(No image file|Unknown type|Image dimensions)|^File not found$|^res must|^Authorization, X-API-Key/,
  'src/sandbox/routes/infoRoutes.ts': /^Directory not provided$/,
  // Tables of node types, and words for titles of music.
  'src/sandbox/nodes/nodeSignatures.ts': /^\n\$samplers/,
};

/** The user texts without a tag in places where every text of ours has one: `file:line: text`. */
export function untaggedTexts(sources: readonly SourceText[]): string[] {
  const isTagged = (file: string): boolean =>
    tagged.some((place) => file === place || file.startsWith(`${place}/`));
  const held = sources.filter(({ file }) => isTagged(file) && !file.startsWith(ofPacks));
  return bypassedTexts(held, namesOfOthers);
}
