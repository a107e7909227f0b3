import { factsMax, shortened, type Rendered } from './notice.ts'

/** Of the incoming webhook of a space: https://developer.webex.com/messaging/docs/api/guides/webhooks, https://apphub.webex.com/applications/incoming-webhooks-cisco-systems-38054-23307-75252 */
export const webexMessage: Rendered = ({ title, words, facts, link }) =>
  JSON.stringify({
    markdown: [
      `**${plain(title, 300)}**`,
      ...(words === '' ? [] : [plain(words, 1000)]),
      facts
        .slice(0, factsMax)
        .map(({ label, value }) => `- ${plain(label, 100)}: ${plain(value, 400)}`)
        .join('\n'),
      `[${link.label}](${link.url})`,
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  })

/** Names are to stay names: nobody is mentioned (`<@all>`), and nothing is linked. */
function plain(text: string, charactersMax: number): string {
  return shortened(text, charactersMax)
    .replaceAll(/[\\[\]*_`]/g, String.raw`\$&`)
    .replaceAll('<', '&lt;')
}
