import { nodeTable } from './nodeTable';
import type { SandboxNode } from './sandboxNode';
import { askPartner } from './partnerService';

/** Nodes of partners: they cost nothing here, and ask for a key all the same. */
export const partnerNodes: readonly SandboxNode[] = [
  ...nodeTable({ module: 'comfy_api_nodes.nodes_bfl', category: 'partner/image/BFL' }, [
    [
      `FluxKontextProImageNode(
      prompt: STRING="" multiline, aspect_ratio: STRING="16:9", guidance: FLOAT=3 0.1..99 /0.1,
      steps: INT=50 1..150, seed: SEED, prompt_upsampling: BOOLEAN=false, input_image?: IMAGE
    ) -> IMAGE`,
      askPartner,
      { partner: true },
    ],
    [
      `FluxKontextMaxImageNode(
      prompt: STRING="" multiline, aspect_ratio: STRING="16:9", guidance: FLOAT=3 0.1..99 /0.1,
      steps: INT=50 1..150, seed: SEED, prompt_upsampling: BOOLEAN=false, input_image?: IMAGE
    ) -> IMAGE`,
      askPartner,
      { partner: true },
    ],
  ]),
  ...nodeTable({ module: 'comfy_api_nodes.nodes_ideogram', category: 'partner/image/Ideogram' }, [
    [
      `IdeogramV3(
      prompt: STRING="" multiline, image?: IMAGE, mask?: MASK,
      aspect_ratio?: COMBO[1:3|3:1|1:2|2:1|9:16|16:9|10:16|16:10|2:3|3:2|3:4|4:3|4:5|5:4|1:1]="1:1",
      resolution?: COMBO[Auto|512x1536|576x1408|576x1472|576x1536|640x1344|640x1408|640x1472|640x1536|704x1152|704x1216|704x1280|704x1344|704x1408|704x1472|736x1312|768x1088|768x1216|768x1280|768x1344|800x1280|832x960|832x1024|832x1088|832x1152|832x1216|832x1248|864x1152|896x960|896x1024|896x1088|896x1120|896x1152|960x832|960x896|960x1024|960x1088|1024x832|1024x896|1024x960|1024x1024|1088x768|1088x832|1088x896|1088x960|1120x896|1152x704|1152x832|1152x864|1152x896|1216x704|1216x768|1216x832|1248x832|1280x704|1280x768|1280x800|1312x736|1344x640|1344x704|1344x768|1408x576|1408x640|1408x704|1472x576|1472x640|1472x704|1536x512|1536x576|1536x640],
      magic_prompt_option?: COMBO[AUTO|ON|OFF], seed?: INT=0 0..2147483647, num_images?: INT=1 1..8,
      rendering_speed?: COMBO[DEFAULT|TURBO|QUALITY], character_image?: IMAGE, character_mask?: MASK
    ) -> IMAGE`,
      askPartner,
      { partner: true },
    ],
  ]),
  ...nodeTable({ module: 'comfy_api_nodes.nodes_kling', category: 'partner/image/Kling' }, [
    [
      `KlingOmniProImageNode(
      model_name: COMBO[kling-v3-omni|kling-image-o1], prompt: STRING multiline,
      resolution: COMBO[1K|2K|4K], aspect_ratio: COMBO[16:9|9:16|1:1|4:3|3:4|3:2|2:3|21:9],
      series_amount: COMBO[disabled|2|3|4|5|6|7|8|9], reference_images?: IMAGE,
      seed?: INT=0 0..2147483647
    ) -> IMAGE`,
      askPartner,
      { partner: true },
    ],
  ]),
  ...nodeTable({ module: 'comfy_api_nodes.nodes_luma', category: 'partner/image/Luma' }, [
    [
      `LumaImageModifyNode(
      image: IMAGE, prompt: STRING="" multiline, image_weight: FLOAT=0.1 0..0.98 /0.01,
      model: COMBO[photon-1|photon-flash-1], seed: SEED
    ) -> IMAGE`,
      askPartner,
      { partner: true },
    ],
  ]),
  ...nodeTable({ module: 'comfy_api_nodes.nodes_openai', category: 'partner/image/OpenAI' }, [
    [
      `OpenAIDalle2(
      prompt: STRING="" multiline, seed?: INT=0 0..2147483647,
      size?: COMBO[256x256|512x512|1024x1024]="1024x1024", n?: INT=1 1..8, image?: IMAGE, mask?: MASK
    ) -> IMAGE`,
      askPartner,
      { partner: true },
    ],
    [
      `OpenAIDalle3(
      prompt: STRING="" multiline, seed?: INT=0 0..2147483647, quality?: COMBO[standard|hd],
      style?: COMBO[natural|vivid], size?: COMBO[1024x1024|1024x1792|1792x1024]
    ) -> IMAGE`,
      askPartner,
      { partner: true },
    ],
    [
      `OpenAIGPTImage1(
      prompt: STRING="" multiline, seed?: INT=0 0..2147483647, quality?: COMBO[low|medium|high],
      background?: COMBO[auto|opaque|transparent],
      size?: COMBO[auto|1024x1024|1024x1536|1536x1024|2048x2048|2048x1152|1152x2048|3840x2160|2160x3840|Custom],
      n?: INT=1 1..8, image?: IMAGE, mask?: MASK,
      model?: COMBO[gpt-image-1|gpt-image-1.5|gpt-image-2]="gpt-image-2",
      custom_width?: INT=1024 1024..3840 /16, custom_height?: INT=1024 1024..3840 /16
    ) -> IMAGE`,
      askPartner,
      { partner: true },
    ],
  ]),
  ...nodeTable({ module: 'comfy_api_nodes.nodes_recraft', category: 'partner/image/Recraft' }, [
    [
      `RecraftTextToImageNode(
      prompt: STRING="" multiline,
      size: COMBO[1024x1024|1365x1024|1024x1365|1536x1024|1024x1536|1820x1024|1024x1820|1024x2048|2048x1024|1434x1024|1024x1434|1024x1280|1280x1024|1024x1707|1707x1024],
      n: INT=1 1..6, seed: SEED, recraft_style?: RECRAFT_V3_STYLE,
      negative_prompt?: STRING="" forceInput, recraft_controls?: RECRAFT_CONTROLS
    ) -> IMAGE`,
      askPartner,
      { partner: true },
    ],
    [
      `RecraftStyleV3DigitalIllustration(
  
      substyle: COMBO[None|2d_art_poster|2d_art_poster_2|antiquarian|bold_fantasy|child_book|child_books|cover|crosshatch|digital_engraving|engraving_color|expressionism|freehand_details|grain|grain_20|graphic_intensity|hand_drawn|hand_drawn_outline|handmade_3d|hard_comics|infantile_sketch|long_shadow|modern_folk|multicolor|neon_calm|noir|nostalgic_pastel|outline_details|pastel_gradient|pastel_sketch|pixel_art|plastic|pop_art|pop_renaissance|seamless|street_art|tablet_sketch|urban_glow|urban_sketching|vanilla_dreams|young_adult_book|young_adult_book_2]
    ) -> recraft_style: RECRAFT_V3_STYLE`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_api_nodes.nodes_runway', category: 'partner/image/Runway' }, [
    [
      `RunwayTextToImageNode(
      prompt: STRING="" multiline,
      ratio: COMBO[1920:1080|1080:1920|1024:1024|1360:768|1080:1080|1168:880|1440:1080|1080:1440|1808:768|2112:912],
      reference_image?: IMAGE
    ) -> IMAGE`,
      askPartner,
      { partner: true },
    ],
  ]),
];
