/** The endings of files that hold weights, as the server's model folders list them. */
const modelEnding = /\.(?:safetensors|sft|ckpt|pt2?|pth|bin|pkl|gguf|onnx|engine)$/i;
const quotedModel = /\.(?:safetensors|sft|ckpt|pt2?|pth|bin|pkl|gguf|onnx|engine)"/i;

/** Whether a text names a model file. */
export function isModelName(text: string): boolean {
  return modelEnding.test(text);
}

/** Whether a message quotes the name of a model file. */
export function mentionsModel(message: string): boolean {
  return quotedModel.test(message);
}
