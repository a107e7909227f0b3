import { factsMax, fitted, inOneLine, shortened, type Rendered } from './notice.ts'

/**
 * A card for the incoming webhook of a space. A message has 32,000 bytes at most, and its card 100 widgets. Google answers 200 with the
 * message, 400 `INVALID_ARGUMENT`, 403 or 404 when the webhook is gone, and 429 beyond one message a second in a space, which
 * is then to be tried again later, and later still.
 * https://developers.google.com/workspace/chat/quickstart/webhooks, https://developers.google.com/workspace/chat/api/reference/rest/v1/cards,
 * https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/create, https://developers.google.com/workspace/chat/limits
 */
export const googleChatMessage: Rendered = ({ title, words, facts, link }) =>
  JSON.stringify({
    fallbackText: shortened(inOneLine(title), 300),
    cardsV2: [
      {
        cardId: 'flamegate',
        card: {
          header: { title: shortened(inOneLine(title), 300) },
          sections: [
            {
              widgets: [
                ...(words === '' ? [] : [{ textParagraph: { text: fitted(words, 4000, escaped) } }]),
                ...facts.slice(0, factsMax).map(({ label, value }) => ({
                  decoratedText: { topLabel: label, text: fitted(value, 1000, escaped), wrapText: true },
                })),
                { buttonList: { buttons: [{ text: link.label, onClick: { openLink: { url: link.url } } }] } },
              ],
            },
          ],
        },
      },
    ],
  })

/** Text of widgets is read as some HTML: https://developers.google.com/workspace/chat/format-messages#card-formatting */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
