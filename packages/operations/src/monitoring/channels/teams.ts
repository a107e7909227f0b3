import { factsMax, shortened, type Rendered } from './notice.ts'

/**
 * An Adaptive Card, as the workflow "Post to a channel when a webhook request is received" takes it.
 * https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook, https://adaptivecards.io/explorer
 */
export const teamsMessage: Rendered = ({ title, words, facts, link }) =>
  JSON.stringify({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', text: plain(title, 300), size: 'Large', weight: 'Bolder', wrap: true },
            ...(words === '' ? [] : [{ type: 'TextBlock', text: plain(words, 1000), wrap: true }]),
            ...(facts.length === 0
              ? []
              : [
                  {
                    type: 'FactSet',
                    facts: facts
                      .slice(0, factsMax)
                      .map(({ label, value }) => ({ title: label, value: plain(value, 1000) })),
                  },
                ]),
          ],
          actions: [{ type: 'Action.OpenUrl', title: link.label, url: link.url }],
        },
      },
    ],
  })

/** Text blocks and facts read some markdown, links among it: names are to stay names. */
function plain(text: string, charactersMax: number): string {
  return shortened(text, charactersMax).replaceAll(/[\\[\]*_`]/g, String.raw`\$&`)
}
