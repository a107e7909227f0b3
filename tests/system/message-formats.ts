import { z } from 'zod'

/**
 * What each channel takes, by what its vendor says of it, so that a server of ours can refuse what theirs would. The parts that
 * we do not use are left out: what we send beyond these is refused, too. Sources are in the modules that make the messages, in
 * packages/operations/src/monitoring/channels.
 */

/** Most bytes of a body: of all of a message, as it is sent. */
const ofBytes = <T extends z.ZodType>(format: T, most: number) =>
  format.refine((message) => Buffer.byteLength(JSON.stringify(message)) <= most, `over ${most} bytes`)

const slackText = (length: number) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(length) })

/** https://docs.slack.dev/reference/block-kit/blocks */
const slack = z.strictObject({
  text: z.string().min(1).max(4000),
  blocks: z
    .array(
      z.union([
        z.strictObject({
          type: z.literal('header'),
          text: z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(150) }),
        }),
        z.strictObject({ type: z.literal('section'), text: slackText(3000) }),
        z.strictObject({ type: z.literal('section'), fields: z.array(slackText(2000)).min(1).max(10) }),
      ]),
    )
    .min(1)
    .max(50),
})

/** https://adaptivecards.io/explorer, in the envelope of an incoming webhook. Some were refused with less than the 28 KB that are told. */
const teamsCard = z.strictObject({
  type: z.literal('message'),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: z.null(),
      content: z.strictObject({
        $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
        type: z.literal('AdaptiveCard'),
        version: z.enum(['1.0', '1.1', '1.2', '1.3', '1.4', '1.5']),
        body: z
          .array(
            z.discriminatedUnion('type', [
              z.strictObject({
                type: z.literal('TextBlock'),
                text: z.string().min(1),
                size: z.enum(['Small', 'Default', 'Medium', 'Large', 'ExtraLarge']).optional(),
                weight: z.enum(['Lighter', 'Default', 'Bolder']).optional(),
                wrap: z.boolean().optional(),
              }),
              z.strictObject({
                type: z.literal('FactSet'),
                facts: z.array(z.strictObject({ title: z.string(), value: z.string() })).min(1),
              }),
            ]),
          )
          .min(1),
        actions: z.array(
          z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string(), url: z.url() }),
        ),
      }),
    }),
  ]),
})

const teams = ofBytes(teamsCard, 21_000)

/** https://developers.google.com/workspace/chat/api/reference/rest/v1/cards */
const googleCard = z.strictObject({
  fallbackText: z.string().optional(),
  cardsV2: z.tuple([
    z.strictObject({
      cardId: z.string().max(64),
      card: z.strictObject({
        header: z.strictObject({ title: z.string().min(1) }),
        sections: z
          .array(
            z.strictObject({
              widgets: z
                .array(
                  z.union([
                    z.strictObject({ textParagraph: z.strictObject({ text: z.string().min(1) }) }),
                    z.strictObject({
                      decoratedText: z.strictObject({
                        topLabel: z.string(),
                        text: z.string().min(1),
                        wrapText: z.boolean(),
                      }),
                    }),
                    z.strictObject({
                      buttonList: z.strictObject({
                        buttons: z
                          .array(
                            z.strictObject({
                              text: z.string().min(1),
                              onClick: z.strictObject({ openLink: z.strictObject({ url: z.url() }) }),
                            }),
                          )
                          .min(1),
                      }),
                    }),
                  ]),
                )
                .min(1)
                .max(100),
            }),
          )
          .min(1),
      }),
    }),
  ]),
})

const googleChat = ofBytes(googleCard, 32_000)

/** https://developer.webex.com/messaging/docs/api/v1/messages/create-a-message: 7439 bytes at most. */
const webex = z.strictObject({
  markdown: z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= 7439, 'over 7439 bytes'),
})

const adfText = z.strictObject({
  type: z.literal('text'),
  text: z.string().min(1),
  marks: z
    .array(z.strictObject({ type: z.literal('link'), attrs: z.strictObject({ href: z.url() }) }))
    .optional(),
})
const adfParagraph = z.strictObject({ type: z.literal('paragraph'), content: z.array(adfText) })
/** https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/ */
const adfDocument = z.strictObject({
  type: z.literal('doc'),
  version: z.literal(1),
  content: z
    .array(
      z.discriminatedUnion('type', [
        adfParagraph,
        z.strictObject({
          type: z.literal('bulletList'),
          content: z
            .array(z.strictObject({ type: z.literal('listItem'), content: z.array(adfParagraph).min(1) }))
            .min(1),
        }),
      ]),
    )
    .min(1),
})
const jira = z.strictObject({
  fields: z.strictObject({
    project: z.strictObject({ key: z.string() }),
    issuetype: z.strictObject({ name: z.string() }),
    summary: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[^\n\r]*$/),
    labels: z.array(z.string().regex(/^\S+$/)),
    description: ofBytes(adfDocument, 32_767),
  }),
})

export const messageFormats = { slack, teams, google_chat: googleChat, webex, jira }
