import { z } from 'zod'
import { partId, template, variableName } from './template.ts'

const pattern = z.string().min(1).max(4000)

/** A part of a response that is a text. */
const part = z.enum(['body', 'headers', 'url', 'status_line']).default('body').meta({
  id: 'response_part',
  description: 'Where to look; url is the one that answered, after redirects.',
})

const common = {
  id: partId,
  variable: variableName.meta({ id: 'extracted_variable', description: 'Gets what was found.' }),
  match: z
    .union([z.int().min(1), z.enum(['random', 'all'])])
    .default(1)
    .meta({ id: 'match', description: 'Which of several: the first is 1.' }),
  default: template.nullable().default(null).meta({
    id: 'default_value',
    description: 'Value when nothing is found; null: the request fails then.',
  }),
  enabled: z.boolean().default(true),
}

/** Takes a value out of a response and gives it to a variable. */
export const extractor = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('regex'),
      ...common,
      pattern,
      flags: z
        .string()
        .regex(/^[imsu]*$/, 'Flags are i, m, s and u.')
        .default(''),
      group: z.int().min(0).max(99).default(1).describe('0 is all that matched.'),
      part,
    }),
    z.strictObject({
      type: z.literal('json_path'),
      ...common,
      path: pattern.describe('RFC 9535: $.items[0].id'),
    }),
    z.strictObject({
      type: z.literal('css'),
      ...common,
      selector: pattern,
      attribute: z
        .string()
        .min(1)
        .max(200)
        .nullable()
        .default(null)
        .describe('null: the text of the element.'),
    }),
    z.strictObject({ type: z.literal('xpath'), ...common, expression: pattern.describe('XPath 1.0') }),
    z.strictObject({
      type: z.literal('boundaries'),
      ...common,
      left: z.string().max(4000),
      right: z.string().max(4000),
      part,
    }),
    z.strictObject({ type: z.literal('header'), ...common, name: z.string().min(1).max(200) }),
    z.strictObject({ type: z.literal('cookie'), ...common, name: z.string().min(1).max(200) }),
  ])
  .meta({ id: 'extractor' })
export type Extractor = z.infer<typeof extractor>
