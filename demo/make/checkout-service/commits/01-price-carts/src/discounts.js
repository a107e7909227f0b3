/**
 * Gives each line the best of the rules that match it, and spreads the discount over its units cent by cent, so that
 * every unit can be returned on its own.
 * @param lines as `priceCart` returns them
 * @param rules [{ id, category, minimumQuantity, percent, validUntil }]
 */
export function applyDiscounts(lines, rules, today) {
  const index = indexRules(rules)
  return lines.map((line) => {
    const best = findMatchingRules(line, index)
      .filter((rule) => Date.parse(rule.validUntil) >= today)
      .toSorted((a, b) => b.percent - a.percent)
      .at(0)
    if (!best) return { ...line, discountCents: 0, unitCents: spreadCents(line.totalCents, line.quantity) }
    const discountCents = Math.round((line.totalCents * best.percent) / 100)
    return {
      ...line,
      discountCents,
      ruleId: best.id,
      unitCents: spreadCents(line.totalCents - discountCents, line.quantity),
    }
  })
}

function indexRules(rules) {
  return Map.groupBy(rules, (rule) => rule.category)
}

function findMatchingRules(line, index) {
  const rules = index.get(line.category) ?? []
  return rules.filter((rule) => line.quantity >= rule.minimumQuantity)
}

/** 1000 cents over 3 units are 334, 333, 333: the parts add up to the whole. */
function spreadCents(totalCents, quantity) {
  const units = []
  let rest = totalCents
  for (let left = quantity; left > 0; left -= 1) {
    const part = Math.ceil(rest / left)
    units.push(part)
    rest -= part
  }
  return units
}
