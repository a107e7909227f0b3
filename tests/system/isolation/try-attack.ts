import type { Attack } from './attacks.ts'
import type { Loot } from './loot.ts'
import { ask, type Reply, type Tenant } from './tenant.ts'
import { firstDifference, leaksIn, seenAs } from './verdict.ts'

/** What an attack got; undefined when it got nothing. */
export async function tryAttack(attacker: Tenant, attack: Attack, loot: Loot): Promise<string | undefined> {
  const { operation, surface, foreign, missing } = attack
  const what = `${operation.id} over ${surface} with ${JSON.stringify(foreign).slice(0, 300)}`
  if (operation.effect !== 'read') plant(foreign, loot)
  return compared(what, loot, foreign, missing, (input) => ask(attacker, surface, operation, input))
}

function plant(sent: unknown, { ids, secrets, planted }: Loot): void {
  const text = JSON.stringify(sent)
  for (const each of [...ids, ...secrets]) if (text.includes(each)) planted.add(each)
}

/** How often something that nobody has is sent, before an answer counts as one that it never gets. */
const missingTries = 4

/**
 * Sends what is the other's, and what is nobody's in its place. Where the answers differ, more of nobody's is sent: words may be like a
 * word of one's own by chance. Then the other's once more: what a call did to one's own things may have made the difference, but
 * what is the other's makes it each time.
 */
export async function compared<Sent>(
  what: string,
  loot: Loot,
  foreign: Sent,
  missing: () => Sent,
  send: (input: Sent) => Promise<Reply>,
): Promise<string | undefined> {
  const first = await send(foreign)
  const leaks = leaksIn(first, foreign, loot)
  if (leaks.length > 0) return `${what}: told ${leaks.join(', ')}`
  if (first.status >= 500) return `${what}: ${first.status}`
  let sent: Sent[] = []
  let wanted = ''
  for (let tries = 0; tries < missingTries; tries += 1) {
    const nobodys = missing()
    sent = [foreign, nobodys]
    wanted = seenAs(await send(nobodys), sent)
    if (wanted === seenAs(first, sent)) return undefined
  }
  const got = seenAs(await send(foreign), sent)
  if (got !== seenAs(first, sent)) return undefined
  const [answered, instead] = firstDifference(got, wanted)
  return `${what}: answered … ${answered}\n  where nobody's is answered … ${instead}`
}
