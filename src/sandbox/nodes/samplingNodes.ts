import { nodeTable } from './nodeTable';
import type { SandboxNode } from './sandboxNode';
import {
  followOne,
  followThree,
  followTwo,
  noNoise,
  randomNoise,
  readSigmas,
  sampleAdvanced,
  sampleCustom,
  sampleGuided,
  sampleLatent,
  scheduleSteps,
  splitSigmas,
} from './samplers';

/** Samplers, and the parts that custom sampling is put together from. */
export const samplingNodes: readonly SandboxNode[] = [
  ...nodeTable({ module: 'nodes', category: 'model/sampling' }, [
    [
      `KSampler(
      model: MODEL, seed: SEED, steps: INT=20 1..10000, cfg: FLOAT=8 0..100 /0.1,
      sampler_name: $samplers, scheduler: $schedulers, positive: CONDITIONING,
      negative: CONDITIONING, latent_image: LATENT, denoise: FLOAT=1 0..1 /0.01
    ) -> LATENT`,
      sampleLatent,
      {
        title: 'KSampler',
        about: 'Turns noise, or a picture, into what the prompts describe, step by step.',
        pythonFunction: 'KSampler.sample',
      },
    ],
    [
      `KSamplerAdvanced(
      model: MODEL, add_noise: [enable|disable], noise_seed: SEED, steps: INT=20 1..10000,
      cfg: FLOAT=8 0..100 /0.1, sampler_name: $samplers, scheduler: $schedulers,
      positive: CONDITIONING, negative: CONDITIONING, latent_image: LATENT,
      start_at_step: INT=0 0..10000, end_at_step: INT=10000 0..10000,
      return_with_leftover_noise: [disable|enable]
    ) -> LATENT`,
      sampleAdvanced,
      { title: 'KSampler (Advanced)', about: 'A sampler that can stop halfway and go on elsewhere.' },
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_custom_sampler', category: 'model/sampling/custom' }, [
    [
      `SamplerCustom(
      model: MODEL, add_noise: BOOLEAN=true, noise_seed: SEED, cfg: FLOAT=8 0..100 /0.1,
      positive: CONDITIONING, negative: CONDITIONING, sampler: SAMPLER, sigmas: SIGMAS,
      latent_image: LATENT
    ) -> output: LATENT, denoised_output: LATENT`,
      sampleCustom,
    ],
    [
      `SamplerCustomAdvanced(
      noise: NOISE, guider: GUIDER, sampler: SAMPLER, sigmas: SIGMAS, latent_image: LATENT
    ) -> output: LATENT, denoised_output: LATENT`,
      sampleGuided,
      { about: 'A sampler put together from its parts.' },
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_custom_sampler', category: 'model/sampling/schedulers' }, [
    [
      `BasicScheduler(
      model: MODEL, scheduler: COMBO$schedulers, steps: INT=20 1..10000, denoise: FLOAT=1 0..1 /0.01
    ) -> SIGMAS`,
      scheduleSteps,
    ],
    [
      `KarrasScheduler(
      steps: INT=20 1..10000, sigma_max: FLOAT=14.614642 0..5000 /0.01,
      sigma_min: FLOAT=0.0291675 0..5000 /0.01, rho: FLOAT=7 0..100 /0.01
    ) -> SIGMAS`,
      scheduleSteps,
    ],
    [
      `ExponentialScheduler(
      steps: INT=20 1..10000, sigma_max: FLOAT=14.614642 0..5000 /0.01,
      sigma_min: FLOAT=0.0291675 0..5000 /0.01
    ) -> SIGMAS`,
      scheduleSteps,
    ],
    [
      `PolyexponentialScheduler(
      steps: INT=20 1..10000, sigma_max: FLOAT=14.614642 0..5000 /0.01,
      sigma_min: FLOAT=0.0291675 0..5000 /0.01, rho: FLOAT=1 0..100 /0.01
    ) -> SIGMAS`,
      scheduleSteps,
    ],
    [
      `LaplaceScheduler(
      steps: INT=20 1..10000, sigma_max: FLOAT=14.614642 0..5000 /0.01,
      sigma_min: FLOAT=0.0291675 0..5000 /0.01, mu: FLOAT=0 -10..10 /0.1, beta: FLOAT=0.5 0..10 /0.1
    ) -> SIGMAS`,
      scheduleSteps,
    ],
    [
      `VPScheduler(
      steps: INT=20 1..10000, beta_d: FLOAT=19.9 0..5000 /0.01, beta_min: FLOAT=0.1 0..5000 /0.01,
      eps_s: FLOAT=0.001 0..1 /0.0001
    ) -> SIGMAS`,
      scheduleSteps,
    ],
    [
      `BetaSamplingScheduler(
      model: MODEL, steps: INT=20 1..10000, alpha: FLOAT=0.6 0..50 /0.01, beta: FLOAT=0.6 0..50 /0.01
    ) -> SIGMAS`,
      scheduleSteps,
    ],
    [
      `SDTurboScheduler(model: MODEL, steps: INT=1 1..10, denoise?: FLOAT=1 0..1 /0.01) -> SIGMAS`,
      scheduleSteps,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_custom_sampler', category: 'model/sampling/samplers' }, [
    [`KSamplerSelect(sampler_name: COMBO$samplers) -> SAMPLER`],
    [`SamplerEulerAncestral(eta: FLOAT=1 0..100 /0.01, s_noise: FLOAT=1 0..100 /0.01) -> SAMPLER`],
    [`SamplerLMS(order: INT=4 1..100) -> SAMPLER`],
    [
      `SamplerDPMPP_3M_SDE(
      eta: FLOAT=1 0..100 /0.01, s_noise: FLOAT=1 0..100 /0.01, noise_device: COMBO[gpu|cpu]
    ) -> SAMPLER`,
    ],
    [
      `SamplerDPMPP_2M_SDE(
      solver_type: COMBO[midpoint|heun], eta: FLOAT=1 0..100 /0.01, s_noise: FLOAT=1 0..100 /0.01,
      noise_device: COMBO[gpu|cpu]
    ) -> SAMPLER`,
    ],
    [
      `SamplerDPMPP_SDE(
      eta: FLOAT=1 0..100 /0.01, s_noise: FLOAT=1 0..100 /0.01, r: FLOAT=0.5 0..100 /0.01,
      noise_device: COMBO[gpu|cpu]
    ) -> SAMPLER`,
    ],
    [
      `SamplerDPMAdaptative(
      order: INT=3 2..3, rtol: FLOAT=0.05 0..100 /0.01, atol: FLOAT=0.0078 0..100 /0.01,
      h_init: FLOAT=0.05 0..100 /0.01, pcoeff: FLOAT=0 0..100 /0.01, icoeff: FLOAT=1 0..100 /0.01,
      dcoeff: FLOAT=0 0..100 /0.01, accept_safety: FLOAT=0.81 0..100 /0.01,
      eta: FLOAT=0 0..100 /0.01, s_noise: FLOAT=1 0..100 /0.01
    ) -> SAMPLER`,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_custom_sampler', category: 'model/sampling/sigmas' }, [
    [
      `SplitSigmas(sigmas: SIGMAS, step: INT=0 0..10000) -> high_sigmas: SIGMAS, low_sigmas: SIGMAS`,
      splitSigmas,
    ],
    [
      `SplitSigmasDenoise(
      sigmas: SIGMAS, denoise: FLOAT=1 0..1 /0.01
    ) -> high_sigmas: SIGMAS, low_sigmas: SIGMAS`,
      splitSigmas,
    ],
    [`FlipSigmas(sigmas: SIGMAS) -> SIGMAS`],
    [`SetFirstSigma(sigmas: SIGMAS, sigma: FLOAT=136 0..20000 /0.001) -> SIGMAS`],
    [`ManualSigmas(sigmas: STRING="1, 0.5") -> SIGMAS`, readSigmas],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_custom_sampler', category: 'model/sampling/guiders' }, [
    [
      `CFGGuider(
      model: MODEL, positive: CONDITIONING, negative: CONDITIONING, cfg: FLOAT=8 0..100 /0.1
    ) -> GUIDER`,
      followTwo,
    ],
    [
      `DualCFGGuider(
      model: MODEL, cond1: CONDITIONING, cond2: CONDITIONING, negative: CONDITIONING,
      cfg_conds: FLOAT=8 0..100 /0.1, cfg_cond2_negative: FLOAT=8 0..100 /0.1,
      style?: COMBO[regular|nested]
    ) -> GUIDER`,
      followThree,
    ],
    [`BasicGuider(model: MODEL, conditioning: CONDITIONING) -> GUIDER`, followOne],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_custom_sampler', category: 'model/sampling/noise' }, [
    [`RandomNoise(noise_seed: SEED) -> NOISE`, randomNoise],
    [`DisableNoise() -> NOISE`, noNoise],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_align_your_steps', category: 'model/sampling/schedulers' }, [
    [
      `AlignYourStepsScheduler(
      model_type: COMBO[SD1|SDXL|SVD], steps: INT=10 1..10000, denoise: FLOAT=1 0..1 /0.01
    ) -> SIGMAS`,
      scheduleSteps,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_advanced_samplers', category: 'experimental' }, [
    [`SamplerEulerCFGpp(version: COMBO[regular|alternative]) -> SAMPLER`],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_gits', category: 'model/sampling/schedulers' }, [
    [
      `GITSScheduler(
      coeff: FLOAT=1.2 0.8..1.5 /0.05, steps: INT=10 2..1000, denoise: FLOAT=1 0..1 /0.01
    ) -> SIGMAS`,
      scheduleSteps,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_flux', category: 'model/sampling/schedulers' }, [
    [
      `Flux2Scheduler(
      steps: INT=20 1..4096, width: INT=1024 16..16384, height: INT=1024 16..16384
    ) -> SIGMAS`,
      scheduleSteps,
    ],
  ]),
  ...nodeTable({ module: 'comfy_extras.nodes_optimalsteps', category: 'model/sampling/schedulers' }, [
    [
      `OptimalStepsScheduler(
      model_type: COMBO[FLUX|Wan|Chroma], steps: INT=20 3..1000, denoise: FLOAT=1 0..1 /0.01
    ) -> SIGMAS`,
      scheduleSteps,
    ],
  ]),
];
