import { factsMax, fitted, inOneLine, type Rendered } from './notice.ts'

/**
 * Of the incoming webhook of a space, which answers 204. A message has 7439 bytes at most; 404 says that the webhook is gone,
 * and 429 comes with Retry-After.
 * https://apphub.webex.com/applications/incoming-webhooks-cisco-systems-38054-23307-75252,
 * https://developer.webex.com/messaging/docs/api/v1/messages/create-a-message, https://developer.webex.com/docs/basics
 */
export const webexMessage: Rendered = ({ title, words, facts, link }) =>
  JSON.stringify({
    markdown: [
      `**${fitted(inOneLine(title), 600, plain)}**`,
      ...(words === '' ? [] : [fitted(words, 2000, inLines)]),
      facts
        .slice(0, factsMax)
        .map(({ label, value }) => `- ${fitted(label, 100, plain)}: ${fitted(inOneLine(value), 250, plain)}`)
        .join('\n'),
      `[${link.label}](${link.url})`,
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  })

/** Names are to stay names: nobody is mentioned (`<@all>`), and nothing is linked. */
function plain(text: string): string {
  return text.replaceAll(/[\\[\]*_`]/g, String.raw`\$&`).replaceAll('<', '&lt;')
}

/** Of a line end alone markdown makes a space. */
function inLines(text: string): string {
  return plain(text).replaceAll('\n', '  \n')
}
