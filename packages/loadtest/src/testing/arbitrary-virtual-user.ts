import * as fc from 'fast-check'
import { virtualUser, type VirtualUser } from '../model/virtual-user.ts'

/** Ids in the order in which they are asked for, so that none comes twice. */
function numberIds(value: unknown, next: { number: number }): unknown {
  if (Array.isArray(value)) return value.map((part) => numberIds(part, next))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, part]) => [name, numberIds(part, next)])
  return 'id' in value
    ? { ...Object.fromEntries(fields), id: `act_${next.number++}` }
    : Object.fromEntries(fields)
}

const word = fc.stringMatching(/^[a-z]{1,6}$/)
const text = fc.string({ maxLength: 12 })
const field = fc.record({ name: word, value: text })
const common = { id: fc.constant(''), name: text, enabled: fc.boolean() }

const extractor = fc.oneof(
  fc.record({
    id: fc.constant(''),
    type: fc.constant('json_path'),
    variable: word,
    path: fc.constant('$.id'),
  }),
  fc.record({
    id: fc.constant(''),
    type: fc.constant('boundaries'),
    variable: word,
    left: text,
    right: text,
    match: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom('random', 'all')),
  }),
)
const assertion = fc.oneof(
  fc.record({ id: fc.constant(''), type: fc.constant('status'), allowed: fc.constant(['2xx']) }),
  fc.record({ id: fc.constant(''), type: fc.constant('body_contains'), text, negate: fc.boolean() }),
)
const body = fc.oneof(
  fc.constant(null),
  fc.record({ type: fc.constant('json'), text }),
  fc.record({ type: fc.constant('form'), fields: fc.array(field, { maxLength: 3 }) }),
)

const leaf = fc.oneof(
  fc.record({
    type: fc.constant('http_request'),
    ...common,
    method: fc.constantFrom('GET', 'POST'),
    server_id: fc.constantFrom('srv_1', 'srv_2'),
    path: text,
    query: fc.array(field, { maxLength: 3 }),
    headers: fc.array(field, { maxLength: 3 }),
    body,
    extractors: fc.array(extractor, { maxLength: 2 }),
    assertions: fc.array(assertion, { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant('delay'),
    ...common,
    duration: fc.record({ distribution: fc.constant('constant'), ms: fc.integer({ min: 0, max: 5000 }) }),
  }),
  fc.record({ type: fc.constant('set_variable'), ...common, variable: word, value: text }),
  fc.record({ type: fc.constant('script'), ...common, source: text }),
)

const { action } = fc.letrec((tie) => {
  const actions = fc.array(tie('action'), { maxLength: 4 })
  return {
    action: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.record({ type: fc.constant('container'), ...common, actions }),
      fc.record({ type: fc.constant('loop'), ...common, count: fc.constant('3'), actions }),
      fc.record({
        type: fc.constant('if'),
        ...common,
        condition: fc.constant({ comparisons: [{ left: '${a}', operator: 'equals', right: '1' }] }),
        actions,
        else_actions: actions,
      }),
      fc.record({
        type: fc.constant('random'),
        ...common,
        choices: fc.array(fc.record({ weight: fc.integer({ min: 0, max: 9 }), name: text, actions }), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
    ),
  }
})

/** Virtual users of all kinds of actions, with all defaults filled in. */
export const arbitraryVirtualUser: fc.Arbitrary<VirtualUser> = fc
  .record({
    name: word,
    description: text,
    tags: fc.array(word, { maxLength: 3 }),
    think_time_factor: fc.integer({ min: 0, max: 5 }),
    actions: fc.array(action, { maxLength: 5 }),
  })
  .map((drawn) => virtualUser.parse(numberIds(drawn, { number: 0 })))
