import { beforeAll, expect, test } from 'vitest'
import { Random, seedOf } from '../long/fuzzing/random.ts'
import { tryForeignRows } from '../../packages/db/src/test-foreign-rows.ts'
import { urlOfRole } from './database-access.ts'
import { randomAttack } from './isolation/attacks.ts'
import { harvest, type Loot } from './isolation/loot.ts'
import { createTenant, type Tenant } from './isolation/tenant.ts'
import { tryAttack } from './isolation/try-attack.ts'

/**
 * A little of `npm run long -- isolation`: what one workspace's answers hold, sent in the name of another one. The ids of each operation's
 * input are exchanged by the authorization matrix; here it is anything, anywhere.
 */

const seed = 1
const attackCount = 60

let victim: Tenant
let attacker: Tenant
let loot: Loot
const random = new Random(seedOf(`isolation ${seed}`))

beforeAll(async () => {
  ;[victim, attacker] = await Promise.all([createTenant(), createTenant()])
  loot = await harvest(victim, victim.world.owner.email)
})

test('what is somebody else’s is answered as what nobody has, wherever it is put', async () => {
  expect(loot.ids.size).toBeGreaterThan(100)
  const found: (string | undefined)[] = []
  for (let tried = 0; tried < attackCount;) {
    const attack = randomAttack(random, attacker.world, loot)
    if (attack === undefined) continue
    tried += 1
    found.push(await tryAttack(attacker, attack, loot))
  }
  expect(found.filter((got) => got !== undefined)).toEqual([])
})

test('nor does SQL reach a row of it in the name of another', async () => {
  const outcome = await tryForeignRows({
    appUrl: await urlOfRole('app'),
    ownerUrl: await urlOfRole('owner'),
    own: attacker.world.owner,
    othersWorkspaceId: victim.world.owner.workspaceId,
    ids: [...loot.ids],
    words: [victim.world.owner.email, victim.world.owner.workspaceId, victim.world.projectId],
    rounds: 200,
    pick: (items) => random.pick(items),
  })
  expect(outcome.found).toEqual([])
  expect(outcome.rows).toBeGreaterThan(100)
})
