import type { Notification } from '../ports/index.ts'
import { letterOf } from './channels/email.ts'
import { googleChatMessage } from './channels/google-chat.ts'
import { jiraIssue } from './channels/jira.ts'
import { slackMessage } from './channels/slack.ts'
import { teamsMessage } from './channels/teams.ts'
import { webexMessage } from './channels/webex.ts'
import { bodyOf } from './message-body.ts'
import type { Told } from './run-notice.ts'

/** What is told, as the channel of a notification takes it: the same for all attempts. */
export function messageOfChannel(
  { channel, target }: Pick<Notification, 'channel' | 'target'>,
  { notice, type, at, data }: Told,
): string {
  switch (channel) {
    case 'email':
      return JSON.stringify(letterOf(notice))
    case 'http':
      return bodyOf(type, at, data)
    case 'slack':
      return slackMessage(notice)
    case 'teams':
      return teamsMessage(notice)
    case 'google_chat':
      return googleChatMessage(notice)
    case 'webex':
      return webexMessage(notice)
    default:
      if (target.jira === undefined) throw new TypeError('A notification of Jira says where issues are made')
      return jiraIssue(notice, target.jira)
  }
}
