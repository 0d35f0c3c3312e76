/** A few node types with newer replacements, in the server's form (protocol 2.4), for the fixes that offer them. */
export const nodeReplacements = {
  ImageScaleBy: [
    {
      new_node_id: 'ResizeImageMaskNode',
      old_node_id: 'ImageScaleBy',
      old_widget_ids: ['upscale_method', 'scale_by'],
      input_mapping: [
        { new_id: 'input', old_id: 'image' },
        { new_id: 'resize_type', set_value: 'scale by multiplier' },
        { new_id: 'resize_type.multiplier', old_id: 'scale_by' },
        { new_id: 'scale_method', old_id: 'upscale_method' },
      ],
      output_mapping: null,
    },
  ],
  ImageBatch: [
    {
      new_node_id: 'BatchImagesNode',
      old_node_id: 'ImageBatch',
      old_widget_ids: null,
      input_mapping: [
        { new_id: 'images.image0', old_id: 'image1' },
        { new_id: 'images.image1', old_id: 'image2' },
      ],
      output_mapping: null,
    },
  ],
} as const;
