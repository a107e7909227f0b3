// Two workspaces full of everything; in the name of one every operation is called with what is the other's. No byte may come back,
// answers must be those for things that nobody has, and take as long; the same in SQL under row-level security.
//
//     npm run long -- isolation [--minutes 30] [--seed 1] [--samples 150]
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { tryForeignRows } from '../../packages/db/src/test-foreign-rows.ts'
import { urlOfRole } from '../system/database-access.ts'
import { randomAttack, systematicAttacks } from '../system/isolation/attacks.ts'
import { harvest, sowCanaries } from '../system/isolation/loot.ts'
import { createTenant } from '../system/isolation/tenant.ts'
import { tryAttack } from '../system/isolation/try-attack.ts'
import { startAlone } from './alone/start-alone.ts'
import { Random, seedOf } from './fuzzing/random.ts'
import { tryOtherAddresses } from './isolation/other-addresses.ts'
import { isolationPage, type IsolationResult } from './isolation/page.ts'
import { tryTiming } from './isolation/timing.ts'

const canary = 'kanarienvogel'
const sqlRounds = 2_000
/** The rest of the time is for what is drawn by lot. */
const timingShare = 0.35
const attacksAtOnce = 4

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    samples: { type: 'string', default: '150' },
  },
})
const seed = Number(values.seed)
const totalMs = Number(values.minutes) * 60_000
const startedAt = Date.now()

const alone = await startAlone()
try {
  const [victim, attacker] = [await createTenant(), await createTenant()]
  const found: string[] = []
  const canaries = await sowCanaries(victim, canary)
  say(`${canaries} texts with the word`)
  const loot = await harvest(victim, canary)
  say(`${loot.ids.size} ids and ${loot.handles.size} handles found`)

  const other = await tryOtherAddresses(attacker, victim, loot)
  keep(other.found)
  say(`${other.tried} other addresses`)

  const random = new Random(seedOf(`isolation ${seed}`))
  const { found: inSql, ...sql } = await tryForeignRows({
    appUrl: await urlOfRole('app'),
    ownerUrl: await urlOfRole('owner'),
    own: attacker.world.owner,
    othersWorkspaceId: victim.world.owner.workspaceId,
    ids: [...loot.ids],
    words: [canary, victim.world.owner.email, victim.world.owner.workspaceId, victim.world.projectId],
    rounds: sqlRounds,
    pick: (items) => random.pick(items),
  })
  keep(inSql)
  say(`${sql.statements} statements on ${sql.tables} tables`)

  const attacks = systematicAttacks(attacker.world, victim.world)
  await tryAll(attacks.values())
  say(`${attacks.length} exchanged ids`)

  const timing = await tryTiming(
    attacker,
    victim,
    Number(values.samples),
    () => elapsedMs() < totalMs * (1 - timingShare),
  )
  keep(
    timing
      .filter(({ isUsable }) => isUsable)
      .map(({ operation, delta }) => `${operation}: its time tells (delta ${delta.toFixed(2)})`),
  )
  say(`times of ${timing.length} operations`)

  let drawn = 0
  await tryAll(draw())
  say(`${drawn} drawn by lot`)

  const result: IsolationResult = {
    seed,
    canaries,
    ids: loot.ids.size,
    handles: loot.handles.size,
    systematic: attacks.length,
    random: drawn,
    addresses: other.tried,
    sql,
    timing,
    found,
    seconds: elapsedMs() / 1000,
  }
  const page = isolationPage(result)
  console.log(page)
  if (totalMs >= 600_000)
    await writeFile(join(import.meta.dirname, '../../docs/benchmarks/isolation.md'), page)
  if (found.length > 0) process.exitCode = 1

  function* draw() {
    while (elapsedMs() < totalMs) {
      const attack = randomAttack(random, attacker.world, loot)
      if (attack === undefined) continue
      drawn += 1
      yield attack
    }
  }

  async function tryAll(all: Iterator<Parameters<typeof tryAttack>[1]>): Promise<void> {
    await Promise.all(
      Array.from({ length: attacksAtOnce }, async () => {
        for (let each = all.next(); each.done !== true; each = all.next()) {
          const got = await tryAttack(attacker, each.value, loot)
          if (got !== undefined) keep([got])
        }
      }),
    )
  }

  function keep(more: readonly string[]): void {
    for (const each of more) console.log(`FOUND ${each}`)
    found.push(...more)
  }
} finally {
  await alone.stop()
}

function elapsedMs(): number {
  return Date.now() - startedAt
}

function say(what: string): void {
  console.log(`${Math.round(elapsedMs() / 1000)} s: ${what}`)
}
