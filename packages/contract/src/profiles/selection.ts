import { z } from 'zod'
import { sampleType } from './shapes.ts'

/** Which samples of a profile a question is about. */
export const sampleSelection = {
  sample_type: sampleType,
  labels: z
    .array(
      z
        .string()
        .min(3)
        .max(300)
        .regex(/^[^=]+=/, 'Write it as name=value.'),
    )
    .max(10)
    .optional()
    .describe(
      'Only samples with these, as thread=main. All of them must fit; list_profile_labels shows them.',
    ),
  from_ms: z
    .number()
    .min(0)
    .optional()
    .describe('Only from then on. Milliseconds since the start of the profile.'),
  to_ms: z
    .number()
    .min(0)
    .optional()
    .describe('Only before then. Milliseconds since the start of the profile.'),
}
