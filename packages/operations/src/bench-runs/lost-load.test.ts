import { expect, test } from 'vitest'
import type { ShardState } from '../ports/index.ts'
import { lostLoads } from './lost-load.ts'

const seenAt = new Date('2026-11-22T10:00:30.000Z')
/** Of a part that did not begin there is no first share. */
const part = (state: ShardState, engines: string[] = [], hasBegun = true) => ({
  agentGroup: 'default',
  state,
  firstShareIndex: hasBegun ? 0 : null,
  engines,
  lastSeenAt: seenAt,
})
const lost = { agentGroup: 'default', parts: 1, of: 2, engines: [], since: seenAt }

test.each([
  ['the others took over', 'redistribute', [part('LOST'), part('DONE')], []],
  ['nobody is left to do so', 'redistribute', [part('LOST'), part('FAILED')], [{ ...lost, parts: 2 }]],
  [
    'they cannot take over a script',
    'redistribute',
    [part('LOST', ['k6']), part('DONE', ['k6'])],
    [{ ...lost, engines: ['k6'] }],
  ],
  ['they began without it', 'redistribute', [part('LOST', ['k6'], false), part('DONE', ['k6'])], []],
  ['they are not to', 'degrade', [part('LOST'), part('DONE')], [lost]],
  [
    'they are not to, and it never began',
    'degrade',
    [part('LOST', [], false), part('DONE')],
    [{ ...lost, since: null }],
  ],
  ['nobody was lost', 'degrade', [part('DONE'), part('DONE')], []],
] as const)('what is lost of a load when %s (%s)', (_when, policy, parts, expected) => {
  expect(
    lostLoads(
      parts.map((each) => ({ ...each, engines: [...each.engines] })),
      policy,
    ),
  ).toEqual(expected)
})
