import { expect, test } from 'vitest'
import { googleChatMessage } from '../../packages/operations/src/monitoring/channels/google-chat.ts'
import { jiraIssue } from '../../packages/operations/src/monitoring/channels/jira.ts'
import type { Notice } from '../../packages/operations/src/monitoring/channels/notice.ts'
import { slackMessage } from '../../packages/operations/src/monitoring/channels/slack.ts'
import { teamsMessage } from '../../packages/operations/src/monitoring/channels/teams.ts'
import { webexMessage } from '../../packages/operations/src/monitoring/channels/webex.ts'
import { messageFormats } from '../system/message-formats.ts'

const link = {
  url: 'https://flamegate.example/projects/prj_01jd0000000000000000000000/bench-results/bnr_01jd0000000000000000000000',
  label: 'Open the run',
}
const jira = {
  base_url: 'https://acme.atlassian.net',
  email: 'a@example.com',
  project_key: 'PERF',
  issue_type: 'Bug',
}

/** Much more than any channel takes, of a character that some of them escape, or that is many bytes. */
const notices: Readonly<Record<string, Notice>> = {
  short: { title: 'Test passed: x', words: '', facts: [], link },
  ...Object.fromEntries(
    ['x', '&', '<', '[', '"', '\n', 'é', '日', '🛒'].map((character) => {
      const text = (length: number) => `a${character.repeat(length)}`
      const facts = Array.from({ length: 30 }, () => ({ label: 'Label', value: text(5000) }))
      return [JSON.stringify(character), { title: text(5000), words: text(50_000), facts, link }]
    }),
  ),
}

const channels: readonly (readonly [keyof typeof messageFormats, (notice: Notice) => string])[] = [
  ['slack', slackMessage],
  ['teams', teamsMessage],
  ['google_chat', googleChatMessage],
  ['webex', webexMessage],
  ['jira', (notice) => jiraIssue(notice, jira)],
]

test.each(channels)(
  '%s takes every message, however long, and whatever its names are made of',
  (channel, message) => {
    const faults = Object.entries(notices).flatMap(([what, notice]) => {
      const text = message(notice)
      const { error } = messageFormats[channel].safeParse(JSON.parse(text))
      // Half of a character is none, and no JSON that all of them read.
      return error !== undefined || /\\ud[89a-f]/.test(text) ? [[what, error?.issues]] : []
    })
    expect(faults).toEqual([])
  },
)
