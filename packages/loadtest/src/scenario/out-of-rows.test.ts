import { expect, test } from 'vitest'
import { parseDocument } from '../patch/parse-document.ts'
import { outOfRowsOfRun, outOfRowsWords } from './out-of-rows.ts'
import { scenario } from './scenario.ts'

const { profiles } = scenario.parse({
  name: 'Shop',
  profiles: ['north', 'south'].map((group) => ({
    id: group,
    name: group,
    virtual_user_id: 'vu_1',
    agent_group: group,
    load: { type: 'ramp_up', users: 1, plateau_ms: 1000 },
  })),
})
const variables = [parseDocument('variable', { type: 'csv', name: 'users', path: 'users.csv' })]
const part = (agentGroup: string, message = '') => ({ agentGroup, message })
const north = part('north', `Late. ${outOfRowsWords('north', 'users')}`)
const south = part('south', outOfRowsWords('south', 'users'))

test.each([
  ['all agents of all groups say so', [north, north, south], ['All users ran out of rows of users.']],
  ['those of one group do', [north, part('south')], ['All users of north ran out of rows of users.']],
  [
    'one of a group does not',
    [north, part('north'), south],
    ['All users of south ran out of rows of users.'],
  ],
  ['nobody got to the end', [], []],
])('users of a run ran out of rows when %s', (_when, parts, words) => {
  expect(outOfRowsOfRun({ profiles }, variables, parts)).toEqual(words)
})
