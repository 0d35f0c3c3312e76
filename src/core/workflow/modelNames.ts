/** The extensions of weight files, as in the server's model folders. */
const modelEnding = /\.(?:safetensors|sft|ckpt|pt2?|pth|bin|pkl|gguf|onnx|engine)$/i;
const quotedModel = /\.(?:safetensors|sft|ckpt|pt2?|pth|bin|pkl|gguf|onnx|engine)"/i;

/** Whether a text is the name of a model file. */
export function isModelName(text: string): boolean {
  return modelEnding.test(text);
}

/** Whether a message quotes the name of a model file. */
export function mentionsModel(message: string): boolean {
  return quotedModel.test(message);
}
