import { nodeTable } from './nodeTable';
import type { InputSpecJson, SandboxNode } from './sandboxNode';
import {
  chooseResolution,
  chosenSide,
  compareTexts,
  concatenate,
  containsText,
  convertCase,
  extractPattern,
  handOn,
  matchPattern,
  replacePattern,
  replaceText,
  showAnything,
  substring,
  switchInput,
  textLength,
  trimText,
} from './textEdits';

/** Both sides have the type that the other end wants, and are asked for only when chosen. */
const lazyMatch: InputSpecJson = [
  'COMFY_MATCHTYPE_V3',
  { lazy: true, template: { template_id: 'switch', allowed_types: '*' } },
];

/** Plain values and texts. */
export const textNodes: readonly SandboxNode[] = [
  ...nodeTable({ module: 'comfy_extras.nodes_primitive', category: 'utilities/primitive' }, [
    [`PrimitiveString(value: STRING) -> STRING`, handOn, { pythonFunction: 'String.execute' }],
    [
      `PrimitiveStringMultiline(value: STRING multiline) -> STRING`,
      handOn,
      { pythonFunction: 'StringMultiline.execute' },
    ],
    [
      `PrimitiveInt(value: INT -9223372036854775807..9223372036854775807) -> INT`,
      handOn,
      { pythonFunction: 'Int.execute' },
    ],
    [
      `PrimitiveFloat(value: FLOAT -9223372036854775807..9223372036854775807 /0.1) -> FLOAT`,
      handOn,
      { pythonFunction: 'Float.execute' },
    ],
    [`PrimitiveBoolean(value: BOOLEAN) -> BOOLEAN`, handOn, { pythonFunction: 'Boolean.execute' }],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_preview_any', category: 'utilities' }, [
    [`PreviewAny(source: *) -> STRING`, showAnything, { about: 'Shows any value as text.', output: true }],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_string', category: 'text' }, [
    [
      `StringConcatenate(
      string_a: STRING multiline, string_b: STRING multiline, delimiter: STRING=""
    ) -> STRING`,
      concatenate,
      { about: 'Joins two texts.' },
    ],
    [`StringSubstring(string: STRING multiline, start: INT, end: INT) -> STRING`, substring],
    [`StringLength(string: STRING multiline) -> length: INT`, textLength],
    [
      `CaseConverter(
      string: STRING multiline, mode: COMBO[UPPERCASE|lowercase|Capitalize|Title Case]
    ) -> STRING`,
      convertCase,
    ],
    [`StringTrim(string: STRING multiline, mode: COMBO[Both|Left|Right]) -> STRING`, trimText],
    [
      `StringReplace(
      string: STRING multiline, find: STRING multiline, replace: STRING multiline
    ) -> STRING`,
      replaceText,
    ],
    [
      `StringContains(
      string: STRING multiline, substring: STRING multiline, case_sensitive: BOOLEAN=true
    ) -> contains: BOOLEAN`,
      containsText,
    ],
    [
      `StringCompare(
      string_a: STRING multiline, string_b: STRING multiline,
      mode: COMBO[Starts With|Ends With|Equal], case_sensitive: BOOLEAN=true
    ) -> BOOLEAN`,
      compareTexts,
    ],
    [
      `RegexMatch(
      string: STRING multiline, regex_pattern: STRING multiline, case_insensitive: BOOLEAN=true,
      multiline: BOOLEAN=false, dotall: BOOLEAN=false
    ) -> matches: BOOLEAN`,
      matchPattern,
    ],
    [
      `RegexExtract(
      string: STRING multiline, regex_pattern: STRING multiline,
      mode: COMBO[First Match|All Matches|First Group|All Groups], case_insensitive: BOOLEAN=true,
      multiline: BOOLEAN=false, dotall: BOOLEAN=false, group_index: INT=1 0..100
    ) -> STRING`,
      extractPattern,
    ],
    [
      `RegexReplace(
      string: STRING multiline, regex_pattern: STRING multiline, replace: STRING multiline,
      case_insensitive?: BOOLEAN=true, multiline?: BOOLEAN=false, dotall?: BOOLEAN=false,
      count?: INT=0 0..100
    ) -> STRING`,
      replacePattern,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_resolution', category: 'utilities' }, [
    [
      `ResolutionSelector(
  
      aspect_ratio: COMBO[1:1 (Square)|2:3 (Portrait Photo)|3:2 (Photo)|3:4 (Portrait Standard)|4:3 (Standard)|9:16 (Portrait Widescreen)|16:9 (Widescreen)|21:9 (Ultrawide)],
      megapixels: FLOAT=1 0.1..16 /0.1, multiple: INT=8 8..128 /4
    ) -> width: INT, height: INT`,
      chooseResolution,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_logic', category: 'utilities/logic' }, [
    [
      `ComfySwitchNode(switch: BOOLEAN, on_false: COMFY_MATCHTYPE_V3, on_true: COMFY_MATCHTYPE_V3) -> output: COMFY_MATCHTYPE_V3`,
      switchInput,
      {
        title: 'Switch',
        about: 'Hands on one of two values; the other is not even made.',
        needs: (known) => [chosenSide(known)],
        specs: { on_false: lazyMatch, on_true: lazyMatch },
      },
    ],
  ]),
];
