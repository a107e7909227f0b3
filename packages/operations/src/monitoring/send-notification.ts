import type { Caller } from '@flamegate/contract'
import type { Deps } from '../implement.ts'
import type { AttemptOutcome, Notification } from '../ports/index.ts'
import type { Letter } from './channels/email.ts'
import { jiraHeaders, jiraIssueUrl } from './channels/jira.ts'
import { openAddress } from './sealed-address.ts'
import { signedHeaders } from './sign-message.ts'

type Sending = Pick<Deps, 'postMessage' | 'sendMail' | 'sealing' | 'stores'>

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'Flamegate-Webhooks/1',
}

/** Sends a message by the channel of a notification. */
export async function sendNotification(
  notification: Notification,
  message: { id: string; body: string },
  caller: Caller,
  deps: Sending,
): Promise<AttemptOutcome> {
  const { channel, target, sealedSecret, id } = notification
  const { body } = message
  if (channel === 'email') return sendLetter(notification, body, caller, deps)
  if (sealedSecret === null) throw new TypeError('All channels but e-mail have a secret')
  const secret = await deps.sealing.open(sealedSecret, id)
  if (channel === 'http') {
    const signed = signedHeaders({ ...message, sentAt: new Date() }, [secret])
    const url = await openAddress({ ...notification, plainUrl: target.url ?? null }, deps.sealing)
    return deps.postMessage(url, { headers: { ...headers, ...signed }, body })
  }
  if (channel === 'jira') {
    if (target.jira === undefined) throw new TypeError('A notification of Jira says where issues are made')
    const login = jiraHeaders(target.jira, secret)
    return deps.postMessage(jiraIssueUrl(target.jira), { headers: { ...headers, ...login }, body })
  }
  return deps.postMessage(secret, { headers, body })
}

/** To those of the addresses that are members still: nobody writes to strangers in our name. */
async function sendLetter(
  { workspaceId, target: { addresses = [] } }: Notification,
  body: string,
  caller: Caller,
  { sendMail, stores }: Sending,
): Promise<AttemptOutcome> {
  const members = new Set(
    (await stores.workspaces.listMembers(caller, workspaceId)).map(({ email }) => email),
  )
  const to = addresses.filter((address) => members.has(address))
  if (to.length === 0)
    return {
      wasDelivered: false,
      responseStatus: null,
      responseExcerpt: 'None of the addresses is that of a member of the workspace.',
      durationMs: 0,
    }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `letterOf` made
  const { subject, text } = JSON.parse(body) as Letter
  return sendMail({ to, subject, text })
}
