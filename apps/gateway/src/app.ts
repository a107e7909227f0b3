import { callerAssertionHeader, createConfirmations } from '@flamegate/auth'
import type { Authenticator } from '@flamegate/auth'
import { Problem } from '@flamegate/contract'
import type { IdentityStore, StatusStore } from '@flamegate/operations/ports'
import { addHealth, addMetricsRoute, createServer, guardedFetch, measureRequests } from '@flamegate/runtime'
import type { createMetricsRegistry, Health, Logger } from '@flamegate/runtime'
import {
  joinLibraries,
  problemHandler,
  publicTexts,
  recordLibrary,
  skillLibrary,
  textLibrary,
  viewLibrary,
} from '@flamegate/surfaces'
import type { ToolPolicy, ToolRegistry } from '@flamegate/surfaces'
import type { FastifyInstance, FastifyPluginAsync, FastifyPluginCallback } from 'fastify'
import { accountRoutes } from './accounts/account-routes.ts'
import type { ForeignSignIn } from './accounts/elsewhere/foreign-sign-in.ts'
import type { Mailer } from './accounts/mail/mailer.ts'
import type { ApiCaller } from './api-caller.ts'
import { docsSite } from './docs-site.ts'
import { exchangeIdentityOfRunner } from './keyless/codspeed-identity.ts'
import { createGitHubJobs } from './keyless/github-job.ts'
import { keylessRoutes } from './keyless/keyless-routes.ts'
import { mcpRoutes } from './mcp/mcp-routes.ts'
import { measuredApiCaller } from './measured-api-caller.ts'
import type { ClientPolicy } from './oauth/client-admission.ts'
import type { FetchDocument } from './oauth/client-documents.ts'
import { createOAuth } from './oauth/create-oauth.ts'
import type { RequestLimits } from './oauth/oauth-limits.ts'
import { patientApiCaller } from './patient-api-caller.ts'
import { publicFiles } from './public-files.ts'
import { restProxy } from './rest-proxy.ts'
import { addApiHeaders, addPageHeaders } from './security-headers.ts'
import { createWebSessions } from './session/web-session.ts'
import { siteNames } from './site-names.ts'
import { staticWeb } from './static-web.ts'
import { statusRoutes } from './status/status-routes.ts'
import { StatusWatch, type StatusWatchOptions } from './status/watch-status.ts'
import { readView } from './web-view.ts'

export interface GatewayOptions {
  /** Where people and clients reach us, an origin without a trailing slash: issuer, audience, links and cookies. */
  publicUrl: string
  identity: IdentityStore
  authenticator: Authenticator
  apiCaller: ApiCaller
  /** What answers `/v1`: an API elsewhere, or a plugin here, which then also answers for addresses that nobody has. */
  rest: { plugin: FastifyPluginAsync | FastifyPluginCallback } | { apiUrl: string }
  log: Logger
  metrics: ReturnType<typeof createMetricsRegistry>
  metricsToken?: string | undefined
  /** Whether traces go anywhere. */
  isTraced?: boolean
  /** What must work before traffic may come. */
  checks?: Readonly<Record<string, () => Promise<unknown>>>
  /** What the status page asks, and where its incidents are; of an installation without it everything works. */
  status?: { store: StatusStore; checks: StatusWatchOptions['checks'] } | undefined
  trustedProxies?: readonly string[] | undefined
  /** Host names besides that of the public URL by which `/mcp` may be called. */
  allowedHosts?: readonly string[] | undefined
  /** Origins of pages elsewhere that may call `/mcp`. */
  allowedOrigins?: readonly string[] | undefined
  /** Where the pages send uploads to besides us. */
  storageOrigins?: readonly string[] | undefined
  /** Folder of the built web UI; no pages when left out. */
  webRoot?: string | undefined
  /** Folder of the built documentation; a page that says that there is none when left out. */
  docsRoot?: string | undefined
  /** What `/mcp` and the addresses below it list; the catalogue's tools when left out. */
  buildRegistry?: (policy: ToolPolicy) => ToolRegistry
  /** What takes mails to people; they are written to the log when left out. */
  mailer?: Mailer | undefined
  /** Services that people may log in with. */
  signIns?: readonly ForeignSignIn[] | undefined
  /** Where providers of workspaces may be besides the public internet. */
  targetsAllowed?: readonly string[] | undefined
  /** Who signs the identity of GitHub Actions jobs; they cannot upload without a token when left out. */
  githubIssuer?: string | undefined
  /** How client ID metadata documents are fetched; the guarded way out when left out. */
  fetchDocument?: FetchDocument
  /** Which OAuth clients may come; any when left out. */
  clients?: ClientPolicy
  /** How long access tokens last; 600 when left out. */
  accessTokenLifetimeSeconds?: number
  /** Limits of what clients ask the authorization server; none when left out. */
  limits?: RequestLimits | undefined
}

export interface Gateway {
  app: FastifyInstance
  health: Health
}

/** Everything that is reached from outside, ready to listen: OAuth, accounts, MCP, REST, pages, health, metrics. */
export async function buildGateway(options: GatewayOptions): Promise<Gateway> {
  const { publicUrl, identity, authenticator, log, metrics } = options
  const apiCaller = measuredApiCaller(patientApiCaller(options.apiCaller), metrics)
  const app = createServer({ log, trustedProxies: options.trustedProxies, isTraced: options.isTraced })
  app.setErrorHandler(problemHandler(`${publicUrl}/v1/docs`))
  // Only we may say who is calling: whoever comes from outside with this header made it up.
  app.addHook('onRequest', async ({ headers }) => {
    delete headers[callerAssertionHeader]
  })
  measureRequests(app, metrics)
  addMetricsRoute(app, metrics, { token: options.metricsToken })
  const health = addHealth(app, { checks: options.checks ?? {} })

  const sessions = createWebSessions(identity, publicUrl)
  const names = siteNames(publicUrl, options.allowedHosts)
  const oauth = await createOAuth({
    identity,
    names,
    issuer: publicUrl,
    sessions,
    fetchDocument: options.fetchDocument ?? guardedFetch,
    clients: options.clients,
    accessTokenLifetimeSeconds: options.accessTokenLifetimeSeconds,
    limits: options.limits,
  })
  const texts = publicTexts(publicUrl)
  const view = options.webRoot === undefined ? undefined : await readView(options.webRoot)
  await app.register(
    mcpRoutes({
      buildRegistry: options.buildRegistry,
      confirmations: await createConfirmations(identity),
      apiCaller,
      authenticator,
      library: joinLibraries(
        textLibrary(texts),
        skillLibrary(texts),
        recordLibrary,
        ...(view === undefined ? [] : [viewLibrary(view)]),
      ),
      identity,
      resources: oauth.resources,
      publicUrl,
      log,
      allowedOrigins: options.allowedOrigins,
    }),
  )
  await app.register(publicFiles(publicUrl, texts))
  const { store, checks = {} } = options.status ?? {}
  await app.register(statusRoutes(publicUrl, new StatusWatch({ store, checks, log })))
  await app.register(await docsSite(publicUrl, options.docsRoot))
  await app.register(async (site) => {
    await addPageHeaders(site, { publicUrl, storageOrigins: options.storageOrigins })
    await site.register(oauth.plugin)
    await site.register(
      accountRoutes({
        identity,
        sessions,
        siteUrl: publicUrl,
        mailer: options.mailer,
        signIns: options.signIns,
        targetsAllowed: options.targetsAllowed,
      }),
    )
    if (options.webRoot !== undefined) await site.register(await staticWeb(options.webRoot, names))
  })
  const { rest, githubIssuer: issuer } = options
  await app.register(async (api) => {
    addApiHeaders(api)
    if (issuer !== undefined) {
      const jobs = createGitHubJobs({ issuer, audience: publicUrl })
      await api.register(keylessRoutes({ identity, jobs }))
      exchangeIdentityOfRunner(api, { identity, issuer, publicUrl })
    }
    await api.register('plugin' in rest ? rest.plugin : restProxy(rest.apiUrl))
  })
  if (!('plugin' in rest)) {
    app.setNotFoundHandler(({ method, url }) => {
      throw new Problem('not_found', `There is nothing at ${method} ${url.split('?')[0]}.`)
    })
  }
  return { app, health }
}
