import { ApiProblem, type Client } from '@flamegate/client'
import { generatorGauges, type Tick } from '@flamegate/series'
import { expect, test } from 'vitest'
import { ShardLink, type Sample } from './shard-link.ts'
import { ShardLog } from './shard-log.ts'

interface Told {
  state: string
  batches: { sequence: number }[]
  samples: Sample[]
}

/** A platform that takes reports of so many bytes, and what it was told. */
function platform(bytesMax: number): { link: ShardLink; told: Told[] } {
  const told: Told[] = []
  const call = async (_operation: unknown, report: Told) => {
    if (JSON.stringify(report).length > bytesMax)
      throw new ApiProblem({ status: 413, code: 'too_large', title: 'The content is too large', detail: '' })
    told.push(report)
    return {
      order: 'run',
      now: new Date().toISOString(),
      accepted: report.batches.map((each) => each.sequence),
    }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of which one call is made
  const client = { call } as unknown as Client
  const of = { id: 'shd_1', benchResultId: 'bnr_1', slot: 0, loadGeneratorId: 'gen_1' }
  return { link: new ShardLink(client, of, new ShardLog(new Set())), told }
}

test('a platform that is older than the agent is told without what it does not know', async () => {
  const told: object[] = []
  const call = async (_operation: unknown, report: object) => {
    if ('load_generator_id' in report)
      throw new ApiProblem({
        status: 400,
        code: 'invalid_input',
        title: 'The input is not valid',
        detail: '',
        errors: [{ field: 'load_generator_id', message: 'No such field.' }],
      })
    told.push(report)
    return { order: 'wait', now: new Date().toISOString(), accepted: [] }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of which one call is made
  const client = { call } as unknown as Client
  const of = { id: 'shd_1', benchResultId: 'bnr_1', slot: 0, loadGeneratorId: 'gen_1' }
  const link = new ShardLink(client, of, new ShardLog(new Set()))
  expect(await link.report('PREPARING')).toMatchObject({ order: 'wait' })
  expect(told).toMatchObject([{ state: 'PREPARING' }])
})

const tick = (second: number): Tick => ({
  second,
  actions: [],
  profiles: [],
  generator: new Float64Array(generatorGauges.length),
})

const sample = (id: string, bytes: number): Sample => ({
  id,
  action: 0,
  profile: 0,
  error_class: 'status_5xx',
  message: 'The server answered 500',
  at: '2026-11-22T10:00:00.000Z',
  exchange: { response: 'x'.repeat(bytes) },
})

/** Reports until all was told. */
async function tellAll(link: ShardLink): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one report after the other
  for (let count = 0; link.waiting > 0 && count < 30; count++) await link.report('RUNNING')
}

test('failures with large bodies are told in as many reports as they need', async () => {
  const { link, told } = platform(4 * 2 ** 20)
  link.addTicks([tick(0)])
  for (let number = 0; number < 10; number++) link.addSample(sample(`${number}`, 900_000))
  await tellAll(link)
  expect(told.map(({ samples }) => samples.map(({ id }) => id))).toEqual([
    ['0', '1'],
    ['2', '3'],
    ['4', '5'],
    ['6', '7'],
    ['8', '9'],
  ])
  expect(told[0]?.batches).toHaveLength(1)
})

test('where less is taken on the way, less is told at once, and of what is too large by itself only what happened', async () => {
  const { link, told } = platform(300_000)
  link.addTicks([tick(0)])
  link.addSample(sample('large', 1_000_000))
  link.addSample(sample('small', 1000))
  await tellAll(link)
  expect(told).toMatchObject([
    { batches: [{ sequence: 0 }], samples: [{ id: 'large', exchange: null }, { id: 'small' }] },
  ])
  expect(told[0]?.samples[1]?.exchange).not.toBeNull()
})

test('a second that nobody takes is an error in the end', async () => {
  const { link } = platform(50)
  link.addTicks([tick(0)])
  await expect(tellAll(link)).rejects.toThrow(ApiProblem)
})
