// Our reader and its answers: `ours.ts [--times-before 4] <question> <file> …`.
import { createReadStream } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  compareProfiles,
  differentialFlameGraph,
  readProfileInPieces,
  selfValuesOf,
  topFunctions,
  type Profile,
} from '../../../packages/profiles/src/index.ts'
import { reportFigures, type Answer } from './figures.ts'

const questions: Record<string, (paths: string[]) => Promise<Answer>> = {
  async top([path = '', sampleType]) {
    return topOf(await read(path), sampleType)
  },

  /** Of two files, with the layout of its flame graph. */
  async difference([base = '', head = '']) {
    const [one, other] = [await read(base), await read(head)]
    const { tree, baseTotal, headTotal } = compareProfiles(one, other, { limit: 50 })
    differentialFlameGraph(tree, 20_000)
    return { nodes: tree.nodes.parents.length - 1, total: headTotal - baseTotal, top: [] }
  },
}

function read(path: string): Promise<Profile> {
  // In pieces as a folder of uploads gives them.
  return readProfileInPieces(createReadStream(path, { highWaterMark: 2 ** 20 }))
}

function topOf(profile: Profile, sampleType: string | undefined): Answer {
  const found = profile.sampleTypes.findIndex(({ type }) => type === sampleType)
  const sampleTypeIndex = found === -1 ? profile.defaultSampleTypeIndex : found
  const rows = topFunctions(profile, { by: 'self', limit: 10, sampleTypeIndex })
  return {
    nodes: profile.nodes.parents.length - 1,
    total: selfValuesOf(profile, sampleTypeIndex).reduce((sum, value) => sum + value, 0),
    top: rows.map(({ functionName, selfValue, totalValue }) => [functionName, selfValue, totalValue]),
  }
}

const { values, positionals } = parseArgs({
  options: { 'times-before': { type: 'string', default: '0' } },
  allowPositionals: true,
})
const [question = '', ...paths] = positionals
await reportFigures(() => questions[question]!(paths), Number(values['times-before']))
