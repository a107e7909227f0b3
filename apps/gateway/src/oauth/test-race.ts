import { onTestFinished, vi } from 'vitest'
import type { TestSite } from './test-site.ts'

/**
 * Lets as many look-ups of a model as `count` all be answered before one of those who asked goes on, until the test is
 * over: what happens at worst when processes act at once.
 */
export function lookUpTogether(
  { identity }: TestSite,
  method: 'find' | 'findByUserCode',
  model: string,
  count: number,
): void {
  const { promise: allHaveAsked, resolve: letGo } = Promise.withResolvers<void>()
  const lookUp = identity.oauth[method].bind(identity.oauth)
  let asked = 0
  const spy = vi.spyOn(identity.oauth, method).mockImplementation(async (wanted, id) => {
    const found = await lookUp(wanted, id)
    if (wanted !== model) return found
    asked += 1
    if (asked === count) letGo()
    await allHaveAsked
    return found
  })
  onTestFinished(() => spy.mockRestore())
}
