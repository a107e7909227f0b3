// Made once: to make a format takes a hundred times as long as to use it.
const plain = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 })

const units: Readonly<Record<string, readonly { name: string; size: number }[]>> = {
  ns: [
    { name: 's', size: 1e9 },
    { name: 'ms', size: 1e6 },
    { name: 'µs', size: 1e3 },
    { name: 'ns', size: 1 },
  ],
  B: [
    { name: 'TiB', size: 2 ** 40 },
    { name: 'GiB', size: 2 ** 30 },
    { name: 'MiB', size: 2 ** 20 },
    { name: 'KiB', size: 2 ** 10 },
    { name: 'B', size: 1 },
  ],
}

/**
 * A value of a benchmark for people, with four digits: `12.35 µs`, `1.5 MiB`, `12,350,000 instructions`. The function of
 * the same name in `packages/contract` writes the same (a test holds them together), for this room imports nothing.
 */
export function formatQuantity(value: number, unit: string): string {
  // Four digits may round 999.96 up into the next unit, so that is decided on the rounded number.
  const rounded = Math.abs(Number(value.toPrecision(4)))
  const choices = units[unit] ?? []
  const chosen = choices.find(({ size }) => rounded >= size) ?? choices.at(-1) ?? { name: unit, size: 1 }
  const number = significant(value / chosen.size)
  return chosen.name === '' ? number : `${number} ${chosen.name}`
}

/** Whole numbers below a million are counts, which are told as they are. */
function significant(value: number): string {
  const isCount = Number.isInteger(value) && Math.abs(value) < 1e6
  return plain.format(isCount ? value : Number(value.toPrecision(4)))
}
