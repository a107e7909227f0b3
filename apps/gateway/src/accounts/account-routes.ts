import type { FastifyPluginAsync } from 'fastify'
import { recordSecurity } from '../security-events.ts'
import { createAccountContext } from './account-context.ts'
import type { AccountsOptions } from './account-context.ts'
import { addLogInRoutes } from './log-in-routes.ts'
import { addEmailChangeRoutes } from './email-change-routes.ts'
import { mailInvitations } from './invitation-mails.ts'
import { addMailRoutes } from './mail-routes.ts'
import { addOneTimeCodeRoutes } from './one-time-code-routes.ts'
import { addPasskeyRoutes } from './passkey-routes.ts'
import { recordedAccountRoutes } from './recorded-routes.ts'
import { addSettingsRoutes } from './settings-routes.ts'
import { addSignInRoutes } from './sign-in-routes.ts'
import { addSignUpRoutes } from './sign-up-routes.ts'
import { addSsoRoutes } from './sso/sso-routes.ts'

/**
 * The JSON endpoints under `/auth` behind the pages for signing up, logging in and settings of the account. They are
 * about this browser and its person, so they are no operations. They throw `Problem`s for the server's error handler.
 */
export function accountRoutes(options: AccountsOptions): FastifyPluginAsync {
  return async (app) => {
    // JSON and nothing else: a form of another site cannot send it.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'string' },
      app.getDefaultJsonParser('error', 'error'),
    )
    // Who somebody is and what they may is nobody's to keep.
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })

    recordSecurity(app, options.identity, recordedAccountRoutes)
    const context = await createAccountContext(options, app.log)
    addSignUpRoutes(app, context)
    addLogInRoutes(app, context)
    addMailRoutes(app, context)
    addEmailChangeRoutes(app, context)
    addPasskeyRoutes(app, context)
    addOneTimeCodeRoutes(app, context)
    addSignInRoutes(app, context)
    addSsoRoutes(app, context)
    addSettingsRoutes(app, context)
    // Without a mail server, whoever invites hands on the link.
    if (context.mustConfirmEmail) mailInvitations(app, context)
  }
}
