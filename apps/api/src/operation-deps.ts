import { newTokenSecret } from '@flamegate/auth'
import type { Deps } from '@flamegate/operations'
import type {
  ArchiveLinks,
  JobQueue,
  ObjectStorage,
  QueueDesk,
  Sealing,
  Stores,
} from '@flamegate/operations/ports'
import {
  guardedFetch,
  postMail,
  postMessage,
  resolvedBy,
  targetRules,
  type MailServer,
} from '@flamegate/runtime'
import { publicTexts } from '@flamegate/surfaces'
import { openProfileAnalysis } from './analysis/profile-analysis.ts'
import { openCorrelating } from './correlating/open-correlating.ts'
import { openProfileWriter } from './exports/profile-writer.ts'
import { ssoRules } from './sso-rules.ts'
import { openVirtualUserWriter } from './virtual-user-exports/virtual-user-writer.ts'

/** What operations are built on, out of the adapters of this process. */
export function operationDeps(parts: {
  stores: Stores
  queue: JobQueue
  queueDesk: QueueDesk
  storage: ObjectStorage
  archiveLinks: ArchiveLinks
  publicUrl: string
  /** E-mail addresses, in lower case. */
  admins: readonly string[]
  pushedProfileDays: number
  validationDays: number
  limits: Deps['limits']
  auditKey: string
  sealing: Sealing
  githubApiUrl: string
  /** For tests and single-machine set-ups. */
  webhooksToLoopback: boolean
  /** Undefined: there is none. */
  mailServer: MailServer | undefined
  targetsAllowed: readonly string[]
  /** Name servers that are asked for proofs; the system's when there are none. */
  dnsServers: readonly string[]
  /** Domains that are a workspace's without a proof. */
  ssoDomains: readonly (readonly [domain: string, workspaceId: string])[]
}): Deps {
  const { webhooksToLoopback, targetsAllowed, dnsServers, ssoDomains, mailServer, ...deps } = parts
  const resolveTxt = resolvedBy(dnsServers)
  return {
    ...deps,
    profileAnalysis: openProfileAnalysis(),
    profileWriter: openProfileWriter(),
    correlating: openCorrelating(),
    virtualUserWriter: openVirtualUserWriter(),
    postMessage: (url, message) => postMessage(url, { ...message, allowLoopback: webhooksToLoopback }),
    sendMail: (letter) => postMail(mailServer, letter),
    targets: targetRules(targetsAllowed, resolveTxt),
    sso: ssoRules({ targetsAllowed, ssoDomains, resolveTxt }),
    send: (request) => send(request, parts.publicUrl),
    guides: publicTexts(parts.publicUrl),
    serverName: 'Flamegate',
    newSecret: newTokenSecret,
  }
}

const send = async (request: Parameters<Deps['send']>[0], publicUrl: string) => {
  const { url, method, headers, body, isEnough } = request
  const answer = await guardedFetch(url, {
    method,
    headers,
    body,
    maxBytes: 4 * 1_048_576,
    timeoutMs: 10_000,
    isEnough: (received, piece) => isEnough(received, Buffer.from(piece).toString('latin1')),
    maxRedirects: 0,
    allowedSchemes: ['https', 'http'],
    // Ourselves we may examine also where we run on the person's own computer.
    allowLoopback: URL.parse(url)?.origin === publicUrl,
  })
  return { ...answer, body: new TextDecoder().decode(answer.body) }
}
