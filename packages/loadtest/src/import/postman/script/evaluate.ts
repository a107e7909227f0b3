import type { VariableDrafts } from '../../variable-drafts.ts'
import { check, existenceCheck, negated, type Relation, textOf } from './check.ts'
import type { Call, Member, Node } from './syntax.ts'
import { followedCharactersMax, memberPath, type Value } from './value.ts'

/** What the names in a script mean. */
export interface Names {
  /** `const body = pm.response.json()`; undefined for one that cannot be followed. */
  readonly bindings: Map<string, Value | undefined>
  /** `{{name}}` and `$name` of Postman as a text of ours. */
  template: (text: string) => string
  /** `${name}` for a variable of Postman. */
  reference: (name: string) => string
  drafts: VariableDrafts
}

/** What an expression stands for; undefined where that cannot be said without running it. */
export function evaluate(node: Node, names: Names): Value | undefined {
  const value = evaluateUnbounded(node, names)
  const text = value?.kind === 'template' ? value.text : value?.kind === 'json' ? value.path : ''
  return text.length > followedCharactersMax ? undefined : value
}

function evaluateUnbounded(node: Node, names: Names): Value | undefined {
  switch (node.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return { kind: 'literal', value: node.value }
    case 'NullLiteral':
      return { kind: 'literal', value: null }
    case 'RegExpLiteral':
      // g tells how often, y where; neither changes what is found first.
      return {
        kind: 'pattern',
        source: node.pattern,
        flags: node.flags.replaceAll(/[^imsu]/g, ''),
      }
    case 'ArrayExpression':
      return listOf(node.elements, names)
    case 'TemplateLiteral': {
      let text = ''
      for (const [index, quasi] of node.quasis.entries()) {
        text += textOf({ kind: 'literal', value: quasi.value.cooked ?? '' })
        const inner = node.expressions[index]
        if (inner === undefined) continue
        const part = evaluate(inner, names)
        const written = part && textOf(part)
        if (written === undefined) return undefined
        text += written
      }
      return { kind: 'template', text }
    }
    case 'ParenthesizedExpression':
    case 'AwaitExpression': {
      const inner = node.type === 'AwaitExpression' ? node.argument : node.expression
      return evaluate(inner, names)
    }
    case 'Identifier':
      if (names.bindings.has(node.name)) return names.bindings.get(node.name)
      return globals.get(node.name)
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return member(node, names)
    case 'CallExpression':
    case 'OptionalCallExpression':
      return call(node, names)
    case 'UnaryExpression': {
      const operand = evaluate(node.argument, names)
      if (operand === undefined) return undefined
      if (node.operator === '!') return negatedCondition(operand)
      if (node.operator === '+') return operand
      return node.operator === '-' && operand.kind === 'literal' && typeof operand.value === 'number'
        ? { kind: 'literal', value: -operand.value }
        : undefined
    }
    case 'BinaryExpression':
      return binary(node.operator, node.left, node.right, names)
    case 'LogicalExpression': {
      const left = evaluate(node.left, names)
      const right = evaluate(node.right, names)
      if (node.operator !== '&&' || left === undefined || right === undefined) return undefined
      const checks = [left, right].flatMap((each) => checksOf(each) ?? [])
      return checksOf(left) === undefined || checksOf(right) === undefined || checks.length > 50
        ? undefined
        : { kind: 'condition', checks, isNegated: false }
    }
    default:
      return undefined
  }
}

/** What must hold for a value to be true. */
export function checksOf(value: Value) {
  if (value.kind === 'condition') {
    if (!value.isNegated) return value.checks
    const [only, ...others] = value.checks
    return only === undefined || others.length > 0 ? undefined : [negated(only)]
  }
  const exists = existenceCheck(value)
  return exists === undefined ? undefined : [exists]
}

/** Nothing that is known has more. */
const partsMax = 6

/** `pm.response.json` of the member expressions that say it; undefined where something else is in between. */
export function dotted(node: Node): string | undefined {
  const parts: string[] = []
  let at = node
  while (at.type === 'MemberExpression' || at.type === 'OptionalMemberExpression') {
    const key = staticKey(at)
    if (typeof key !== 'string' || parts.length === partsMax) return undefined
    parts.unshift(key)
    at = at.object
  }
  return at.type === 'Identifier' ? [at.name, ...parts].join('.') : undefined
}

/** Name or number of a member that is written out: `a.b`, `a['b']`, `a[0]`. */
export function staticKey(node: Node): string | number | undefined {
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return undefined
  const { computed, property } = node
  if (!computed) return property.type === 'Identifier' ? property.name : undefined
  return property.type === 'StringLiteral' || property.type === 'NumericLiteral' ? property.value : undefined
}

export function argumentValue(node: Call, index: number, names: Names): Value | undefined {
  const argument = node.arguments[index]
  return argument === undefined ? undefined : evaluate(argument, names)
}

const globals: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['responseBody', { kind: 'body' }],
  ['responseTime', { kind: 'duration' }],
])

const members: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['pm.response.code', { kind: 'status' }],
  ['responseCode.code', { kind: 'status' }],
  ['pm.response.responseTime', { kind: 'duration' }],
  ['pm.response.responseSize', { kind: 'size' }],
])

function member(node: Member, names: Names): Value | undefined {
  const path = dotted(node)
  const known = path === undefined ? undefined : members.get(path)
  if (known !== undefined) return known
  const key = staticKey(node)
  if (key === undefined) return undefined
  const owner = dotted(node.object)
  if (owner === 'responseHeaders' && typeof key === 'string') return { kind: 'header', name: key }
  const object = evaluate(node.object, names)
  if (object === undefined) return undefined
  if (object.kind === 'json')
    return key === 'length'
      ? { kind: 'length', path: object.path }
      : { kind: 'json', path: memberPath(object.path, key) }
  if (object.kind === 'match' && typeof key === 'number')
    return { kind: 'group', source: object.source, flags: object.flags, group: key }
  // An old way to ask for a cookie.
  return object.kind === 'cookie' && key === 'value' ? object : undefined
}

const variableGetter =
  /^(?:pm\.(?:variables|environment|collectionVariables|globals|iterationData)\.get|postman\.get(?:Environment|Global)Variable)$/

function call(node: Call, names: Names): Value | undefined {
  const path = dotted(node.callee)
  const first = argumentValue(node, 0, names)
  const name = first?.kind === 'literal' && typeof first.value === 'string' ? first.value : undefined
  if (path !== undefined && variableGetter.test(path))
    return name === undefined ? undefined : { kind: 'template', text: names.reference(name) }
  switch (path) {
    case 'pm.response.json':
      return { kind: 'json', path: '$' }
    case 'pm.response.text':
      return { kind: 'body' }
    case 'JSON.parse':
      return first?.kind === 'body' ? { kind: 'json', path: '$' } : undefined
    case 'pm.response.headers.get':
    case 'postman.getResponseHeader':
      return name === undefined ? undefined : { kind: 'header', name }
    case 'pm.response.headers.has':
      return name === undefined
        ? undefined
        : { kind: 'condition', checks: [{ type: 'header', name, comparison: 'exists' }], isNegated: false }
    case 'pm.cookies.get':
    case 'postman.getResponseCookie':
      return name === undefined ? undefined : { kind: 'cookie', name }
    case 'pm.variables.replaceIn':
      return name === undefined ? undefined : { kind: 'template', text: names.template(name) }
    case 'String':
    case 'Number':
    case 'parseInt':
    case 'parseFloat':
      // Templates are texts, and a number in a text is written alike.
      return first
    case 'Date.now':
      return ownVariable(names, 'current_time', { type: 'date_time', format: 'unix_ms', renewed: 'each_use' })
    case '_.random': {
      const second = argumentValue(node, 1, names)
      return first?.kind === 'literal' &&
        typeof first.value === 'number' &&
        second?.kind === 'literal' &&
        typeof second.value === 'number'
        ? ownVariable(names, 'random_number', {
            type: 'random_number',
            min: first.value,
            max: second.value,
            renewed: 'each_use',
          })
        : undefined
    }
    default:
      return method(node, first, names)
  }
}

/** `body.includes(…)` and what else is asked of a value that can be followed. */
function method(node: Call, first: Value | undefined, names: Names): Value | undefined {
  const callee = node.callee
  if (callee.type !== 'MemberExpression' && callee.type !== 'OptionalMemberExpression') return undefined
  const key = staticKey(callee)
  if (key === 'toISOString' && isNewDate(callee.object))
    return ownVariable(names, 'current_time', { type: 'date_time', format: 'iso', renewed: 'each_use' })
  if (key === 'getTime' && isNewDate(callee.object))
    return ownVariable(names, 'current_time', { type: 'date_time', format: 'unix_ms', renewed: 'each_use' })
  const object = evaluate(callee.object, names)
  if (object === undefined) return undefined
  switch (key) {
    case 'toString':
    case 'trim':
      return object
    case 'has':
    case 'includes': {
      if (first === undefined) return undefined
      // A list that is written out and holds what was answered: [200, 201].includes(pm.response.code).
      const made = object.kind === 'list' ? check(first, 'one_of', object) : check(object, 'contains', first)
      return made === undefined ? undefined : { kind: 'condition', checks: [made], isNegated: false }
    }
    case 'match':
      return object.kind === 'body' && first?.kind === 'pattern'
        ? { kind: 'match', source: first.source, flags: first.flags }
        : undefined
    case 'exec':
      return object.kind === 'pattern' && first?.kind === 'body'
        ? { kind: 'match', source: object.source, flags: object.flags }
        : undefined
    case 'test': {
      if (object.kind !== 'pattern' || first === undefined) return undefined
      const made = check(first, 'matches', object)
      return made === undefined ? undefined : { kind: 'condition', checks: [made], isNegated: false }
    }
    default:
      return undefined
  }
}

const relations: ReadonlyMap<string, Relation> = new Map([
  ['==', 'equals'],
  ['===', 'equals'],
  ['!=', 'equals'],
  ['!==', 'equals'],
  ['<', 'less'],
  ['<=', 'at_most'],
  ['>', 'more'],
  ['>=', 'at_least'],
])

function binary(operator: string, leftNode: Node, rightNode: Node, names: Names): Value | undefined {
  const left = evaluate(leftNode, names)
  const right = evaluate(rightNode, names)
  if (left === undefined || right === undefined) return undefined
  if (operator === '+') {
    if (left.kind === 'literal' && right.kind === 'literal')
      if (typeof left.value === 'number' && typeof right.value === 'number')
        return { kind: 'literal', value: left.value + right.value }
    const [start, end] = [textOf(left), textOf(right)]
    return start === undefined || end === undefined ? undefined : { kind: 'template', text: start + end }
  }
  // 'name' in body.cookies
  if (operator === 'in')
    return left.kind === 'literal' && typeof left.value === 'string' && right.kind === 'json'
      ? {
          kind: 'condition',
          checks: [{ type: 'json_path', path: memberPath(right.path, left.value) }],
          isNegated: false,
        }
      : undefined
  const relation = relations.get(operator)
  if (relation === undefined) return undefined
  const made = check(left, relation, right)
  return made === undefined
    ? undefined
    : { kind: 'condition', checks: [made], isNegated: operator.startsWith('!') }
}

function negatedCondition(operand: Value): Value | undefined {
  const checks = checksOf(operand)
  return checks === undefined || checks.length !== 1
    ? undefined
    : { kind: 'condition', checks: checks.map(negated), isNegated: false }
}

function listOf(elements: readonly (Node | null)[], names: Names): Value | undefined {
  const values: (string | number | boolean | null)[] = []
  for (const element of elements) {
    const value = element === null ? undefined : evaluate(element, names)
    if (value?.kind !== 'literal') return undefined
    values.push(value.value)
  }
  return { kind: 'list', values }
}

function isNewDate(node: Node): boolean {
  return (
    node.type === 'NewExpression' &&
    node.arguments.length === 0 &&
    node.callee.type === 'Identifier' &&
    node.callee.name === 'Date'
  )
}

function ownVariable(
  names: Names,
  wanted: string,
  document:
    | { type: 'date_time'; format: string; renewed: 'each_use' }
    | { type: 'random_number'; min: number; max: number; renewed: 'each_use' },
): Value | undefined {
  const name = names.drafts.reserve(wanted)
  return names.drafts.add({ ...document, name }) ? { kind: 'template', text: `\${${name}}` } : undefined
}
