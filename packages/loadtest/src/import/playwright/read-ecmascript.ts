import { parse } from '@babel/parser'
import { SourceError } from '../importer.ts'
import {
  type EsExpression,
  type EsNode,
  type EsPattern,
  type EsStatement,
  isExpression,
  isStatement,
  statementsIn,
} from './ecmascript-nodes.ts'
import {
  calculate,
  type Expression,
  expressionDepthMax,
  type FunctionParts,
  type Pattern,
  type Placed,
  type Script,
  type Statement,
} from './syntax.ts'

/** Reads TypeScript, and with it JavaScript. Nothing of it is run. */
export function readEcmascript(text: string): Script {
  let body: readonly EsStatement[]
  try {
    body = parse(text, {
      sourceType: 'module',
      plugins: ['typescript'],
      allowReturnOutsideFunction: true,
      allowNewTargetOutsideFunction: true,
      errorRecovery: false,
    }).program.body
  } catch (error) {
    throw asSourceError(error)
  }
  return new EcmascriptReader(text).read(body)
}

/** The parser calls itself for what is inside of something, so that its stack overflows where it is too much. */
function asSourceError(error: unknown): unknown {
  if (error instanceof RangeError) return new SourceError('It is nested too deeply to be read.')
  if (!(error instanceof SyntaxError)) return error
  const { loc } = error as SyntaxError & { loc?: { line: number; column: number } }
  const place = loc === undefined ? undefined : `line ${loc.line}, column ${loc.column + 1}`
  return new SourceError('It is neither JavaScript nor TypeScript, or it is cut off.', place)
}

class EcmascriptReader {
  readonly #text: string
  /** A statement is read once, wherever it is met. */
  readonly #known = new Map<EsStatement, Statement>()

  constructor(text: string) {
    this.#text = text
  }

  read(body: readonly EsStatement[]): Script {
    const all = statementsIn(body).map((node) => this.#statement(node))
    return { body: this.#statements(body), all }
  }

  #statements(nodes: readonly EsStatement[]): Statement[] {
    return nodes.filter((node) => node.type !== 'EmptyStatement').map((node) => this.#statement(node))
  }

  #statement(node: EsStatement): Statement {
    const known = this.#known.get(node)
    if (known !== undefined) return known
    const statement: Statement = { ...this.#placed(node), ...this.#parts(node) }
    this.#known.set(node, statement)
    return statement
  }

  #parts(node: EsStatement): StatementParts {
    switch (node.type) {
      case 'ExpressionStatement':
        return this.#expressionParts(node.expression)
      case 'VariableDeclaration':
        return {
          kind: 'binding',
          isNew: true,
          bindings: node.declarations.map(({ id, init }) => ({
            pattern: patternOf(id),
            value: init ? this.#expression(init) : null,
          })),
        }
      case 'ImportDeclaration':
        return {
          kind: 'import',
          names: node.specifiers.map((specifier) => ({
            imported:
              specifier.type === 'ImportSpecifier' && specifier.imported.type === 'Identifier'
                ? specifier.imported.name
                : '',
            local: specifier.local.name,
          })),
        }
      case 'FunctionDeclaration':
        return {
          kind: 'function',
          name: node.id?.name ?? 'default',
          function: this.#function(node.params, node.body, 0),
          decorators: [],
        }
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration': {
        const { declaration } = node
        if (declaration && isStatement(declaration)) return this.#parts(declaration)
        return { kind: 'other', what: 'an export' }
      }
      case 'BlockStatement':
        return { kind: 'block', body: this.#statements(node.body) }
      case 'ReturnStatement':
        return { kind: 'return', value: node.argument ? this.#expression(node.argument) : null }
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'TSDeclareFunction':
        return { kind: 'declaration' }
      default:
        return { kind: 'other', what: whatOf(node.type) }
    }
  }

  /** An assignment gives a value to a name as a declaration does. */
  #expressionParts(node: EsExpression): StatementParts {
    if (node.type === 'AssignmentExpression' && node.operator === '=')
      return {
        kind: 'binding',
        isNew: false,
        bindings: [{ pattern: patternOf(node.left), value: this.#expression(node.right) }],
      }
    return { kind: 'expression', expression: this.#expression(node) }
  }

  #expression(node: EsNode, depth = 0): Expression {
    if (!isExpression(node)) return { ...this.#placed(node), kind: 'other' }
    const plain = unwrapped(node)
    const placed = this.#placed(plain)
    if (depth > expressionDepthMax) return { ...placed, kind: 'other' }
    return { ...placed, ...this.#expressionOf(plain, placed, depth + 1) }
  }

  #expressionOf(node: EsExpression, placed: Placed, depth: number): ExpressionParts {
    switch (node.type) {
      case 'StringLiteral':
      case 'NumericLiteral':
      case 'BooleanLiteral':
        return { kind: 'literal', value: node.value }
      case 'NullLiteral':
        return { kind: 'literal', value: null }
      case 'RegExpLiteral':
        return { kind: 'regex', source: node.pattern, flags: node.flags }
      case 'TemplateLiteral':
        return { kind: 'joined', parts: this.#templateParts(node, placed, depth) }
      case 'UnaryExpression': {
        const value = this.#expression(node.argument, depth)
        if (node.operator === '-' && value.kind === 'literal' && typeof value.value === 'number')
          return { kind: 'literal', value: -value.value }
        return node.operator === 'void' ? value : { kind: 'other' }
      }
      case 'BinaryExpression': {
        const first = this.#expression(node.left, depth)
        const second = this.#expression(node.right, depth)
        const result = calculate(node.operator, first, second)
        if (result !== undefined) return { kind: 'literal', value: result }
        return node.operator === '+' ? { kind: 'joined', parts: [first, second] } : { kind: 'other' }
      }
      case 'LogicalExpression':
        if (node.operator === '&&') return { kind: 'other' }
        return {
          kind: 'either',
          first: this.#expression(node.left, depth),
          second: this.#expression(node.right, depth),
        }
      case 'Identifier':
        return node.name === 'undefined'
          ? { kind: 'literal', value: null }
          : { kind: 'name', name: node.name }
      case 'MemberExpression':
      case 'OptionalMemberExpression': {
        const name = keyOf(node.property, node.computed)
        return name === null
          ? { kind: 'other' }
          : { kind: 'member', of: this.#expression(node.object, depth), name }
      }
      case 'CallExpression':
      case 'OptionalCallExpression':
        return {
          kind: 'call',
          callee: this.#expression(node.callee, depth),
          values: node.arguments.map((value) => this.#expression(value, depth)),
        }
      case 'ArrayExpression':
        return {
          kind: 'list',
          items: node.elements.map((item) =>
            item === null ? { ...placed, kind: 'literal', value: null } : this.#expression(item, depth),
          ),
        }
      case 'ObjectExpression':
        return this.#record(node.properties, depth)
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return { kind: 'function', function: this.#function(node.params, node.body, depth) }
      default:
        return { kind: 'other' }
    }
  }

  #templateParts(
    { quasis, expressions }: Extract<EsExpression, { type: 'TemplateLiteral' }>,
    placed: Placed,
    depth: number,
  ): Expression[] {
    return quasis.flatMap(({ value }, index): Expression[] => {
      const text: Expression = { ...placed, kind: 'literal', value: value.cooked ?? value.raw }
      const next = expressions[index]
      return next === undefined ? [text] : [text, this.#expression(next, depth)]
    })
  }

  #record(
    properties: Extract<EsExpression, { type: 'ObjectExpression' }>['properties'],
    depth: number,
  ): ExpressionParts {
    const entries: { name: string; value: Expression }[] = []
    for (const property of properties) {
      if (property.type === 'SpreadElement') return { kind: 'other' }
      const name = keyOf(property.key, property.computed)
      if (name === null) return { kind: 'other' }
      const value: Expression =
        property.type === 'ObjectProperty'
          ? this.#expression(property.value, depth)
          : {
              ...this.#placed(property),
              kind: 'function',
              function: this.#function(property.params, property.body, depth),
            }
      entries.push({ name, value })
    }
    return { kind: 'record', entries }
  }

  #function(params: readonly EsPattern[], body: EsBlock | EsExpression, depth: number): FunctionParts {
    const patterns = params.map((param) => patternOf(param))
    if (body.type === 'BlockStatement')
      return { parameters: patterns, body: this.#statements(body.body), result: null }
    return { parameters: patterns, body: [], result: this.#expression(body, depth) }
  }

  #placed({ start, end, loc }: EsNode): Placed {
    const from = start ?? 0
    return { from, line: loc?.start.line ?? 1, text: this.#text.slice(from, end ?? from) }
  }
}

type EsBlock = Extract<EsStatement, { type: 'BlockStatement' }>
type Parts<Of> = Of extends unknown ? Omit<Of, 'from' | 'line' | 'text'> : never
type StatementParts = Parts<Statement>
type ExpressionParts = Parts<Expression>

/** What stands inside of `await`, casts and parentheses. */
function unwrapped(node: EsExpression): EsExpression {
  let inner = node
  for (;;) {
    if (inner.type === 'AwaitExpression') inner = inner.argument
    else if (
      inner.type === 'TSAsExpression' ||
      inner.type === 'TSSatisfiesExpression' ||
      inner.type === 'TSNonNullExpression' ||
      inner.type === 'TSTypeAssertion' ||
      inner.type === 'ParenthesizedExpression'
    )
      inner = inner.expression
    else return inner
  }
}

/** Name of a property; null where it is known only when the script runs. */
function keyOf(node: EsNode, isComputed: boolean): string | null {
  if (!isExpression(node)) return null
  if (node.type === 'StringLiteral') return node.value
  if (node.type === 'NumericLiteral') return String(node.value)
  return node.type === 'Identifier' && !isComputed ? node.name : null
}

function patternOf(node: EsNode, depth = 0): Pattern {
  if (depth > expressionDepthMax || !isPattern(node)) return { kind: 'other' }
  if (node.type === 'Identifier') return { kind: 'name', name: node.name }
  if (node.type === 'AssignmentPattern') return patternOf(node.left, depth + 1)
  if (node.type === 'ArrayPattern')
    return {
      kind: 'list',
      items: node.elements.map((item) => (item === null ? { kind: 'other' } : patternOf(item, depth + 1))),
    }
  if (node.type !== 'ObjectPattern') return { kind: 'other' }
  return {
    kind: 'record',
    entries: node.properties.flatMap((property) => {
      const name = property.type === 'ObjectProperty' ? keyOf(property.key, property.computed) : null
      if (property.type !== 'ObjectProperty' || name === null) return []
      return [{ name, pattern: patternOf(property.value, depth + 1) }]
    }),
  }
}

function isPattern(node: EsNode): node is EsPattern {
  return /^(?:Identifier|(?:Assignment|Array|Object)Pattern)$/.test(node.type)
}

const statementNames: Readonly<Record<string, string>> = {
  IfStatement: 'a condition',
  SwitchStatement: 'a condition',
  ForStatement: 'a loop',
  ForOfStatement: 'a loop',
  ForInStatement: 'a loop',
  WhileStatement: 'a loop',
  DoWhileStatement: 'a loop',
  TryStatement: 'error handling',
  ThrowStatement: 'error handling',
  ClassDeclaration: 'a class',
}

function whatOf(type: string): string {
  return statementNames[type] ?? 'a statement of its own kind'
}
