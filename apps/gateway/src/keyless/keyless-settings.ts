import { z } from 'zod'
import { isOnThisMachine } from '../accounts/elsewhere/issuer-fetch.ts'

/** What uploads without a stored secret can be told. */
export const keylessSettings = {
  FLAMEGATE_GITHUB_OIDC_ISSUER: z
    .url({ protocol: /^https?$/, hostname: /.*/ })
    .refine((url) => url.startsWith('https:') || isOnThisMachine(url), 'It must be https.')
    .default('https://token.actions.githubusercontent.com')
    .describe(
      'Who signs the identity of GitHub Actions jobs that upload without a token; of GitHub Enterprise Server it is https://HOST/_services/token.',
    )
    .meta({ kind: 'a URL' }),
}
