import type { Expression, File } from '@babel/parser'

// Names for the parts of Babel's syntax trees (https://babel.dev/docs/babel-parser#output), which its parser does not export.

export type Statement = File['program']['body'][number]
export type StatementOf<Type extends Statement['type']> = Extract<Statement, { type: Type }>
export type ExpressionOf<Type extends Expression['type']> = Extract<Expression, { type: Type }>
export type Call = ExpressionOf<'CallExpression' | 'OptionalCallExpression'>
export type Member = ExpressionOf<'MemberExpression' | 'OptionalMemberExpression'>
type Property = Extract<ExpressionOf<'ObjectExpression'>['properties'][number], { type: 'ObjectProperty' }>

/** Whatever may stand where a value is read. */
export type Node =
  | Expression
  | Call['arguments'][number]
  | Call['callee']
  | Member['object']
  | NonNullable<ExpressionOf<'ArrayExpression'>['elements'][number]>
  | ExpressionOf<'BinaryExpression'>['left']
  | ExpressionOf<'TemplateLiteral'>['expressions'][number]
  | Property['value']
