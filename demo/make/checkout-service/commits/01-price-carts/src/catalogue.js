/**
 * Reads `sku;name;category;price;taxClass` lines, prices in euros. Names may be quoted and hold semicolons.
 * @returns {Map<string, { sku: string, name: string, category: string, priceCents: number, taxClass: string }>}
 */
export function parseCatalogue(text) {
  const products = new Map()
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '' || line.startsWith('#')) continue
    const [sku, name, category, price, taxClass] = splitCells(line)
    if (taxClass === undefined) throw new Error(`Catalogue line ${index + 1}: expected five cells`)
    products.set(sku, { sku, name, category, priceCents: parseCents(price), taxClass })
  }
  return products
}

function splitCells(line) {
  const cells = []
  let cell = ''
  let isQuoted = false
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted
    else if (character === ';' && !isQuoted) {
      cells.push(cell)
      cell = ''
    } else cell += character
  }
  cells.push(cell)
  return cells
}

function parseCents(price) {
  const [euros, cents = '0'] = price.split('.')
  return Number(euros) * 100 + Number(cents.padEnd(2, '0'))
}
