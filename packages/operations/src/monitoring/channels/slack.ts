import { factsMax, shortened, type Rendered } from './notice.ts'

/**
 * A message of an incoming webhook, in blocks; `text` is what a notification shows.
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks, https://docs.slack.dev/reference/block-kit/blocks
 */
export const slackMessage: Rendered = ({ title, words, facts, link }) =>
  JSON.stringify({
    text: escaped(shortened(title, 300)),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: shortened(title, 150) } },
      ...(words === '' ? [] : [section(escaped(shortened(words, 1000)))]),
      ...(facts.length === 0
        ? []
        : [
            {
              type: 'section',
              fields: facts.slice(0, factsMax).map(({ label, value }) => ({
                type: 'mrkdwn',
                text: `*${escaped(label)}*\n${escaped(shortened(value, 1000))}`,
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
