import { addressKey } from '@flamegate/auth'
import { Problem } from '@flamegate/contract'
import type { IdentityStore, User } from '@flamegate/operations/ports'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { z } from 'zod'
import { readInput } from '../accounts/account-input.ts'
import { countAttempts, rate } from '../accounts/counted-attempts.ts'
import { noteSecurity } from '../security-events.ts'
import { refuseCrossSite } from '../session/refuse-cross-site.ts'
import type { WebSessions } from '../session/web-session.ts'
import { readAllowance } from './allowance.ts'
import { allowDevice, denyDevice, describeDevice, findWaiting } from './device-codes.ts'
import type { Resources } from './resources.ts'

export interface DeviceOptions {
  provider: Provider
  identity: IdentityStore
  sessions: WebSessions
  resources: Resources
}

const minuteMs = 60_000
const codesPerPerson = rate(30, 15 * minuteMs)
const codesPerAddress = rate(100, 15 * minuteMs)

const codeInput = z.looseObject({ user_code: z.string().min(1, 'Type the code.').max(40) })

/**
 * The JSON endpoints behind the page `/device`, where a person types the code that a program shows:
 * `POST /auth/device/find` tells what asks for what, `POST /auth/device/allow` and `…/deny` decide. Every one counts
 * as an attempt, because somebody else's code can only be found by guessing.
 */
export function addDeviceRoutes(app: FastifyInstance, options: DeviceOptions): void {
  const { provider, identity, sessions, resources } = options
  const onRequest = refuseCrossSite(provider.issuer)
  const { attempts } = identity.accounts
  const byPerson = countAttempts(attempts, 'deviceCodesPerPerson', codesPerPerson)
  const byAddress = countAttempts(attempts, 'deviceCodesPerAddress', codesPerAddress)

  app.post('/auth/device/find', { onRequest }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const { code, user } = await findRequest(request)
    return describeDevice(provider, code, user, identity)
  })

  app.post('/auth/device/allow', { onRequest }, async (request, reply) => {
    const { code, user, choices } = await findRequest(request)
    const allowance = await readAllowance(identity, user.id, choices)
    noteSecurity(request, { workspaceIds: allowance.choices.workspaceIds })
    await allowDevice(provider, identity, resources, { code, userId: user.id, allowance })
    return reply.code(204).send()
  })

  app.post('/auth/device/deny', { onRequest }, async (request, reply) => {
    const { code } = await findRequest(request)
    await denyDevice(code)
    return reply.code(204).send()
  })

  async function findRequest(request: FastifyRequest) {
    const user = await findPerson(request)
    noteSecurity(request, { userId: user.id })
    await byAddress.count(addressKey(request.ip))
    await byPerson.count(user.id)
    const { user_code, ...choices } = readInput(codeInput, request.body)
    const code = await findWaiting(provider, user_code)
    const id = String(code.clientId)
    noteSecurity(request, { client: { id, name: (await provider.Client.find(id))?.clientName ?? id } })
    return { user, choices, code }
  }

  async function findPerson({ headers }: FastifyRequest): Promise<User> {
    const session = await sessions.find(headers.cookie)
    const user = session && (await identity.findUser(session.userId))
    if (!user) throw new Problem('unauthenticated', 'Log in first.')
    return user
  }
}
