import { parser } from '@lezer/python'
import { SourceError } from '../importer.ts'
import { pythonText } from './python-text.ts'
import {
  calculate,
  camelCase,
  type Expression,
  expressionDepthMax,
  Lines,
  type Pattern,
  type Placed,
  type Script,
  type Statement,
} from './syntax.ts'

type PyNode = ReturnType<typeof parser.parse>['topNode']

/** It stops at the first place that it cannot read: to go on behind it takes longer the less of a text is Python. */
const strictParser = parser.configure({ strict: true })

/** Reads Python. Nothing of it is run. */
export function readPython(text: string): Script {
  const lines = new Lines(text)
  // The grammar knows no `yield` without a value, which fixtures have: another word of as many letters stands in its place.
  const readable = text.replaceAll(/^([ \t]*)yield(?=[ \t]*(?:#.*)?\r?$)/gm, '$1break')
  return new PythonReader(text, lines).read(treeOf(readable, lines))
}

function treeOf(text: string, lines: Lines): PyNode {
  try {
    return strictParser.parse(text).topNode
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const position = /\d+$/.exec(error.message)?.[0]
    const place = position === undefined ? undefined : `line ${lines.at(Number(position))}`
    throw new SourceError('It is no Python, or it is cut off.', place)
  }
}

type Parts<Of> = Of extends unknown ? Omit<Of, keyof Placed> : never

class PythonReader {
  readonly #text: string
  readonly #lines: Lines
  /** By offset: a statement is read once, wherever it is met. */
  readonly #known = new Map<number, Statement>()

  constructor(text: string, lines: Lines) {
    this.#text = text
    this.#lines = lines
  }

  read(top: PyNode): Script {
    const all: Statement[] = []
    const cursor = top.cursor()
    do {
      const { parent } = cursor.node
      if (parent !== null && isStatement(cursor.node, parent)) all.push(this.#statement(cursor.node))
    } while (cursor.next())
    return { body: this.#body(top), all }
  }

  /** Statements of a body, several on one line among them. */
  #body(node: PyNode | null): Statement[] {
    if (node === null) return []
    return childrenOf(node).flatMap((child) => {
      if (child.name === 'StatementGroup') return this.#body(child)
      return isStatement(child, node) ? [this.#statement(child)] : []
    })
  }

  #statement(node: PyNode): Statement {
    const known = this.#known.get(node.from)
    if (known !== undefined) return known
    const statement: Statement = { ...this.#placed(node), ...this.#parts(node) }
    this.#known.set(node.from, statement)
    return statement
  }

  #parts(node: PyNode): Parts<Statement> {
    switch (node.name) {
      case 'ExpressionStatement':
        return this.#expressionParts(node)
      case 'AssignStatement':
        return this.#assignment(node)
      case 'ImportStatement':
        return { kind: 'import', names: this.#imported(node) }
      case 'FunctionDefinition':
        return this.#definition(node, [])
      case 'DecoratedStatement': {
        const definition = node.getChild('FunctionDefinition')
        if (definition === null) return { kind: 'other', what: 'a class' }
        const decorators = node.getChildren('Decorator').map((decorator) => this.#decorator(decorator))
        return this.#definition(definition, decorators)
      }
      case 'ClassDefinition':
        return {
          kind: 'class',
          name: this.#textOf(node.getChild('VariableName')),
          body: this.#body(node.getChild('Body')),
        }
      case 'WithStatement':
        return this.#with(node)
      case 'IfStatement': {
        const isMain = /^if\s+__name__\s*==\s*(["'])__main__\1\s*:/.test(this.#textOf(node))
        if (isMain && node.getChild('else') === null)
          return { kind: 'block', body: this.#body(node.getChild('Body')) }
        return { kind: 'other', what: 'a condition' }
      }
      case 'ReturnStatement': {
        const value = childrenOf(node)[1]
        return { kind: 'return', value: value === undefined ? null : this.#expression(value) }
      }
      case 'YieldStatement':
        return { kind: 'yield' }
      case 'BreakStatement':
        if (this.#textOf(node) === 'yield') return { kind: 'yield' }
        return { kind: 'other', what: 'a loop' }
      case 'PassStatement':
      case 'ScopeStatement':
      case 'TypeDefinition':
        return { kind: 'declaration' }
      default:
        return { kind: 'other', what: statementNames[node.name] ?? 'a statement of its own kind' }
    }
  }

  #expressionParts(node: PyNode): Parts<Statement> {
    const [value] = childrenOf(node)
    if (value === undefined) return { kind: 'other', what: 'a statement of its own kind' }
    if (value.name === 'YieldExpression') return { kind: 'yield' }
    return { kind: 'expression', expression: this.#expression(value) }
  }

  /** `a = b`, `a, b = c`, `a: int = b`; `a = b = c` gives c to both. */
  #assignment(node: PyNode): Parts<Statement> {
    const sides: PyNode[][] = [[]]
    for (const child of childrenOf(node)) {
      if (child.name === 'AssignOp') sides.push([])
      else if (child.name !== ',' && child.name !== 'TypeDef') sides.at(-1)!.push(child)
    }
    const values = sides.length > 1 ? sides.pop()! : []
    const [single] = values
    if (single === undefined) return { kind: 'declaration' }
    const value: Expression =
      values.length === 1
        ? this.#expression(single)
        : { ...this.#placed(node), kind: 'list', items: values.map((item) => this.#expression(item)) }
    return {
      kind: 'binding',
      isNew: true,
      bindings: sides.map((targets) => ({ pattern: this.#pattern(targets), value })),
    }
  }

  #pattern(targets: readonly PyNode[]): Pattern {
    const [single] = targets
    if (single === undefined) return { kind: 'other' }
    if (targets.length > 1) return { kind: 'list', items: targets.map((target) => this.#pattern([target])) }
    if (single.name === 'VariableName') return { kind: 'name', name: this.#textOf(single) }
    if (single.name !== 'TupleExpression' && single.name !== 'ArrayExpression') return { kind: 'other' }
    return { kind: 'list', items: itemsOf(single).map((item) => this.#pattern([item])) }
  }

  /** `from a import b as c, d`; what `import a` brings is known by its name. */
  #imported(node: PyNode): { imported: string; local: string }[] {
    const found: { imported: string; local: string }[] = []
    let isBehindImport = false
    let isRenamed = false
    for (const child of childrenOf(node)) {
      if (child.name === 'import') isBehindImport = true
      else if (child.name === 'as') isRenamed = true
      else if (isBehindImport && child.name === 'VariableName') {
        const name = this.#textOf(child)
        if (isRenamed) found.at(-1)!.local = name
        else found.push({ imported: name, local: name })
        isRenamed = false
      }
    }
    return found
  }

  #decorator(node: PyNode): Expression {
    const names = node.getChildren('VariableName').map((name) => this.#textOf(name))
    const placed = this.#placed(node)
    const [first = '', ...rest] = names
    let callee: Expression = { ...placed, kind: 'name', name: first }
    for (const name of rest) callee = { ...placed, kind: 'member', of: callee, name }
    const given = node.getChild('ArgList')
    return given === null ? callee : { ...placed, kind: 'call', callee, values: this.#arguments(given, 0) }
  }

  #definition(node: PyNode, decorators: Expression[]): Parts<Statement> {
    return {
      kind: 'function',
      name: this.#textOf(node.getChild('VariableName')),
      function: {
        parameters: this.#parameters(node.getChild('ParamList')),
        body: this.#body(node.getChild('Body')),
        result: null,
      },
      decorators,
    }
  }

  #parameters(list: PyNode | null): Pattern[] {
    const found: Pattern[] = []
    let isName = true
    for (const child of list === null ? [] : childrenOf(list)) {
      if (child.name === ',') isName = true
      else if (child.name === 'VariableName' && isName) {
        found.push({ kind: 'name', name: this.#textOf(child) })
        isName = false
      }
    }
    return found
  }

  #with(node: PyNode): Parts<Statement> {
    const items: { value: Expression; pattern: Pattern | null }[] = []
    let isRenamed = false
    for (const child of childrenOf(node)) {
      if (child.name === 'as') isRenamed = true
      else if (!/^(?:async|with|,|\(|\)|Body)$/.test(child.name)) {
        if (isRenamed) items.at(-1)!.pattern = this.#pattern([child])
        else items.push({ value: this.#expression(child), pattern: null })
        isRenamed = false
      }
    }
    return { kind: 'with', items, body: this.#body(node.getChild('Body')) }
  }

  #expression(node: PyNode, depth = 0): Expression {
    let inner = node
    while (inner.name === 'AwaitExpression' || inner.name === 'ParenthesizedExpression') {
      const value = childrenOf(inner)[1]
      if (value === undefined) break
      inner = value
    }
    const placed = this.#placed(inner)
    if (depth > expressionDepthMax) return { ...placed, kind: 'other' }
    return { ...placed, ...this.#expressionOf(inner, depth + 1) }
  }

  #expressionOf(node: PyNode, depth: number): Parts<Expression> {
    switch (node.name) {
      case 'String':
        return { kind: 'literal', value: pythonText(this.#textOf(node)) }
      case 'Number':
        return { kind: 'literal', value: Number(this.#textOf(node).replaceAll('_', '')) }
      case 'Boolean':
        return { kind: 'literal', value: this.#textOf(node) === 'True' }
      case 'None':
        return { kind: 'literal', value: null }
      case 'FormatString':
        return { kind: 'joined', parts: this.#formatParts(node, depth) }
      case 'ContinuedString':
        return { kind: 'joined', parts: childrenOf(node).map((part) => this.#expression(part, depth)) }
      case 'VariableName':
        return { kind: 'name', name: this.#textOf(node) }
      case 'MemberExpression':
        return this.#member(node, depth)
      case 'CallExpression':
        return this.#call(node, depth)
      case 'UnaryExpression': {
        const [operator, value] = childrenOf(node)
        const of = value === undefined ? undefined : this.#expression(value, depth)
        if (this.#textOf(operator ?? null) === '-' && of?.kind === 'literal' && typeof of.value === 'number')
          return { kind: 'literal', value: -of.value }
        return { kind: 'other' }
      }
      case 'BinaryExpression':
        return this.#binary(node, depth)
      case 'ArrayExpression':
      case 'TupleExpression':
        return { kind: 'list', items: itemsOf(node).map((item) => this.#expression(item, depth)) }
      case 'DictionaryExpression':
        return this.#dictionary(node, depth)
      case 'LambdaExpression': {
        const value = node.lastChild
        const parameters = this.#parameters(node.getChild('ParamList'))
        const result = value === null ? null : this.#expression(value, depth)
        return { kind: 'function', function: { parameters, body: [], result } }
      }
      default:
        return { kind: 'other' }
    }
  }

  #member(node: PyNode, depth: number): Parts<Expression> {
    const [object, dot, property] = childrenOf(node)
    if (object === undefined || property === undefined) return { kind: 'other' }
    if (dot?.name === '.') return memberOf(this.#expression(object, depth), this.#textOf(property))
    // Of a["b"] the name is a text, which is as it is.
    const key = this.#expression(property, depth)
    if (key.kind !== 'literal' || key.value === null) return { kind: 'other' }
    return { kind: 'member', of: this.#expression(object, depth), name: String(key.value) }
  }

  #call(node: PyNode, depth: number): Parts<Expression> {
    const [callee, given] = childrenOf(node)
    if (callee === undefined || given?.name !== 'ArgList') return { kind: 'other' }
    const called = this.#expression(callee, depth)
    const values = this.#arguments(given, depth)
    const isRegex =
      called.kind === 'member' &&
      called.name === 'compile' &&
      called.of.kind === 'name' &&
      called.of.name === 're'
    const [source, flags] = values
    if (isRegex && source?.kind === 'literal')
      return {
        kind: 'regex',
        source: String(source.value),
        flags: flags === undefined ? '' : regexFlags(flags.text),
      }
    return { kind: 'call', callee: called, values }
  }

  /** Arguments without a name, and those with one in a record behind them. */
  #arguments(list: PyNode, depth: number): Expression[] {
    const values: Expression[] = []
    const entries: { name: string; value: Expression }[] = []
    const children = itemsOf(list)
    for (let index = 0; index < children.length; index++) {
      const child = children[index]!
      const value = children[index + 2]
      if (children[index + 1]?.name === 'AssignOp' && value !== undefined) {
        entries.push({ name: camelCase(this.#textOf(child)), value: this.#expression(value, depth) })
        index += 2
      } else values.push(this.#expression(child, depth))
    }
    return entries.length === 0 ? values : [...values, { ...this.#placed(list), kind: 'record', entries }]
  }

  #binary(node: PyNode, depth: number): Parts<Expression> {
    const [left, operator, right] = childrenOf(node)
    if (left === undefined || operator === undefined || right === undefined) return { kind: 'other' }
    const first = this.#expression(left, depth)
    const second = this.#expression(right, depth)
    if (operator.name === 'or') return { kind: 'either', first, second }
    const sign = this.#textOf(operator)
    const result = calculate(sign, first, second)
    if (result !== undefined) return { kind: 'literal', value: result }
    return sign === '+' ? { kind: 'joined', parts: [first, second] } : { kind: 'other' }
  }

  #dictionary(node: PyNode, depth: number): Parts<Expression> {
    const entries: { name: string; value: Expression }[] = []
    const parts = childrenOf(node).filter(({ name }) => !/^[{},:]$/.test(name))
    for (let index = 0; index < parts.length; index += 2) {
      const key = parts[index]!
      const value = parts[index + 1]
      if (key.name !== 'String' || value === undefined) return { kind: 'other' }
      entries.push({ name: pythonText(this.#textOf(key)), value: this.#expression(value, depth) })
    }
    return { kind: 'record', entries }
  }

  /** The texts of f"…" stand between the replacements, and are no nodes of their own. */
  #formatParts(node: PyNode, depth: number): Expression[] {
    const [, prefix = '', quote = ''] = /^([a-z]*)("""|'''|"|')/i.exec(this.#textOf(node)) ?? []
    const parts: Expression[] = []
    let from = node.from + prefix.length + quote.length
    const addText = (to: number) => {
      // Braces that are meant as such are written twice.
      const text = this.#text.slice(from, to).replaceAll('{{', '{').replaceAll('}}', '}')
      const value = pythonText(`${prefix}"""${text}"""`)
      if (text !== '') parts.push({ ...this.#placed(node), kind: 'literal', value })
    }
    for (const replacement of node.getChildren('FormatReplacement')) {
      addText(replacement.from)
      const [, value, after] = childrenOf(replacement)
      const isPlain = value !== undefined && after?.name === '}'
      parts.push(isPlain ? this.#expression(value, depth) : { ...this.#placed(replacement), kind: 'other' })
      from = replacement.to
    }
    addText(node.to - quote.length)
    return parts
  }

  #textOf(node: PyNode | null): string {
    return node === null ? '' : this.#text.slice(node.from, node.to)
  }

  #placed({ from, to }: PyNode): Placed {
    return { from, line: this.#lines.at(from), text: this.#text.slice(from, to) }
  }
}

/** `not_to_be_visible` is what the other language writes as `not.toBeVisible`. */
function memberOf(of: Expression, name: string): Parts<Expression> {
  if (!name.startsWith('not_to_')) return { kind: 'member', of, name: camelCase(name) }
  return { kind: 'member', of: { ...of, kind: 'member', of, name: 'not' }, name: camelCase(name.slice(4)) }
}

function regexFlags(text: string): string {
  const names: [RegExp, string][] = [
    [/\bre\.(?:I|IGNORECASE)\b/, 'i'],
    [/\bre\.(?:M|MULTILINE)\b/, 'm'],
    [/\bre\.(?:S|DOTALL)\b/, 's'],
  ]
  return names.map(([name, flag]) => (name.test(text) ? flag : '')).join('')
}

const statementNames: Readonly<Record<string, string>> = {
  ForStatement: 'a loop',
  WhileStatement: 'a loop',
  TryStatement: 'error handling',
  RaiseStatement: 'error handling',
  MatchStatement: 'a condition',
  AssertStatement: 'a comparison of values of the script',
  UpdateStatement: 'a calculation',
}

function childrenOf(node: PyNode): PyNode[] {
  const children: PyNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (child.name !== 'Comment' && !child.type.isError) children.push(child)
  return children
}

/** What stands between brackets and commas. */
function itemsOf(node: PyNode): PyNode[] {
  return childrenOf(node).filter(({ name }) => !/^[()[\],]$/.test(name))
}

/** A node in a body; several statements on one line are in a group, which is none. */
function isStatement(node: PyNode, parent: PyNode): boolean {
  if (!/^(?:Script|Body|StatementGroup)$/.test(parent.name)) return false
  return /(?:Statement|Definition)$/.test(node.name)
}
