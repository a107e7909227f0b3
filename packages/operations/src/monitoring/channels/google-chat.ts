import { factsMax, shortened, type Rendered } from './notice.ts'

/**
 * A card for the incoming webhook of a space.
 * https://developers.google.com/workspace/chat/quickstart/webhooks, https://developers.google.com/workspace/chat/api/reference/rest/v1/cards
 */
export const googleChatMessage: Rendered = ({ title, words, facts, link }) =>
  JSON.stringify({
    fallbackText: shortened(title, 300),
    cardsV2: [
      {
        cardId: 'flamegate',
        card: {
          header: { title: shortened(title, 300) },
          sections: [
            {
              widgets: [
                ...(words === '' ? [] : [{ textParagraph: { text: escaped(shortened(words, 1000)) } }]),
                ...facts.slice(0, factsMax).map(({ label, value }) => ({
                  decoratedText: { topLabel: label, text: escaped(shortened(value, 1000)), wrapText: true },
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
