/** The same shop in every run: a linear congruential generator (Numerical Recipes' constants) instead of chance. */
function randomNumbers(seed) {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const departments = ['books', 'garden', 'kitchen', 'music', 'office', 'toys']
const shelves = ['basics', 'children', 'gifts', 'outlet', 'premium', 'season']
const adjectives = [
  'Blue',
  'Café',
  'Classic',
  'Grand',
  'Little',
  'Modern',
  'Nordic',
  'Petite',
  'Royal',
  'Travel',
]
const nouns = ['Atlas', 'Basket', 'Candle', 'Drum', 'Easel', 'Flute', 'Globe', 'Hammock', 'Kettle', 'Lantern']

export const queries = [
  'nordic kettle',
  'cafe',
  'royal drum gift',
  'la',
  'petite atlas',
  'modern',
  'hammock xl',
]

export function catalogueText(count) {
  const random = randomNumbers(1)
  const lines = Array.from({ length: count }, (_, index) => {
    const name = `${adjectives[random(10)]} ${nouns[random(10)]}; ${['XL', 'gift set', 'refill'][random(3)]}`
    const category = `${departments[random(6)]}/${shelves[random(6)]}`
    const price = `${1 + random(90)}.${String(random(100)).padStart(2, '0')}`
    return `SKU-${index};"${name}";${category};${price};${random(4) === 0 ? 'reduced' : 'standard'}`
  })
  return ['# sku;name;category;price;taxClass', ...lines].join('\n')
}

export function makeItems(catalogue, count) {
  const random = randomNumbers(2)
  const skus = [...catalogue.keys()]
  return Array.from({ length: count }, () => ({ sku: skus[random(skus.length)], quantity: 1 + random(120) }))
}

/** As the shop's staff wrote them: every twelfth is for a whole department. */
export function makeRules(catalogue, count) {
  const random = randomNumbers(3)
  const categories = [...new Set([...catalogue.values()].map(({ category }) => category))].toSorted((a, b) =>
    a.localeCompare(b),
  )
  return Array.from({ length: count }, (_, index) => ({
    id: `rule-${index}`,
    category: index % 12 === 0 ? `${departments[random(6)]}/*` : categories[random(categories.length)],
    minimumQuantity: 1 + random(6),
    percent: 2 + random(20),
    validUntil: `2026-1${random(3)}-28`,
  }))
}
