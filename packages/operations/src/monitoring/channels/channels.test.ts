import { describe, expect, test } from 'vitest'
import { letterOf } from './email.ts'
import { googleChatMessage } from './google-chat.ts'
import { jiraHeaders, jiraIssue, jiraIssueUrl } from './jira.ts'
import type { Notice } from './notice.ts'
import { slackMessage } from './slack.ts'
import { teamsMessage } from './teams.ts'
import { webexMessage } from './webex.ts'

const notice: Notice = {
  title: 'Test failed: <!channel> *sale*\nBcc: eve@example.com',
  words: 'SLA: 1 critical of 1.',
  facts: [{ label: 'Project', value: '[shop](https://evil.example) <@all>' }],
  link: { url: 'https://flamegate.example/projects/prj_1/bench-results/bnr_1', label: 'Open the run' },
}
const jira = {
  base_url: 'https://acme.atlassian.net/',
  email: 'ada@example.com',
  project_key: 'PERF',
  issue_type: 'Bug',
}

describe('names stay names', () => {
  test('in Slack, which would mention everybody', () => {
    const { text, blocks } = JSON.parse(slackMessage(notice))
    expect(text).toContain('&lt;!channel&gt;')
    // In plain text nothing is markup; of the rest, the one link is ours.
    const marked = JSON.stringify(blocks.slice(1))
    expect(marked.match(/<[^>]*>/g)).toEqual([`<${notice.link.url}|Open the run>`])
  })

  test('in Teams and Webex, which would make them links', () => {
    const card = JSON.parse(teamsMessage(notice)).attachments[0].content
    expect(card.body[0].text).toContain(String.raw`\*sale\*`)
    expect(card.body[2].facts[0].value).toContain(String.raw`\[shop\](https://evil.example)`)
    const { markdown } = JSON.parse(webexMessage(notice))
    expect(markdown).toContain(String.raw`\[shop\]`)
    expect(markdown).not.toContain('<@all>')
  })

  test('in Google Chat, which would read HTML', () => {
    const [card] = JSON.parse(googleChatMessage(notice)).cardsV2
    expect(card.card.sections[0].widgets[1].decoratedText.text).toContain('&lt;@all&gt;')
  })

  test('in the subject of a mail and the summary of an issue, which have one line', () => {
    expect(letterOf(notice).subject).toBe('Test failed: <!channel> *sale* Bcc: eve@example.com')
    expect(JSON.parse(jiraIssue(notice, jira)).fields.summary).not.toContain('\n')
  })
})

test('what is too long for a channel is cut', () => {
  const long: Notice = {
    ...notice,
    title: 'x'.repeat(5000),
    words: 'y'.repeat(50_000),
    facts: Array.from({ length: 30 }, () => ({ label: 'Label', value: 'z'.repeat(5000) })),
  }
  const slack = JSON.parse(slackMessage(long))
  expect(slack.blocks[0].text.text).toHaveLength(150)
  expect(slack.blocks[2].fields).toHaveLength(10)
  expect(JSON.parse(webexMessage(long)).markdown.length).toBeLessThan(7439)
  expect(JSON.parse(jiraIssue(long, jira)).fields.summary).toHaveLength(255)
})

test('an issue is made where the site has its interface, as whoever the token belongs to', () => {
  expect(jiraIssueUrl(jira)).toBe('https://acme.atlassian.net/rest/api/3/issue')
  expect(jiraHeaders(jira, 'token')['authorization']).toBe(`Basic ${btoa('ada@example.com:token')}`)
})

test('where there is nothing to say, nothing empty is sent', () => {
  const short: Notice = { ...notice, words: '', facts: [] }
  for (const message of [
    slackMessage(short),
    teamsMessage(short),
    googleChatMessage(short),
    webexMessage(short),
  ]) {
    expect(message).not.toContain('""')
    expect(message).not.toContain('[]')
  }
  expect(jiraIssue(short, jira)).not.toContain('""')
})
