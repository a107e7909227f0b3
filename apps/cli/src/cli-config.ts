import { z } from 'zod'

/** Settings of the command line. */
export const cliConfig = z.object({
  FLAMEGATE_URL: z
    .url({ protocol: /^https?$/, hostname: /.*/ })
    .default('http://127.0.0.1:4170')
    .transform((url) => url.replace(/\/+$/, ''))
    .describe('Where Flamegate is; this machine, as npm start has it, when left out.')
    .meta({ kind: 'a URL' }),
  FLAMEGATE_TOKEN: z
    .string()
    .describe('API token (fg_…), as made on the web page API tokens.')
    .meta({ secret: true }),
})
