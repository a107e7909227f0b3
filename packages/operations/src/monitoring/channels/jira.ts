import type { NotificationTarget } from '../../ports/index.ts'
import { shortened, type Notice } from './notice.ts'

type Jira = NonNullable<NotificationTarget['jira']>

/**
 * A new issue of Jira Cloud, its description in the Atlassian Document Format.
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-post,
 * https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/
 */
export function jiraIssue(
  { title, words, facts, link }: Notice,
  { project_key: key, issue_type: type }: Jira,
): string {
  return JSON.stringify({
    fields: {
      project: { key },
      issuetype: { name: type },
      // One line of 255 characters at most.
      summary: shortened(title.replaceAll(/\s+/g, ' '), 255),
      labels: ['flamegate'],
      description: {
        type: 'doc',
        version: 1,
        content: [
          ...(words === '' ? [] : [paragraph(words)]),
          ...(facts.length === 0
            ? []
            : [
                {
                  type: 'bulletList',
                  content: facts.map(({ label, value }) => ({
                    type: 'listItem',
                    content: [paragraph(`${label}: ${shortened(value, 1000)}`)],
                  })),
                },
              ]),
          {
            type: 'paragraph',
            content: [
              { type: 'text', text: link.label, marks: [{ type: 'link', attrs: { href: link.url } }] },
            ],
          },
        ],
      },
    },
  })
}

/** Where issues of a site are made. */
export function jiraIssueUrl({ base_url: baseUrl }: Jira): string {
  return `${baseUrl.replace(/\/+$/, '')}/rest/api/3/issue`
}

/** As a script logs in: https://developer.atlassian.com/cloud/jira/platform/basic-auth-for-rest-apis/ */
export function jiraHeaders({ email }: Jira, apiToken: string): Record<string, string> {
  return {
    accept: 'application/json',
    authorization: `Basic ${Buffer.from(`${email}:${apiToken}`).toString('base64')}`,
  }
}

function paragraph(text: string) {
  return { type: 'paragraph', content: [{ type: 'text', text }] }
}
