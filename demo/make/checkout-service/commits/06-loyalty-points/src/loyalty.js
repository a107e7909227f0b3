/** One point for each full euro that is paid, none for what is discounted. */
export function loyaltyPoints(lines) {
  return lines.reduce((points, line) => points + Math.floor((line.totalCents - line.discountCents) / 100), 0)
}
