import { newId, operations, Problem, type InputOf } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import {
  SecretLost,
  type Notification,
  type NotificationFilter,
  type NotificationTarget,
} from '../ports/index.ts'
import { getWorkspace } from '../targets.ts'
import { notificationOnWire } from './on-wire.ts'
import { openAddress } from './sealed-address.ts'
import { newWebhookSecret } from './sign-message.ts'
import { requireUsable } from './usable-address.ts'

type Input = InputOf<typeof operations.setNotification>

const notificationsMax = 50

export const setNotification = implement(operations.setNotification)(async (input, context) => {
  const { caller, deps } = context
  const { notifications } = deps.stores
  const workspace = await getWorkspace(context, input.workspace_id)
  await checkFilter(input.filter, workspace.id, context)
  const all = await notifications.list(caller, workspace.id)
  const before = all.find(({ name }) => name === input.name)
  const id = before?.id ?? newId('notification')
  const aim = await aimOf(input, before, workspace.id, context)
  const about = { id, workspaceId: workspace.id }
  const sealed = {
    ...(aim.secret === undefined ? {} : { sealedSecret: await deps.sealing.seal(aim.secret, about) }),
    ...(aim.url === undefined ? {} : { sealedUrl: await deps.sealing.seal(aim.url, about) }),
  }
  const shown = aim.isShown ? (aim.secret ?? null) : null
  context.concerns(workspace.id, id)
  if (before === undefined) {
    if (all.length >= notificationsMax)
      throw new Problem(
        'invalid_input',
        `A workspace has at most ${notificationsMax} notifications. Delete one first.`,
      )
    const created = await notifications.create(caller, {
      id,
      workspaceId: workspace.id,
      name: input.name,
      channel: aim.channel,
      target: aim.target,
      sealedSecret: null,
      sealedUrl: null,
      events: input.events ?? ['test_failed', 'test_error'],
      filter: input.filter ?? everyRun,
      isActive: input.is_active ?? true,
      ...sealed,
    })
    return { notification: notificationOnWire(created), secret: shown }
  }
  const changed = await notifications.update(caller, id, {
    target: aim.target,
    ...sealed,
    ...(input.events === undefined ? {} : { events: input.events }),
    ...(input.filter === undefined ? {} : { filter: input.filter }),
    // Whoever switches it on gives it another chance.
    ...(input.is_active === undefined
      ? {}
      : { isActive: input.is_active, offReason: '', failingSince: null }),
  })
  if (changed === undefined)
    throw new Problem('notification_not_found', 'This notification was deleted just now.')
  return { notification: notificationOnWire(changed), secret: shown }
})

const everyRun: NotificationFilter = {
  scenario_name: null,
  duration_ms_min: null,
  users_min: null,
  project_id: null,
}

/** Where messages are to go. */
interface Aim {
  channel: Notification['channel']
  target: NotificationTarget
  /** Of `http`, beside the secret that signs. */
  url?: string | undefined
  /** Undefined: the one that is stored stays. */
  secret?: string | undefined
  /** Whether whoever asked has to be told the secret. */
  isShown?: boolean
}

async function aimOf(
  input: Input,
  before: Notification | undefined,
  workspaceId: string,
  context: CallContext,
): Promise<Aim> {
  const channel = before?.channel ?? input.channel
  if (channel === undefined) throw wrong('channel', 'A new notification needs a channel.')
  if (input.channel !== undefined && input.channel !== channel)
    throw wrong('channel', `This one is a notification by ${channel}. Give another name for a new one.`)
  mustBelong(input, channel)
  const target = before?.target ?? {}
  switch (channel) {
    case 'email': {
      const addresses = input.addresses ?? target.addresses
      if (addresses === undefined) throw wrong('addresses', 'Say which members get a mail.')
      if (input.addresses !== undefined) await checkMembers(input.addresses, workspaceId, context)
      return { channel, target: { addresses } }
    }
    case 'http': {
      const stored = before && (await storedAddress(before, input, context.deps))
      const url = input.target_url ?? stored
      if (url === undefined) throw wrong('target_url', 'Say where messages are posted.')
      requireUsable(url, 'target_url')
      // Whoever gets messages from now on is not to know what signed those before.
      const isNew = before === undefined || input.new_secret || url !== stored
      const secret = isNew ? newWebhookSecret() : undefined
      return { channel, target: { host: new URL(url).host }, url, secret, isShown: isNew }
    }
    case 'jira':
      return { channel, ...jiraAim(input, target) }
    default: {
      const { target_url: url } = input
      if (url === undefined) {
        if (before === undefined) throw wrong('target_url', 'Give the address of the incoming webhook.')
        return { channel, target }
      }
      requireUsable(url, 'target_url')
      return { channel, target: { host: new URL(url).host }, secret: url }
    }
  }
}

/** Undefined where nobody can open it any more, and another one is given in its place. */
async function storedAddress(
  before: Notification,
  { target_url: given }: Input,
  { sealing }: Pick<CallContext['deps'], 'sealing'>,
): Promise<string | undefined> {
  try {
    return await openAddress({ ...before, plainUrl: before.target.url ?? null }, sealing)
  } catch (error) {
    if (error instanceof SecretLost && given !== undefined) return undefined
    throw error
  }
}

function jiraAim({ jira: given }: Input, { jira: before }: NotificationTarget): Omit<Aim, 'channel'> {
  if (given === undefined) {
    if (before === undefined) throw wrong('jira', 'Say where issues are made.')
    return { target: { jira: before } }
  }
  const { api_token: secret, ...jira } = given
  requireUsable(jira.base_url, 'jira.base_url')
  // A token that is stored goes nowhere else than where it was given for.
  const isSame = before !== undefined && before.base_url === jira.base_url && before.email === jira.email
  if (secret === undefined && !isSame)
    throw wrong('jira.api_token', 'Give the API token that belongs to this site and e-mail address.')
  return { target: { jira }, secret }
}

/** Which field says where messages of a channel go. */
const fieldOf: Readonly<Record<Notification['channel'], 'addresses' | 'target_url' | 'jira'>> = {
  email: 'addresses',
  http: 'target_url',
  slack: 'target_url',
  teams: 'target_url',
  google_chat: 'target_url',
  webex: 'target_url',
  jira: 'jira',
}

/** @throws Problem `invalid_input` for what would be ignored */
function mustBelong(input: Input, channel: Notification['channel']): void {
  for (const field of ['addresses', 'target_url', 'jira'] as const) {
    if (input[field] !== undefined && fieldOf[channel] !== field)
      throw wrong(field, `A notification by ${channel} has none; it has ${fieldOf[channel]}.`)
  }
  if (input.new_secret && channel !== 'http')
    throw wrong('new_secret', 'Only messages by http are signed with a secret of ours.')
}

async function checkMembers(
  addresses: readonly string[],
  workspaceId: string,
  { caller, deps }: CallContext,
): Promise<void> {
  const members = new Set(
    (await deps.stores.workspaces.listMembers(caller, workspaceId)).map(({ email }) => email),
  )
  const strangers = addresses.filter((address) => !members.has(address))
  if (strangers.length > 0)
    throw wrong('addresses', `${strangers.join(', ')}: mails go to members of the workspace only.`)
}

/** @throws Problem when it names a project of another workspace, which would let nothing through */
async function checkFilter(
  filter: NotificationFilter | undefined,
  workspaceId: string,
  context: CallContext,
): Promise<void> {
  if (filter === undefined || filter.project_id === null) return
  const project = await context.deps.stores.projects.find(context.caller, filter.project_id)
  if (project?.workspaceId !== workspaceId)
    throw wrong('filter.project_id', 'There is no such project in this workspace.')
}

function wrong(field: string, message: string): Problem {
  return new Problem('invalid_input', message, { errors: [{ field, message }] })
}
