import { type Expression, parse } from '@babel/parser'
import { textCharactersMax } from '../../../model/template.ts'
import { clip, type ExtractorDraft } from '../../import-draft.ts'
import { textOf } from './check.ts'
import type { Effect, ReadStatement } from './effect.ts'
import { argumentValue, checksOf, dotted, evaluate, type Names, staticKey } from './evaluate.ts'
import { expectation } from './expectation.ts'
import type { Call, ExpressionOf, Statement, StatementOf } from './syntax.ts'
import { memberPath, type Value } from './value.ts'

/** More are no test of one request; they are told of as one. */
const statementsMax = 2000
const textShownMax = 200
const isCode = 'It is code, which is not run: add an extractor, an assertion or a script action that does it.'

export interface ScriptContext extends Names {
  /** Our name of the Postman variable that a script sets. */
  nameToSet: (name: string) => string
  phase: 'before' | 'after'
}

/**
 * What a script of Postman does, statement by statement. It is parsed and never run: a statement that says one thing that we
 * can say, too, becomes that, and all others are told of with their text and line. What stands in `pm.test`, `try` and blocks
 * counts for itself.
 */
export function readScript(source: string, context: ScriptContext): ReadStatement[] {
  const whole = (note: string, line = 1): ReadStatement[] => [
    { line, text: clip(source, textShownMax), isTaken: false, notes: [note], effects: [] },
  ]
  if (source.length > textCharactersMax) return whole('The script is too long to be read.')
  try {
    const { program } = parse(source, {
      sourceType: 'script',
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
      allowNewTargetOutsideFunction: true,
      attachComment: false,
    })
    const reader = new StatementReader(source, context)
    reader.readAll(program.body, { name: null, condition: null })
    return reader.read.length > statementsMax
      ? whole(
          `The script has more than ${statementsMax} statements, which is more than a test of a request has.`,
        )
      : reader.read
  } catch (error) {
    if (error instanceof SyntaxError) return whole('It is no JavaScript that can be parsed.', lineOf(error))
    if (error instanceof RangeError) return whole('It is nested too deeply to be read.')
    throw error
  }
}

function lineOf(error: SyntaxError): number {
  const { loc } = error as SyntaxError & { loc?: { line?: number } }
  return loc?.line ?? 1
}

/** Around a statement: the test that it belongs to, and what it depends on. */
interface Around {
  name: string | null
  condition: string | null
}

class StatementReader {
  readonly read: ReadStatement[] = []
  readonly #source: string
  readonly #context: ScriptContext

  constructor(source: string, context: ScriptContext) {
    this.#source = source
    this.#context = context
  }

  readAll(statements: readonly Statement[], around: Around): void {
    for (const statement of statements) {
      if (this.read.length > statementsMax) return
      this.#readOne(statement, around)
    }
  }

  #readOne(statement: Statement, around: Around): void {
    switch (statement.type) {
      case 'EmptyStatement':
        return
      case 'BlockStatement':
        return this.readAll(statement.body, around)
      case 'TryStatement':
        this.readAll(statement.block.body, around)
        for (const each of statement.handler?.body.body ?? [])
          this.#dropped(each, 'It runs only when something before it fails.')
        return this.readAll(statement.finalizer?.body ?? [], around)
      case 'IfStatement':
        return this.#readIf(statement, around)
      case 'VariableDeclaration':
        return this.#readDeclaration(statement, around)
      case 'ExpressionStatement':
        return this.#readExpression(statement, statement.expression, around)
      default:
        return this.#dropped(statement, isCode)
    }
  }

  /** `if (pm.response.code === 200) { … }`: what is inside is done always, which is told. */
  #readIf(statement: StatementOf<'IfStatement'>, around: Around): void {
    const condition = evaluate(statement.test, this.#context)
    const isFollowed = condition !== undefined && checksOf(condition) !== undefined
    if (!isFollowed || statement.alternate) return this.#dropped(statement, isCode)
    this.#readOne(statement.consequent, { ...around, condition: this.#textOf(statement.test) })
  }

  #readDeclaration(statement: StatementOf<'VariableDeclaration'>, around: Around): void {
    let isFollowed = true
    for (const { id, init } of statement.declarations) {
      const value = init ? evaluate(init, this.#context) : undefined
      if (init && value === undefined) isFollowed = false
      if (id.type === 'Identifier') this.#context.bindings.set(id.name, value)
      else if (id.type !== 'ObjectPattern' || !this.#bindMembers(id, value)) isFollowed = false
    }
    if (isFollowed) this.#taken(statement, [], around)
    else this.#dropped(statement, isCode)
  }

  /** `const { token } = pm.response.json()` */
  #bindMembers(
    {
      properties,
    }: Extract<StatementOf<'VariableDeclaration'>['declarations'][number]['id'], { type: 'ObjectPattern' }>,
    value: Value | undefined,
  ): boolean {
    for (const property of properties) {
      if (property.type !== 'ObjectProperty' || property.computed || value?.kind !== 'json') return false
      if (property.key.type !== 'Identifier' || property.value.type !== 'Identifier') return false
      this.#context.bindings.set(property.value.name, {
        kind: 'json',
        path: memberPath(value.path, property.key.name),
      })
    }
    return true
  }

  #readExpression(statement: Statement, whole: Expression, around: Around): void {
    const expression = whole.type === 'AwaitExpression' ? whole.argument : whole
    if (expression.type === 'AssignmentExpression') return this.#readAssignment(statement, expression, around)
    if (expression.type === 'CallExpression') {
      const path = dotted(expression.callee)
      if (path === 'pm.test' || path === 'test') return this.#readTest(statement, expression, around)
      if (path !== undefined && (setter.test(path) || unsetter.test(path)))
        return this.#readSet(statement, expression, unsetter.test(path), around)
      if (path?.startsWith('console.')) return this.#dropped(statement, 'It only writes to the console.')
      if (path === 'postman.setNextRequest' || path === 'pm.execution.setNextRequest')
        return this.#dropped(
          statement,
          'Requests run in their order: put them into if or loop actions instead.',
        )
      if (path === 'pm.sendRequest')
        return this.#dropped(
          statement,
          'A script sends no requests here: add a request action before this one.',
        )
      if (path === 'pm.request.headers.add' || path === 'pm.request.headers.upsert')
        return this.#readHeader(statement, expression, around)
    }
    const made = this.#context.phase === 'after' ? expectation(expression, this.#context) : undefined
    if (made?.kind === 'condition') return this.#checked(statement, made, around)
    this.#dropped(statement, isCode)
  }

  /** `pm.test('it works', () => { … })`; each statement in it for itself. */
  #readTest(statement: Statement, test: Call, around: Around): void {
    const [, body] = test.arguments
    const name = argumentValue(test, 0, this.#context)
    const inner = { ...around, name: name?.kind === 'literal' ? String(name.value) : around.name }
    if (body?.type !== 'FunctionExpression' && body?.type !== 'ArrowFunctionExpression')
      return this.#dropped(statement, isCode)
    if (body.body.type !== 'BlockStatement') return this.#readExpression(statement, body.body, inner)
    if (body.body.body.length === 0) return this.#dropped(statement, 'It tests nothing.')
    this.readAll(body.body.body, inner)
  }

  /** `tests['it works'] = …`, the way of older versions, or another value for a name. */
  #readAssignment(
    statement: Statement,
    { operator, left, right }: ExpressionOf<'AssignmentExpression'>,
    around: Around,
  ): void {
    if (operator !== '=') return this.#dropped(statement, isCode)
    const value = evaluate(right, this.#context)
    if (left.type === 'Identifier') {
      this.#context.bindings.set(left.name, value)
      return value === undefined ? this.#dropped(statement, isCode) : this.#taken(statement, [], around)
    }
    if (left.type === 'MemberExpression' && dotted(left.object) === 'tests' && value !== undefined)
      return this.#checked(statement, value, {
        ...around,
        name: String(staticKey(left) ?? around.name ?? ''),
      })
    this.#dropped(statement, isCode)
  }

  #readSet(statement: Statement, call: Call, isUnset: boolean, around: Around): void {
    const name = argumentValue(call, 0, this.#context)
    if (name?.kind !== 'literal' || typeof name.value !== 'string') return this.#dropped(statement, isCode)
    const value: Value | undefined = isUnset
      ? { kind: 'literal', value: '' }
      : argumentValue(call, 1, this.#context)
    if (value === undefined) return this.#dropped(statement, isCode)
    const text = textOf(value)
    const variable = this.#context.nameToSet(name.value)
    if (text !== undefined) return this.#taken(statement, [{ kind: 'set', variable, value: text }], around)
    const extractor = this.#context.phase === 'after' ? extractorOf(value, variable) : undefined
    if (extractor === undefined) return this.#dropped(statement, isCode)
    this.#taken(statement, [{ kind: 'extract', extractor }], around)
  }

  /** `pm.request.headers.add({ key: 'X-Id', value: '1' })` */
  #readHeader(statement: Statement, call: Call, around: Around): void {
    const [argument] = call.arguments
    const texts = new Map<string, string | undefined>()
    for (const property of argument?.type === 'ObjectExpression' ? argument.properties : []) {
      if (property.type !== 'ObjectProperty') continue
      const key = property.key.type === 'StringLiteral' ? property.key.value : undefined
      const value = evaluate(property.value, this.#context)
      texts.set(key ?? (property.key.type === 'Identifier' ? property.key.name : ''), value && textOf(value))
    }
    const [name, value] = [texts.get('key'), texts.get('value')]
    if (this.#context.phase !== 'before' || name === undefined || value === undefined)
      return this.#dropped(statement, isCode)
    this.#taken(statement, [{ kind: 'header', header: { name, value } }], around)
  }

  #checked(statement: Statement, condition: Value, around: Around): void {
    const checks = this.#context.phase === 'after' ? checksOf(condition) : undefined
    if (checks === undefined) return this.#dropped(statement, isCode)
    const message = around.name === null || around.name === '' ? null : clip(around.name, 500)
    this.#taken(
      statement,
      checks.map((assertion) => ({ kind: 'check', assertion: { ...assertion, message } })),
      around,
      condition.kind === 'condition' ? condition.note : undefined,
    )
  }

  #taken(statement: Statement, effects: Effect[], { condition }: Around, note?: string): void {
    const notes = [
      ...(condition === null || effects.length === 0
        ? []
        : [`It is done always, and not only if ${clip(condition, 100)}.`]),
      ...(note === undefined ? [] : [note]),
    ]
    this.read.push({ ...this.#told(statement), notes, isTaken: true, effects })
  }

  #dropped(statement: Statement, note: string): void {
    this.read.push({ ...this.#told(statement), notes: [note], isTaken: false, effects: [] })
  }

  #told(statement: Statement): { line: number; text: string } {
    return { line: statement.loc?.start.line ?? 1, text: this.#textOf(statement) }
  }

  #textOf({ start, end }: { start?: number | null; end?: number | null }): string {
    const text = this.#source.slice(start ?? 0, Math.min(end ?? 0, (start ?? 0) + 4 * textShownMax))
    return clip(text.replaceAll(/\s+/g, ' '), textShownMax)
  }
}

const setter =
  /^(?:pm\.(?:variables|environment|collectionVariables|globals)\.set|postman\.set(?:Environment|Global)Variable)$/
const unsetter =
  /^(?:pm\.(?:variables|environment|collectionVariables|globals)\.unset|postman\.clear(?:Environment|Global)Variable)$/

/** Takes a value out of the response. */
function extractorOf(value: Value, variable: string): ExtractorDraft | undefined {
  switch (value.kind) {
    case 'json':
      return { type: 'json_path', variable, path: value.path }
    case 'header':
      return { type: 'header', variable, name: value.name }
    case 'cookie':
      return { type: 'cookie', variable, name: value.name }
    case 'body':
      return { type: 'regex', variable, pattern: '^.*$', flags: 's', group: 0 }
    case 'status':
      return { type: 'regex', variable, pattern: '\\b[1-5]\\d\\d\\b', group: 0, part: 'status_line' }
    case 'group':
      return { type: 'regex', variable, pattern: value.source, flags: value.flags, group: value.group }
    default:
      return undefined
  }
}
