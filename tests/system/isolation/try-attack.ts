import { operations } from '@flamegate/contract'
import type { Attack } from './attacks.ts'
import type { Loot } from './loot.ts'
import { ask, type Reply, type Tenant } from './tenant.ts'
import { firstDifference, leaksIn, seenAs } from './verdict.ts'

/** What an attack got; undefined when it got nothing. */
export async function tryAttack(attacker: Tenant, attack: Attack, loot: Loot): Promise<string | undefined> {
  const { operation, surface, foreign, missing } = attack
  const what = `${operation.id} over ${surface} with ${JSON.stringify(foreign).slice(0, 300)}`
  const isWriting = operation.effect !== 'read'
  if (isWriting) for (const each of lootIn(foreign, loot)) loot.planted.add(each)
  // What finds tools knows nothing but the catalogue, and words of an address or of a name are like words in it.
  const mayBeOwn =
    operation.id === operations.findTools.id || lootIn(foreign, loot).some((each) => loot.stored.has(each))
  const send = async (input: Attack['foreign']) => {
    const reply = await ask(attacker, surface, operation, input)
    if (isWriting && input === foreign && reply.status < 300 && reply.code === undefined)
      for (const each of lootIn(foreign, loot)) loot.stored.add(each)
    return reply
  }
  return compared(what, loot, foreign, missing, send, mayBeOwn)
}

function lootIn(sent: unknown, { ids, secrets, handles }: Loot): string[] {
  const text = JSON.stringify(sent)
  return [...ids, ...secrets, ...handles].filter((each) => text.includes(each))
}

/**
 * How often something that nobody has is sent, before an answer counts as one that it never gets. Of a random word of capitals and
 * small letters a search looks for the humps, also for those of one letter, and one's own things may have words that begin so.
 */
const missingTries = 40

/**
 * Sends what is the other's, and what is nobody's in its place. Where the answers differ, more of nobody's is sent: words may be like a
 * word of one's own by chance. Then the other's once more: what a call did to one's own things may have made the difference, but
 * what is the other's makes it each time.
 * @param mayBeOwn an earlier call may have made it a name of something of one's own, so that answers may differ
 */
export async function compared<Sent>(
  what: string,
  loot: Loot,
  foreign: Sent,
  missing: () => Sent,
  send: (input: Sent) => Promise<Reply>,
  mayBeOwn = false,
): Promise<string | undefined> {
  const first = await send(foreign)
  const leaks = leaksIn(first, foreign, loot)
  if (leaks.length > 0) return `${what}: told ${leaks.join(', ')}`
  if (first.status >= 500) return `${what}: ${first.status}`
  if (mayBeOwn) return undefined
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
