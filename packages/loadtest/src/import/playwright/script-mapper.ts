import type { FoundUser } from '../browser/finish-import.ts'
import { Telling, type Told, toldOf, Unmapped } from '../browser/telling.ts'
import { UserDraft } from '../browser/user-draft.ts'
import { type ImportContext, type ImportOptions, SourceError } from '../importer.ts'
import type { BrowserCalls, Stage } from './browser-calls.ts'
import type { Environment } from './environment.ts'
import { type Callable, type FoundTest, groupsOf, newGroup, type TestGroup, titleOf } from './found-tests.ts'
import { giveFixtures, importedValue, knownFunction, wellKnown } from './known-names.ts'
import { reasonFor } from './reasons.ts'
import type { Expression, FunctionParts, Pattern, Script, Statement } from './syntax.ts'
import {
  Arguments,
  asText,
  joinTexts,
  listOf,
  nothing,
  plainText,
  recordOf,
  Scope,
  type Text,
  unknownValue,
  type Value,
} from './values.ts'

/** Most statements that are followed, those of functions as often as they are called. */
const statementsMax = 50_000
/** Functions that call each other, at most. */
const callDepthMax = 30

interface MappedScript {
  users: FoundUser[]
  told: ReadonlyMap<Statement, Told>
}

/**
 * Follows a script from statement to statement, without running it: values are followed as far as they are written down, and what
 * is done to a page becomes steps. Each statement is told of once, also where it is followed more often.
 */
export class ScriptMapper {
  readonly #calls: (stage: Stage) => BrowserCalls
  readonly #environment: Environment
  readonly #options: ImportOptions
  readonly #context: ImportContext
  readonly #isPython: boolean
  readonly #told = new Map<Statement, Told>()
  readonly #tests: FoundTest[] = []
  readonly #root = newGroup('', null)
  #group: TestGroup = this.#root
  #stage: Stage
  #browser: BrowserCalls
  #statement: Statement | null = null
  /** Functions that something calls. */
  readonly #called = new Set<FunctionParts>()
  readonly #declared = new Set<Statement>()
  #followed = 0
  #callDepth = 0

  constructor(
    calls: (stage: Stage) => BrowserCalls,
    environment: Environment,
    isPython: boolean,
    options: ImportOptions,
    context: ImportContext,
  ) {
    this.#calls = calls
    this.#environment = environment
    this.#isPython = isPython
    this.#options = options
    this.#context = context
    this.#stage = this.#newStage('Script')
    this.#browser = calls(this.#stage)
  }

  /** Follows a whole script: what it does by itself is one virtual user, each of its tests another. */
  map({ body, all }: Script): MappedScript {
    const scope = new Scope(null)
    const { draft } = this.#stage
    this.#body(body, scope)
    const users: FoundUser[] =
      draft.actions.length === 0 ? [] : [{ name: 'Playwright script', actions: draft.actions }]
    for (const test of this.#tests) users.push(this.#play(test))
    for (const statement of all)
      if (statement.kind === 'function' && this.#isUnused(statement)) this.#told.delete(statement)
    return { users, told: this.#told }
  }

  #isUnused(statement: Extract<Statement, { kind: 'function' }>): boolean {
    return this.#declared.has(statement) && !this.#called.has(statement.function)
  }

  #newStage(name: string): Stage {
    const draft = new UserDraft(name, this.#options, this.#context)
    return { draft, telling: new Telling(), line: 1, popups: 0, hasPage: false }
  }

  /** Follows a test, with what is done before and after it. */
  #play(test: FoundTest): FoundUser {
    const name = titleOf(test)
    this.#stage = { ...this.#newStage(test.title), hasPage: true }
    this.#browser = this.#calls(this.#stage)
    const groups = groupsOf(test.group)
    for (const hook of groups.flatMap(({ before }) => before)) this.#playOne(hook)
    this.#playOne(test)
    for (const hook of groups.toReversed().flatMap(({ after }) => after)) this.#playOne(hook)
    const { actions } = this.#stage.draft
    const told = this.#told.get(test.statement)
    if (told !== undefined) this.#told.set(test.statement, withAction(told, actions[0]?.id ?? null))
    return { name, actions }
  }

  #playOne(callable: Callable): void {
    this.#inline(callable, [], true)
  }

  /** Follows the statements of a function; gives what it returns. */
  #inline(callable: Callable, values: readonly Value[], isTest = false): Value {
    const { scope } = callable
    const { parameters, body, result } = callable.function
    if (++this.#callDepth > callDepthMax) {
      this.#callDepth--
      throw new Unmapped(`Functions call each other more than ${callDepthMax} times.`)
    }
    this.#called.add(callable.function)
    const inner = new Scope(scope)
    for (const [index, pattern] of parameters.entries()) {
      if (isTest) giveFixtures(pattern, inner)
      else this.#bind(pattern, values[index] ?? nothing, inner, true)
    }
    try {
      return result === null ? this.#body(body, inner) : this.#evaluate(result, inner)
    } finally {
      this.#callDepth--
    }
  }

  /** Follows statements up to the first that returns; gives what it returns. */
  #body(statements: readonly Statement[], scope: Scope): Value {
    for (const statement of statements) {
      let returned: Value | undefined
      this.#tell(statement, () => {
        returned = this.#follow(statement, scope)
      })
      if (returned !== undefined) return returned
    }
    return nothing
  }

  #tell(statement: Statement, follow: () => void): void {
    if (++this.#followed > statementsMax)
      throw new SourceError(`It comes to more than ${statementsMax} statements.`, `line ${statement.line}`)
    const stage = this.#stage
    const around = { telling: stage.telling, line: stage.line, statement: this.#statement }
    const told = toldOf((telling) => {
      stage.telling = telling
      stage.line = statement.line
      this.#statement = statement
      follow()
    })
    stage.telling = around.telling
    stage.line = around.line
    this.#statement = around.statement
    stage.telling.actionId ??= told.actionId
    if (!this.#told.has(statement)) this.#told.set(statement, told)
  }

  /** Gives what a statement returns; undefined where it does not return. */
  #follow(statement: Statement, scope: Scope): Value | undefined {
    switch (statement.kind) {
      case 'expression':
        this.#followExpression(statement.expression, scope)
        return undefined
      case 'binding':
        for (const { pattern, value } of statement.bindings)
          this.#followBinding(pattern, value, scope, statement.isNew)
        return undefined
      case 'import':
        for (const { imported, local } of statement.names) scope.declare(local, importedValue(imported))
        return undefined
      case 'function':
        this.#followDefinition(statement, scope)
        return undefined
      case 'class':
        this.#followClass(statement, scope)
        return undefined
      case 'with':
        return this.#followWith(statement, scope)
      case 'block':
        return this.#body(statement.body, new Scope(scope))
      case 'return':
        return statement.value === null ? nothing : this.#evaluate(statement.value, scope)
      case 'other':
        throw new Unmapped(`Only what is always done can be imported; this is ${statement.what}.`)
      case 'yield':
      case 'declaration':
        return undefined
    }
    return undefined
  }

  #followExpression(expression: Expression, scope: Scope): void {
    const value = this.#evaluate(expression, scope)
    if (value.kind !== 'unknown') return
    const { callee } = expression.kind === 'call' ? expression : { callee: expression }
    const name = callee.kind === 'member' || callee.kind === 'name' ? callee.name : ''
    throw name === '' ? unknownValue(value) : new Unmapped(reasonFor(name))
  }

  #followBinding(pattern: Pattern, expression: Expression | null, scope: Scope, isNew: boolean): void {
    let value: Value = expression === null ? nothing : { kind: 'unknown', text: expression.text }
    if (expression !== null && isWait(expression) && !this.#isAwaited(expression)) {
      this.#bind(pattern, nothing, scope, isNew)
      throw new Unmapped('It is waited for later. Steps wait for what they need by themselves.')
    }
    try {
      if (expression !== null) value = this.#evaluate(expression, scope)
    } finally {
      this.#bind(pattern, value, scope, isNew)
    }
    if (value.kind === 'unknown') throw unknownValue(value)
    if (pattern.kind === 'other') throw new Unmapped('Only names are given values.')
  }

  /** Whether a value of this statement has to be there before the next one. */
  #isAwaited(expression: Expression): boolean {
    const statement = this.#statement!
    return this.#isPython || /\bawait\s*\(*$/.test(statement.text.slice(0, expression.from - statement.from))
  }

  #bind(pattern: Pattern, value: Value, scope: Scope, isNew: boolean): void {
    if (pattern.kind === 'name') {
      if (isNew) scope.declare(pattern.name, value)
      else scope.assign(pattern.name, value)
    }
    if (pattern.kind === 'list')
      for (const [index, item] of pattern.items.entries())
        this.#bind(
          item,
          value.kind === 'list' ? (value.items[index] ?? nothing) : unknownPart(value),
          scope,
          isNew,
        )
    if (pattern.kind === 'record')
      for (const { name, pattern: inner } of pattern.entries)
        this.#bind(inner, this.#member(value, name, name), scope, isNew)
  }

  #followDefinition(statement: Extract<Statement, { kind: 'function' }>, scope: Scope): void {
    const { name, decorators } = statement
    const callable: Callable = { function: statement.function, scope }
    const fixture = decorators.find((decorator) => /^@pytest\.fixture\b/.test(decorator.text))
    if (fixture !== undefined) {
      if (!/\bautouse\s*=\s*True\b/.test(fixture.text))
        throw new Unmapped('Fixtures of its own are not followed.')
      const { body, parameters } = statement.function
      const end = body.findIndex(({ kind }) => kind === 'yield')
      const parts = end === -1 ? [body, []] : [body.slice(0, end + 1), body.slice(end + 1)]
      const [before, after] = parts.map((part): Callable => ({
        scope,
        function: { parameters, body: part, result: null },
      }))
      this.#group.before.push(before!)
      this.#group.after.push(after!)
      return
    }
    if (this.#isPython && name.startsWith('test')) this.#addTest(name, callable)
    else {
      this.#declared.add(statement)
      scope.declare(name, { kind: 'function', ...callable, text: statement.text })
    }
  }

  #followClass({ name, body }: Extract<Statement, { kind: 'class' }>, scope: Scope): void {
    if (!name.startsWith('Test'))
      throw new Unmapped('Classes are not followed. Write what its methods do into the test.')
    this.#inGroup(name, () => this.#body(body, new Scope(scope)))
  }

  #followWith({ items, body }: Extract<Statement, { kind: 'with' }>, scope: Scope): Value | undefined {
    let refusal: Unmapped | undefined
    const waits = items.filter(({ value }) => isWait(value))
    for (const { value, pattern } of items) {
      if (isWait(value)) continue
      let entered: Value = { kind: 'unknown', text: value.text }
      try {
        entered = this.#evaluate(value, scope)
      } catch (error) {
        if (!(error instanceof Unmapped)) throw error
        refusal = error
      }
      if (pattern !== null) this.#bind(pattern, entered, scope, true)
    }
    const returned = this.#body(body, scope)
    for (const { value } of waits) this.#evaluate(value, scope)
    if (refusal !== undefined) throw refusal
    return returned.kind === 'nothing' ? undefined : returned
  }

  #inGroup(title: string, follow: () => void): void {
    const around = this.#group
    this.#group = newGroup(title, around)
    follow()
    this.#group = around
  }

  #addTest(title: string, callable: Callable): void {
    this.#tests.push({ ...callable, title, group: this.#group, statement: this.#statement! })
  }

  #evaluate(expression: Expression, scope: Scope): Value {
    const unknown: Value = { kind: 'unknown', text: expression.text }
    switch (expression.kind) {
      case 'literal':
        return literalValue(expression.value)
      case 'regex':
        return { kind: 'regex', source: expression.source, flags: expression.flags }
      case 'joined': {
        const texts: Text[] = []
        for (const part of expression.parts) {
          const value = this.#evaluate(part, scope)
          const text = asText(this.#browser.settled(value))
          if (text === undefined) return value.kind === 'unknown' ? value : unknown
          texts.push(text)
        }
        return joinTexts(texts) ?? unknown
      }
      case 'either':
        return this.#either(this.#evaluate(expression.first, scope), this.#evaluate(expression.second, scope))
      case 'name':
        return scope.find(expression.name) ?? wellKnown(expression.name)
      case 'member':
        return this.#member(this.#evaluate(expression.of, scope), expression.name, expression.text)
      case 'call':
        return this.#call(expression, scope)
      case 'list':
        return listOf(
          expression.items.map((item) => this.#evaluate(item, scope)),
          expression.text,
        )
      case 'record': {
        const entries = expression.entries.map(
          ({ name, value }) => [name, this.#evaluate(value, scope)] as const,
        )
        return recordOf(new Map(entries), expression.text)
      }
      case 'function':
        return { kind: 'function', function: expression.function, scope, text: expression.text }
      case 'other':
        return unknown
    }
    return unknown
  }

  /** What is taken where something else is not there. */
  #either(first: Value, second: Value): Value {
    if (first.kind === 'nothing') return second
    const fallback = asText(second)
    if (first.kind === 'text' && fallback !== undefined)
      return this.#environment.withFallback(first, fallback) ?? first
    return first
  }

  #member(of: Value, name: string, text: string): Value {
    const unknown: Value = { kind: 'unknown', text }
    if (of.kind === 'environment') return name === 'get' ? unknown : this.#environment.read(name)
    if (of.kind === 'browser' && (name === 'test' || name === 'expect')) return importedValue(name)
    if (of.kind === 'record') return of.entries.get(name) ?? nothing
    if (of.kind === 'list') return of.items[Number(name)] ?? unknown
    if (of.kind === 'test') return { kind: 'test', path: of.path === '' ? name : `${of.path}.${name}` }
    if (of.kind === 'unknown' && /^(?:process\.env|os\.environ)$/.test(`${of.text}.${name}`))
      return { kind: 'environment' }
    return this.#browser.member(of, name) ?? unknown
  }

  #call({ callee, values, text, line }: Extract<Expression, { kind: 'call' }>, scope: Scope): Value {
    const unknown: Value = { kind: 'unknown', text }
    const given = () =>
      new Arguments(values.map((value) => this.#browser.settled(this.#evaluate(value, scope))))
    if (callee.kind !== 'member') {
      const called = this.#evaluate(callee, scope)
      if (called.kind === 'test') return this.#test('', given().values)
      if (called.kind === 'function') return this.#callFunction(called, given().values, line)
      if (called.kind === 'expect') return this.#expect(values, scope)
      if (callee.kind === 'name' && callee.name === 'require') return { kind: 'browser' }
      return unknown
    }
    const known = knownFunction(callee.text.replaceAll(/\s+/g, ''))
    if (known === 'all') return this.#together(values, scope)
    if (known === 'run') return this.#evaluate(values[0] ?? callee, scope)
    if (known === 'sleep') return this.#browser.pause(given().at(0), 1000)
    const of = this.#evaluate(callee.of, scope)
    if (known === 'getenv' || (of.kind === 'environment' && callee.name === 'get'))
      return this.#readEnvironment(given())
    if (of.kind === 'test')
      return this.#test(of.path === '' ? callee.name : `${of.path}.${callee.name}`, given().values)
    if (of.kind === 'expect') {
      if (callee.name !== 'soft') throw new Unmapped(reasonFor(callee.name))
      this.#stage.telling.note('It ends the page action when it fails; the test would go on.')
      return this.#expect(values, scope)
    }
    if (of.kind === 'record') {
      const member = of.entries.get(callee.name)
      if (member?.kind === 'function') return this.#callFunction(member, given().values, line)
    }
    if (/^(?:then|catch|finally)$/.test(callee.name)) {
      this.#stage.telling.note('What is done when it has ended is not followed.')
      return of
    }
    return this.#browser.call(of, callee.name, given()) ?? unknown
  }

  #expect(values: readonly Expression[], scope: Scope): Value {
    const [subject] = values
    const of: Value = subject === undefined ? nothing : this.#evaluate(subject, scope)
    return { kind: 'expectation', of, isNegated: false }
  }

  /** What happens at the same time happens in turn: first what is done, then what waits for its outcome. */
  #together(values: readonly Expression[], scope: Scope): Value {
    const [first] = values
    const items = values.length === 1 && first?.kind === 'list' ? first.items : values
    const results = new Map<Expression, Value>()
    for (const item of items.toSorted((a, b) => Number(isWait(a)) - Number(isWait(b))))
      results.set(item, this.#evaluate(item, scope))
    return listOf(
      items.map((item) => results.get(item) ?? nothing),
      '',
    )
  }

  #readEnvironment(given: Arguments): Value {
    const name = asText(given.at(0))
    if (name === undefined) throw unknownValue(given.at(0))
    const value = this.#environment.read(name.plain)
    const fallback = asText(given.at(1) ?? given.option('default'))
    return fallback === undefined ? value : (this.#environment.withFallback(value, fallback) ?? value)
  }

  #callFunction(
    callable: Extract<Value, { kind: 'function' }>,
    values: readonly Value[],
    line: number,
  ): Value {
    const result = this.#inline(callable, values)
    this.#stage.line = line
    return result
  }

  /** Calls of `test` and what belongs to it (https://playwright.dev/docs/api/class-test). */
  #test(path: string, values: readonly Value[]): Value {
    const title = asText(values[0])?.plain ?? ''
    const callable = values.findLast((value) => value.kind === 'function')
    if (callable !== undefined) {
      const { telling } = this.#stage
      if (/^(?:(?:only|skip|fixme|fail)?)$/.test(path)) {
        if (path === 'skip' || path === 'fixme' || path === 'fail')
          telling.note(`It is marked with ${path}; as a virtual user it is like any other.`)
        this.#addTest(title, callable)
        return nothing
      }
      if (/^describe(?:\.(?:only|skip|fixme|serial|parallel))*$/.test(path)) {
        this.#inGroup(title, () => this.#inline(callable, []))
        return nothing
      }
      if (path === 'step' || path === 'step.skip') {
        const group = this.#stage.draft.group(title, () => this.#inline(callable, []))
        telling.actionId ??= group
        return nothing
      }
      if (path === 'beforeEach' || path === 'beforeAll') {
        if (path === 'beforeAll') telling.note('It is done in each iteration.')
        this.#group.before.push(callable)
        return nothing
      }
      if (path === 'afterEach' || path === 'afterAll') {
        if (path === 'afterAll') telling.note('It is done in each iteration.')
        this.#group.after.unshift(callable)
        return nothing
      }
    }
    if (path === 'use')
      return this.#browser.call({ kind: 'browser' }, 'newContext', new Arguments(values)) ?? nothing
    if (path === 'extend') {
      this.#stage.telling.note('Fixtures of its own are not followed.')
      return { kind: 'test', path: '' }
    }
    throw new Unmapped(`What ${path === '' ? 'test' : path}() says is for the test runner.`)
  }
}

/** Whether something waits for what other statements do. */
function isWait(expression: Expression): boolean {
  const name = expression.kind === 'call' && expression.callee.kind === 'member' ? expression.callee.name : ''
  return /^(?:waitFor(?:U|L|N|S|$)|expectNavigation$)/.test(name)
}

/** A part of a value that is not known is not known either. */
function unknownPart(value: Value): Value {
  return value.kind === 'unknown' ? value : { kind: 'unknown', text: '' }
}

function withAction(told: Told, actionId: string | null): Told {
  if (actionId !== null || told.outcome === 'dropped') return { ...told, actionId }
  return { outcome: 'approximated', note: 'Nothing that it does could be imported.', actionId: null }
}

function literalValue(value: string | number | boolean | null): Value {
  if (typeof value === 'string') return plainText(value)
  if (typeof value === 'number') return { kind: 'number', number: value }
  return value === null ? nothing : { kind: 'boolean', isTrue: value }
}
