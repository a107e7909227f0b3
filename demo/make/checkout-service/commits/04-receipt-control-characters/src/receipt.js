/** The receipt as the printer service takes it: one line per article, then the totals per tax class. */
export function serialiseReceipt(lines, { number, issuedAt }) {
  const taxByClass = new Map()
  const rows = lines.map((line) => {
    taxByClass.set(line.taxClass, (taxByClass.get(line.taxClass) ?? 0) + line.taxCents)
    const name = printable(line.name)
    const amount = formatCents(line.totalCents - line.discountCents)
    return `${name.padEnd(40).slice(0, 40)} ${String(line.quantity).padStart(4)} ${amount.padStart(12)}`
  })
  const totalCents = lines.reduce((sum, line) => sum + line.totalCents - line.discountCents, 0)
  const taxes = [...taxByClass].map(([taxClass, cents]) => `  of which ${taxClass} tax ${formatCents(cents)}`)
  return [`Receipt ${number} ${issuedAt}`, ...rows, `Total ${formatCents(totalCents)}`, ...taxes].join('\n')
}

function formatCents(cents) {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')} EUR`
}

/** Control characters are commands to the printer. */
function printable(text) {
  return text.replaceAll(/\p{Cc}/gu, ' ')
}
