type Specs = Readonly<Record<string, unknown>>;

/** The declaration of a choice whose options bring required inputs. */
export function dynamicCombo(options: Readonly<Record<string, Specs>>): readonly unknown[] {
  const branches = Object.entries(options).map(([key, required]) => ({ key, inputs: { required } }));
  return ['COMFY_DYNAMICCOMBO_V3', { options: branches }];
}

/** The declaration of a list of inputs that grows. */
export function autogrow(required: Specs, more: object): readonly unknown[] {
  return ['COMFY_AUTOGROW_V3', { template: { input: { required }, ...more } }];
}
