import { factsMax, fitted, type Rendered } from './notice.ts'

/**
 * An Adaptive Card, as the workflow "Send webhook alerts to a channel" takes it, whose trigger is "When a Teams webhook request is
 * received". It has some 28 KB at most. The trigger answers 202 and posts the card afterwards, so that a card that Teams refuses is
 * seen in the history of the workflow only; 429 comes with Retry-After.
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using,
 * https://learn.microsoft.com/connectors/teams/#known-issues-and-limitations-with-actions, https://adaptivecards.io/explorer
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
            {
              type: 'TextBlock',
              text: fitted(title, 1000, plain),
              size: 'Large',
              weight: 'Bolder',
              wrap: true,
            },
            ...(words === ''
              ? []
              : [{ type: 'TextBlock', text: fitted(words, 4000, inParagraphs), wrap: true }]),
            ...(facts.length === 0
              ? []
              : [
                  {
                    type: 'FactSet',
                    facts: facts
                      .slice(0, factsMax)
                      .map(({ label, value }) => ({ title: label, value: fitted(value, 500, plain) })),
                  },
                ]),
          ],
          actions: [{ type: 'Action.OpenUrl', title: link.label, url: link.url }],
        },
      },
    ],
  })

/** Text blocks and facts read some markdown, links among it: names are to stay names. */
function plain(text: string): string {
  return text.replaceAll(/[\\[\]*_`]/g, String.raw`\$&`)
}

/** Of one line end alone nothing is seen: https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format */
function inParagraphs(text: string): string {
  return plain(text).replaceAll(/\n+/g, '\n\n')
}
