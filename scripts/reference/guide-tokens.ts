import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { publicTexts } from '../../packages/surfaces/src/index.ts'

/** What a guide costs a model that reads it. */
export interface GuideTokens {
  name: string
  description: string
  /** By the tokenizer o200k_base; others count much the same. */
  tokens: number
  /** What it must not exceed. */
  goal: number
}

/** The overview, which is in the context of every task, may be longer than a guide, because it lists all of them. */
const goals = { overview: 2500, guide: 1500 }

/** The overview, and each guide as the file that clients install. */
export function guideTokens(): GuideTokens[] {
  return publicTexts('https://flamegate.example').flatMap(({ name, kind, description, file }) =>
    kind === 'schema' ? [] : [{ name, description, tokens: encode(file).length, goal: goals[kind] }],
  )
}
