import { createVouchedPerson } from '@flamegate/auth'
import { Problem, type Caller, type SecurityAction } from '@flamegate/contract'
import { asProblem, keepingAnOwner } from '@flamegate/operations'
import {
  Conflict,
  NotRecorded,
  type IdentityStore,
  type ScimPerson,
  type ScimToken,
  type SecurityOrigin,
  type Stores,
} from '@flamegate/operations/ports'
import type { ToldUser } from './scim-user.ts'

/** A call of an identity provider. */
export interface ScimCall {
  token: ScimToken
  /** Who the token makes it: an admin of its workspace, and nobody elsewhere. */
  caller: Caller
  origin: SecurityOrigin
}

export interface ProvisioningOptions {
  stores: Pick<Stores, 'scim' | 'workspaces'>
  identity: Pick<
    IdentityStore,
    'createUser' | 'findUser' | 'findUserByEmail' | 'scim' | 'securityLog' | 'sso'
  >
}

/** What an identity provider does with the members of its workspace. Each change is in the audit log, done or refused. */
export interface Provisioning {
  /** @throws Problem `member_not_found` */
  get(call: ScimCall, userId: string): Promise<ScimPerson>
  /** Makes somebody a member, with an account where they have none. */
  create(call: ScimCall, told: ToldUser): Promise<ScimPerson>
  /** Takes in what is told of a person; makes them a member, or takes that away, when it says so. */
  change(call: ScimCall, person: ScimPerson, told: ToldUser): Promise<ScimPerson>
  /** Takes the membership away, and forgets the person. */
  remove(call: ScimCall, person: ScimPerson): Promise<void>
}

export function createProvisioning({ stores, identity }: ProvisioningOptions): Provisioning {
  const { scim, workspaces } = stores

  async function get({ caller, token }: ScimCall, userId: string): Promise<ScimPerson> {
    const found = await scim.list(caller, token.workspaceId, { userId }, { skip: 0, limit: 1 })
    const [person] = found.people
    if (person === undefined) throw new Problem('member_not_found', `There is no User ${userId} here.`)
    return person
  }

  async function save(
    { caller, token }: ScimCall,
    person: Pick<ScimPerson, 'userId' | 'email'>,
    told: ToldUser,
  ) {
    const { userName, externalId, displayName, givenName, familyName } = told
    const { userId, email } = person
    const attributes = { userName, externalId, displayName, givenName, familyName }
    await scim.save(caller, token.workspaceId, { ...attributes, userId, email }).catch((cause: unknown) => {
      throw cause instanceof Conflict ? taken(userName, cause) : cause
    })
  }

  /** Nobody else may be called so, also of those of whom the provider has said nothing yet. */
  async function mustBeFree({ caller, token }: ScimCall, userName: string, userId: string | undefined) {
    const { people: found } = await scim.list(caller, token.workspaceId, { userName }, { skip: 0, limit: 2 })
    if (found.some((each) => each.userId !== userId)) throw taken(userName)
  }

  /** Of accounts with other addresses a workspace has no say. */
  async function mustBeProved({ token: { workspaceId } }: ScimCall, email: string) {
    const [, domain] = /^[^\s@]+@([^\s@]+)$/.exec(email) ?? []
    if (domain === undefined || !(await identity.sso.hasDomain(workspaceId, domain))) {
      const detail = `${email} is no address of a domain that this workspace has proved.`
      throw new Problem('invalid_input', detail)
    }
  }

  /** The account with that address, which is made when there is none. */
  async function accountOf(call: ScimCall, told: ToldUser) {
    const existing = await identity.findUserByEmail(told.email)
    if (existing === undefined) {
      await mustBeFree(call, told.userName, undefined)
      const named = { email: told.email, name: told.accountName }
      const made = await createVouchedPerson({ identity, now: Date.now }, named)
      if (made === undefined) throw new Problem('conflict', `${told.email} is being taken at this moment.`)
      return made
    }
    const { caller, token } = call
    const found = await scim.list(caller, token.workspaceId, { userId: existing.id }, { skip: 0, limit: 1 })
    const [known] = found.people
    if (known?.isProvisioned === true) throw taken(told.userName)
    // An address that nobody confirmed may have been typed by a stranger, who would come in with it.
    if (known === undefined) mustBeConfirmed(existing.emailVerifiedAt, told.email)
    await mustBeFree(call, told.userName, existing.id)
    return existing
  }

  async function create(call: ScimCall, told: ToldUser): Promise<ScimPerson> {
    const { workspaceId, defaultRole } = call.token
    return recorded(call, 'provision_member', undefined, async () => {
      await mustBeProved(call, told.email)
      const { id: userId, email } = await accountOf(call, told)
      await save(call, { userId, email }, told)
      if (told.isActive !== false) await identity.scim.join(workspaceId, userId, defaultRole)
      return get(call, userId)
    })
  }

  async function activate(call: ScimCall, { userId }: ScimPerson) {
    const account = await identity.findUser(userId)
    if (account === undefined) throw new Problem('member_not_found', `There is no User ${userId} here.`)
    // The address may have changed since, and the domain may be another workspace's.
    await mustBeProved(call, account.email)
    mustBeConfirmed(account.emailVerifiedAt, account.email)
    await identity.scim.join(call.token.workspaceId, userId, call.token.defaultRole)
  }

  async function deactivate({ caller, token }: ScimCall, { userId }: ScimPerson) {
    await keepingAnOwner(() => workspaces.removeMember(caller, token.workspaceId, userId))
  }

  async function change(call: ScimCall, person: ScimPerson, told: ToldUser): Promise<ScimPerson> {
    const { userId } = person
    const isToBeActive = told.isActive ?? person.isActive
    const doesTurn = isToBeActive !== person.isActive
    if (!doesTurn && saysNothingNew(person, told)) return person
    const turn = isToBeActive ? 'provision_member' : 'deprovision_member'
    return recorded(call, doesTurn ? turn : 'change_provisioned_member', userId, async () => {
      // Who keeps their name may be called as somebody who came by another way, and is to be let go all the same.
      if (told.userName !== person.userName) await mustBeFree(call, told.userName, userId)
      // Before the membership goes: who is no member is found by what was said of them.
      await save(call, person, told)
      if (doesTurn) await (isToBeActive ? activate(call, person) : deactivate(call, person))
      return get(call, userId)
    })
  }

  const remove = (call: ScimCall, person: ScimPerson): Promise<void> =>
    recorded(call, 'deprovision_member', person.userId, async () => {
      await deactivate(call, person)
      await scim.forget(call.caller, call.token.workspaceId, person.userId)
    })

  /** Does it, and records how it ended before anybody is told. */
  async function recorded<T extends ScimPerson | void>(
    { token, origin }: ScimCall,
    action: SecurityAction,
    userId: string | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    const record = async (outcome: string, status: number, target: string | undefined) => {
      const client = { id: token.id, name: 'SCIM' }
      const event = {
        ...origin,
        action,
        userId: undefined,
        outcome,
        status,
        target,
        client,
        via: 'scim' as const,
      }
      await identity.securityLog
        .record({ ...event, workspaceId: token.workspaceId })
        .catch((cause: unknown) => {
          if (!(cause instanceof NotRecorded)) throw cause
          throw new Problem('unavailable', 'That could not be recorded yet. Look before you try again.', {
            cause,
          })
        })
    }
    const done = await work().catch(async (error: unknown) => {
      const problem = asProblem(error)
      await record(problem?.code ?? 'internal', problem?.status ?? 500, userId)
      throw error
    })
    await record('ok', 200, userId ?? done?.userId)
    return done
  }

  return { get, create, change, remove }
}

function mustBeConfirmed(emailVerifiedAt: Date | null, email: string): void {
  if (emailVerifiedAt !== null) return
  throw new Problem(
    'conflict',
    `There is an account with ${email} that nobody confirmed. Invite its person to the workspace.`,
  )
}

function taken(userName: string, cause?: unknown): Problem {
  return new Problem('conflict', `There is a User with the userName ${userName} already.`, { cause })
}

function saysNothingNew(person: ScimPerson, told: ToldUser): boolean {
  const names = ['userName', 'externalId', 'displayName', 'givenName', 'familyName'] as const
  return names.every((name) => person[name] === told[name])
}
