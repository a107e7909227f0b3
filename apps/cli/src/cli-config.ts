import { z } from 'zod'
import { UsageError } from './usage-error.ts'

/** Settings of the command line. */
export const cliConfig = z.object({
  FLAMEGATE_URL: z
    .url({ protocol: /^https?$/, hostname: /.*/ })
    .default('http://127.0.0.1:4170')
    .transform((url) => url.replace(/\/+$/, ''))
    .describe(
      'Where Flamegate is; where flamegate login was, or this machine as npm start has it, when left out.',
    )
    .meta({ kind: 'a URL' }),
  FLAMEGATE_TOKEN: z
    .string()
    .optional()
    .describe(
      'API token (fg_…), as made on the web page API tokens; when left out, the identity of a GitHub Actions job, or the log-in of flamegate login.',
    )
    .meta({ secret: true }),
  FLAMEGATE_PROJECT: z
    .string()
    .optional()
    .describe('Id of the project (prj_…) that uploads go to; told by the repository when left out.'),
})

/** Where Flamegate is, from what was given for it. @throws UsageError */
export function siteUrl(given: string | undefined): string {
  const url = cliConfig.shape.FLAMEGATE_URL.safeParse(given === '' ? undefined : given)
  if (url.success) return url.data
  throw new UsageError(
    `This is no URL: ${given}. Set FLAMEGATE_URL, or --url, to one such as https://flamegate.example.`,
  )
}
