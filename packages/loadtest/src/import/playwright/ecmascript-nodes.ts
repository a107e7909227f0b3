import type { parse } from '@babel/parser'

export type EsStatement = ReturnType<typeof parse>['program']['body'][number]
export type EsExpression = Extract<EsStatement, { type: 'ExpressionStatement' }>['expression']
export type EsPattern =
  | Extract<EsStatement, { type: 'FunctionDeclaration' }>['params'][number]
  | Extract<EsExpression, { type: 'AssignmentExpression' }>['left']

/** What all nodes of a syntax tree have. */
export interface EsNode {
  type: string
  start?: number | null
  end?: number | null
  loc?: { start: { line: number } } | null
}

export function isStatement(node: EsNode): node is EsStatement {
  return /(?:Statement|Declaration|Assignment|Function)$/.test(node.type)
}

/** Whatever stands where a value does; kinds that nobody knows are values of which nothing is known. */
export function isExpression(node: EsNode): node is EsExpression {
  return !isStatement(node)
}

/** Every statement, also those inside others, in the order of the source. Blocks and empty statements are none. */
export function statementsIn(body: readonly EsStatement[]): EsStatement[] {
  const found: EsStatement[] = []
  const open = body.map((node): Child => ({ node, isStatement: true })).toReversed()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node } = next
    if (next.isStatement && node.type !== 'EmptyStatement' && isStatement(node)) found.push(node)
    for (const child of childrenOf(node).toReversed()) open.push(child)
  }
  return found
}

interface Child {
  node: EsNode
  isStatement: boolean
}

/** Where a list of statements stands, and where a single one does. */
const listsOfStatements = new Set([
  'BlockStatement.body',
  'StaticBlock.body',
  'TSModuleBlock.body',
  'SwitchCase.consequent',
])
const singleStatement =
  /^(?:If|For|ForOf|ForIn|While|DoWhile|Labeled|With)Statement\.(?:body|consequent|alternate)$/

function childrenOf(node: EsNode): Child[] {
  const children: Child[] = []
  for (const [key, value] of Object.entries(node)) {
    if (key.endsWith('Comments')) continue
    const place = `${node.type}.${key}`
    const isInList = listsOfStatements.has(place)
    for (const child of Array.isArray(value) ? value : [value]) {
      if (!isNode(child)) continue
      const isAlone = singleStatement.test(place) && child.type !== 'BlockStatement'
      children.push({ node: child, isStatement: isInList || isAlone })
    }
  }
  return children.toSorted((a, b) => (a.node.start ?? 0) - (b.node.start ?? 0))
}

function isNode(value: unknown): value is EsNode {
  return typeof value === 'object' && value !== null && 'start' in value && 'type' in value
}
