import type { NotificationTarget } from '../../ports/index.ts'
import { factsMax, inOneLine, shortened, type Notice } from './notice.ts'

type Jira = NonNullable<NotificationTarget['jira']>

/**
 * A new issue of Jira Cloud, its description in the Atlassian Document Format, which has 32,767 characters at most. Jira answers 201, or
 * 400 with what is wrong by field, as a type of issue that the project does not have, or a field that is not on its screen for new issues;
 * 401 for a wrong token, and 429 with Retry-After.
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-post,
 * https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/,
 * https://developer.atlassian.com/cloud/jira/platform/rate-limiting/
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
      summary: shortened(inOneLine(title), 255),
      labels: ['flamegate'],
      description: {
        type: 'doc',
        version: 1,
        content: [
          // A line end is none in a text of this format.
          ...linesOf(shortened(words, 5000)).map((line) => paragraph(line)),
          ...(facts.length === 0
            ? []
            : [
                {
                  type: 'bulletList',
                  content: facts.slice(0, factsMax).map(({ label, value }) => ({
                    type: 'listItem',
                    content: [paragraph(`${label}: ${shortened(value, 500)}`)],
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

/**
 * Where issues of a site are made. Tokens with scopes are taken at `https://api.atlassian.com/ex/jira/<cloud id>` only, others at the
 * site: https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/
 */
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

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

function paragraph(text: string) {
  return { type: 'paragraph', content: [{ type: 'text', text }] }
}
