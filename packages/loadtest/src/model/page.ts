import { z } from 'zod'
import { filePath, partId, serverId, template } from './template.ts'

/**
 * How an element of a page is found, as Playwright's locators find it (https://playwright.dev/docs/locators). `within` is the
 * element to look inside of; `nth` counts from 0, -1 is the last.
 */
export interface Locator {
  by: 'role' | 'label' | 'text' | 'placeholder' | 'test_id' | 'title' | 'alt_text' | 'css' | 'xpath'
  value: string
  /** Of a role: its accessible name. */
  name: string | null
  exact: boolean
  has_text: string | null
  nth: number | null
  /** Selectors, as Playwright writes them, of the frames to enter: from `within` inwards, or from the page. */
  frames: string[]
  within: Locator | null
}

export const locator: z.ZodType<Locator> = z
  .strictObject({
    by: z.enum(['role', 'label', 'text', 'placeholder', 'test_id', 'title', 'alt_text', 'css', 'xpath']),
    value: template,
    name: template.nullable().default(null),
    exact: z.boolean().default(false),
    has_text: template.nullable().default(null),
    nth: z.int().nullable().default(null),
    frames: z.array(z.string().min(1).max(1000)).max(10).default([]),
    get within(): z.ZodDefault<z.ZodNullable<z.ZodType<Locator>>> {
      return locator.nullable().default(null)
    },
  })
  .meta({ id: 'locator' })

const common = {
  id: partId,
  enabled: z.boolean().default(true),
  timeout_ms: z
    .int()
    .min(1)
    .max(600_000)
    .nullable()
    .default(null)
    .meta({ id: 'step_timeout_ms', description: 'null: that of the action.' }),
}

/** One thing that a person does with a page, or waits for. None of them runs code in it. */
export const pageStep = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('goto'),
      ...common,
      server_id: serverId,
      path: template.describe('With its query.'),
    }),
    z.strictObject({
      type: z.literal('click'),
      ...common,
      locator,
      button: z.enum(['left', 'middle', 'right']).default('left'),
      count: z.int().min(1).max(3).default(1),
    }),
    z.strictObject({ type: z.literal('fill'), ...common, locator, value: template }),
    z
      .strictObject({
        type: z.literal('type_text'),
        ...common,
        locator: locator.nullable().default(null).describe('null: what has the focus.'),
        value: template,
      })
      .describe('Key by key, behind what is there; fill replaces it.'),
    z.strictObject({ type: z.literal('select'), ...common, locator, values: z.array(template).max(100) }),
    z.strictObject({ type: z.literal('check'), ...common, locator, checked: z.boolean().default(true) }),
    z.strictObject({ type: z.literal('hover'), ...common, locator }),
    z.strictObject({
      type: z.literal('press'),
      ...common,
      locator: locator.nullable().default(null).describe('null: what has the focus.'),
      key: z.string().min(1).max(100).describe('Enter, Control+A, …'),
    }),
    z.strictObject({ type: z.literal('set_files'), ...common, locator, paths: z.array(filePath).max(20) }),
    z.strictObject({ type: z.literal('go'), ...common, to: z.enum(['back', 'forward', 'reload']) }),
    z
      .strictObject({
        type: z.literal('use_page'),
        ...common,
        page: z.int().min(0).max(99).describe('In the order in which they opened; the first is 0.'),
      })
      .describe(
        'Later steps mean this page, once it is open: a popup, or the first again. An iteration begins with 0.',
      ),
    z.strictObject({
      type: z.literal('wait_for'),
      ...common,
      locator: locator.nullable().default(null),
      state: z.enum(['visible', 'hidden', 'attached', 'detached']).default('visible'),
      url: template.nullable().default(null).describe('Glob of the address to wait for.'),
      load_state: z.enum(['load', 'domcontentloaded', 'networkidle']).nullable().default(null),
    }),
    z.strictObject({
      type: z.literal('expect'),
      ...common,
      locator: locator.nullable().default(null).describe('null: of the page.'),
      what: z.enum([
        'visible',
        'hidden',
        'text',
        'value',
        'checked',
        'enabled',
        'disabled',
        'count',
        'attribute',
        'title',
        'url',
      ]),
      attribute: z.string().max(200).nullable().default(null),
      comparison: z.enum(['equals', 'contains', 'matches']).default('equals'),
      expected: template.default(''),
      negate: z.boolean().default(false),
    }),
    z.strictObject({
      type: z.literal('extract'),
      ...common,
      locator: locator.nullable().default(null).describe('null: the address of the page.'),
      attribute: z.string().max(200).nullable().default(null).describe('null: the text.'),
      variable: z.string().min(1).max(80),
    }),
  ])
  .meta({ id: 'page_step' })
export type PageStep = z.infer<typeof pageStep>
