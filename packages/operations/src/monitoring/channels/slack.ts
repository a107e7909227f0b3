import { factsMax, fitted, inOneLine, shortened, type Rendered } from './notice.ts'

/**
 * A message of an incoming webhook, in blocks; `text` is what a notification shows. A header has 150 characters at most, a section
 * 3000, and each of ten fields 2000; escaped ones count. Slack answers 200 `ok`, or with the reason as text: 400 `invalid_payload` or
 * `invalid_blocks`, 403 `action_prohibited`, 404 `channel_not_found` or `no_service`, 410 `channel_is_archived`, and 429 with
 * Retry-After beyond one message a second.
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks, https://docs.slack.dev/reference/block-kit/blocks,
 * https://docs.slack.dev/changelog/2016-05-17-changes-to-errors-for-incoming-webhooks, https://docs.slack.dev/apis/web-api/rate-limits
 */
export const slackMessage: Rendered = ({ title, words, facts, link }) =>
  JSON.stringify({
    text: fitted(title, 3000, escaped),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: shortened(inOneLine(title), 150) } },
      ...(words === '' ? [] : [section(fitted(words, 3000, escaped))]),
      ...(facts.length === 0
        ? []
        : [
            {
              type: 'section',
              fields: facts.slice(0, factsMax).map(({ label, value }) => ({
                type: 'mrkdwn',
                text: `*${escaped(label)}*\n${fitted(value, 1500, escaped)}`,
              })),
            },
          ]),
      section(`<${link.url}|${escaped(link.label)}>`),
    ],
  })

function section(text: string) {
  return { type: 'section', text: { type: 'mrkdwn', text } }
}

/** These three would be markup, `<!channel>` among it: https://docs.slack.dev/messaging/formatting-message-text */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
