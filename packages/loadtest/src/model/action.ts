import { z } from 'zod'
import { assertion } from './assertion.ts'
import { extractor } from './extractor.ts'
import { pageStep } from './page.ts'
import { httpRequestFields } from './request.ts'
import { field, serverId, template, textCharactersMax, variableName } from './template.ts'

/** Actions inside one another, at most. */
export const depthMax = 50

/** Levels of JSON in a document, at most: an action in another one takes four, and a request has some of its own. */
export const documentLevelsMax = depthMax * 4 + 20

const common = {
  id: z.string().min(1).max(64).meta({
    id: 'action_id',
    description: 'Unique in the virtual user; patches, results and links name it.',
  }),
  name: z.string().max(200).default('').meta({ id: 'action_name' }),
  comment: z.string().max(2000).default('').meta({ id: 'comment' }),
  enabled: z.boolean().default(true),
}

const milliseconds = z.number().min(0).max(86_400_000)

/** How long to wait, in milliseconds. What a gaussian gives below 0 is 0. */
export const duration = z
  .discriminatedUnion('distribution', [
    z.strictObject({ distribution: z.literal('constant'), ms: milliseconds }),
    z.strictObject({ distribution: z.literal('uniform'), min_ms: milliseconds, max_ms: milliseconds }),
    z.strictObject({
      distribution: z.literal('gaussian'),
      mean_ms: milliseconds,
      deviation_ms: milliseconds,
    }),
  ])
  .meta({ id: 'duration' })
export type Duration = z.infer<typeof duration>

export const operators = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'matches',
  'less',
  'less_or_equal',
  'greater',
  'greater_or_equal',
  'empty',
  'not_empty',
] as const

/** Compared as numbers where both sides are numbers, as texts otherwise; `all` of the comparisons must hold, or `any`. */
export const condition = z
  .strictObject({
    combine: z.enum(['all', 'any']).default('all'),
    comparisons: z
      .array(z.strictObject({ left: template, operator: z.enum(operators), right: template.default('') }))
      .min(1)
      .max(20),
  })
  .meta({ id: 'condition' })
export type Condition = z.infer<typeof condition>

const httpRequest = z
  .strictObject({ type: z.literal('http_request'), ...common, ...httpRequestFields })
  .meta({ id: 'http_request' })
export type HttpRequest = z.infer<typeof httpRequest>

const websocket = z
  .discriminatedUnion('operation', [
    z.strictObject({
      type: z.literal('websocket'),
      operation: z.literal('connect'),
      ...common,
      connection: z
        .string()
        .min(1)
        .max(80)
        .default('default')
        .describe('Name by which later actions mean it.'),
      server_id: serverId,
      path: template.describe('With its query.'),
      headers: z.array(field).max(100).default([]),
      subprotocols: z.array(z.string().min(1).max(100)).max(20).default([]),
      timeout_ms: z.int().min(1).max(600_000).default(30_000),
      recorded: z.int().min(0).nullable().default(null),
    }),
    z.strictObject({
      type: z.literal('websocket'),
      operation: z.literal('send'),
      ...common,
      connection: z.string().min(1).max(80).default('default'),
      format: z.enum(['text', 'base64']).default('text'),
      message: template,
    }),
    z.strictObject({
      type: z.literal('websocket'),
      operation: z.literal('expect'),
      ...common,
      connection: z.string().min(1).max(80).default('default'),
      contains: template.nullable().default(null),
      pattern: z
        .string()
        .min(1)
        .max(4000)
        .nullable()
        .default(null)
        .describe('Messages that do not fit are passed over.'),
      timeout_ms: z.int().min(1).max(600_000).default(30_000),
      extractors: z.array(extractor).max(50).default([]).describe('Of the message, as if it were a body.'),
      assertions: z.array(assertion).max(50).default([]),
    }),
    z.strictObject({
      type: z.literal('websocket'),
      operation: z.literal('close'),
      ...common,
      connection: z.string().min(1).max(80).default('default'),
      code: z.int().min(1000).max(4999).default(1000),
    }),
  ])
  .meta({ id: 'websocket' })

const leaves = [
  httpRequest,
  websocket,
  z
    .strictObject({
      type: z.literal('delay'),
      ...common,
      duration,
      is_scaled: z.boolean().default(true).describe("Whether the virtual user's think time factor applies."),
    })
    .meta({ id: 'delay' }),
  z
    .strictObject({
      type: z.literal('pacing'),
      ...common,
      interval: duration.describe('From one start of the iteration to the next, at least.'),
    })
    .meta({ id: 'pacing' }),
  z
    .strictObject({ type: z.literal('set_variable'), ...common, variable: variableName, value: template })
    .meta({ id: 'set_variable' }),
  z
    .strictObject({
      type: z.literal('script'),
      ...common,
      source: z
        .string()
        .max(textCharactersMax)
        .describe('JavaScript; runs in a sandbox without a network or files.'),
      timeout_ms: z.int().min(1).max(10_000).default(1000).describe('Of processor time.'),
    })
    .meta({ id: 'script' }),
  z
    .strictObject({
      type: z.literal('page'),
      ...common,
      steps: z.array(pageStep).max(1000),
      timeout_ms: z.int().min(1).max(600_000).default(30_000).describe('For each step.'),
    })
    .meta({ id: 'page' }),
] as const

type Leaf = z.infer<(typeof leaves)[number]>
interface Common {
  id: string
  name: string
  comment: string
  enabled: boolean
}

/** An action with others inside it. */
export type Container = Common & { actions: Action[] } & (
    | { type: 'container' }
    | { type: 'if'; condition: Condition; else_actions: Action[] }
    | { type: 'while'; condition: Condition; iterations_max: number }
    | { type: 'loop'; count: string }
    | { type: 'for_each'; list: string; variable: string }
    | { type: 'once' }
  )

/** One of its choices is made each time. */
export interface RandomChoice extends Common {
  type: 'random'
  choices: { weight: number; name: string; actions: Action[] }[]
}

export type Action = Leaf | Container | RandomChoice
export type ActionType = Action['type']
export type ActionOf<Type extends ActionType> = Extract<Action, { type: Type }>

const actions = z.lazy(() => z.array(action).max(20_000)).meta({ id: 'actions' })

/** One thing that a virtual user does; the kinds with `actions` hold others. */
export const action: z.ZodType<Action> = z
  .discriminatedUnion('type', [
    ...leaves,
    z
      .strictObject({
        type: z.literal('container'),
        ...common,
        actions: actions.describe('Timed as a whole.'),
      })
      .meta({ id: 'container' }),
    z
      .strictObject({
        type: z.literal('if'),
        ...common,
        condition,
        actions,
        else_actions: actions.default([]),
      })
      .meta({ id: 'if' }),
    z
      .strictObject({
        type: z.literal('while'),
        ...common,
        condition,
        iterations_max: z
          .int()
          .min(1)
          .max(1_000_000)
          .default(1000)
          .describe('It ends there, and that is a failure.'),
        actions,
      })
      .meta({ id: 'while' }),
    z
      .strictObject({
        type: z.literal('loop'),
        ...common,
        count: template.describe('A number, or a variable that holds one.'),
        actions,
      })
      .meta({ id: 'loop' }),
    z
      .strictObject({
        type: z.literal('for_each'),
        ...common,
        list: variableName.describe('Variable with several values.'),
        variable: variableName.describe('Gets one after the other.'),
        actions,
      })
      .meta({ id: 'for_each' }),
    z
      .strictObject({
        type: z.literal('once'),
        ...common,
        actions: actions.describe('In the first iteration only.'),
      })
      .meta({ id: 'once' }),
    z
      .strictObject({
        type: z.literal('random'),
        ...common,
        choices: z
          .array(
            z.strictObject({
              weight: z.number().min(0).max(1e6).default(1),
              name: z.string().max(200).default(''),
              actions,
            }),
          )
          .min(1)
          .max(100),
      })
      .meta({ id: 'random' }),
  ])
  .meta({ id: 'action' })
