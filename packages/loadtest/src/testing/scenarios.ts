import { virtualUser, type VirtualUser } from '../model/virtual-user.ts'
import { scenario, type Scenario } from '../scenario/scenario.ts'

/** A virtual user of these actions; ids are given to those that have none. */
export function userOf(...actions: object[]): VirtualUser {
  let next = 0
  const identified = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(identified)
    if (typeof value !== 'object' || value === null) return value
    const fields = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, identified(part)]))
    return 'type' in fields && !('id' in fields) ? { id: `act_${next++}`, ...fields } : fields
  }
  return virtualUser.parse({ name: 'Buyer', actions: identified(actions) })
}

export const getRequest = { type: 'http_request', method: 'GET', server_id: 'srv_1', path: '/' }
export const pause = (ms: number) => ({ type: 'delay', duration: { distribution: 'constant', ms } })

/** A scenario whose profiles are of the virtual user vu_1, where they do not say otherwise. */
export function scenarioOf(profiles: object[], rest: object = {}): Scenario {
  return scenario.parse({
    name: 'Checkout',
    profiles: profiles.map((profile, index) => ({
      id: `p${index + 1}`,
      name: `Profile ${index + 1}`,
      virtual_user_id: 'vu_1',
      load: { type: 'ramp_up', users: 10, ramp_up_ms: 10_000, plateau_ms: 60_000 },
      ...profile,
    })),
    ...rest,
  })
}
