/** One point for each full euro that is paid, two on lines without a discount. */
export function loyaltyPoints(lines) {
  return lines.reduce((points, line) => {
    const euros = Math.floor((line.totalCents - line.discountCents) / 100)
    return points + (line.discountCents === 0 ? 2 * euros : euros)
  }, 0)
}
