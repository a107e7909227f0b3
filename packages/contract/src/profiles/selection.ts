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
    .describe('As thread=main. Only samples with all of these; list_profile_labels shows them.'),
  from_ms: z
    .number()
    .min(0)
    .optional()
    .describe('From then. Milliseconds since the start of the profile; only samples since.'),
  to_ms: z
    .number()
    .min(0)
    .optional()
    .describe('Until then. Milliseconds since the start of the profile; what is at that time is left out.'),
}
