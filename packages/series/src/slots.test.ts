import { describe, expect, it } from 'vitest'
import { highestOf, lowestOf, slotCount, slotOf, valueMax } from './slots.ts'

describe('the slots of a histogram', () => {
  it('follow one another without gap or overlap', () => {
    for (let slot = 0; slot + 1 < slotCount; slot++) expect(lowestOf(slot + 1)).toBe(highestOf(slot) + 1)
    expect(lowestOf(0)).toBe(0)
    expect(highestOf(slotCount - 1)).toBe(valueMax)
  })

  it('count what lies between their ends', () => {
    for (let slot = 0; slot < slotCount; slot++) {
      expect(slotOf(lowestOf(slot))).toBe(slot)
      expect(slotOf(highestOf(slot))).toBe(slot)
    }
  })

  it('are as narrow as a thousandth of what they count', () => {
    for (let slot = 2048; slot < slotCount; slot += 7)
      expect((highestOf(slot) - lowestOf(slot)) / lowestOf(slot)).toBeLessThan(0.001)
  })
})
