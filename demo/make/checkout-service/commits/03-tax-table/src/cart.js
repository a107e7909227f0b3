const TAX_PERCENT = {
  DE: { standard: 19, reduced: 7 },
  FR: { standard: 20, reduced: 5.5 },
  NL: { standard: 21, reduced: 9 },
}

/** Looks every item up and works out what its line costs and how much of it is tax, which prices include. */
export function priceCart(items, catalogue, country) {
  const percentByClass = TAX_PERCENT[country]
  if (!percentByClass) throw new Error(`No tax rates for ${country}`)
  return items.map(({ sku, quantity }) => {
    const product = catalogue.get(sku)
    if (!product) throw new Error(`There is no product ${sku}`)
    const totalCents = product.priceCents * quantity
    return {
      ...product,
      quantity,
      totalCents,
      taxCents: includedTax(totalCents, percentByClass[product.taxClass]),
    }
  })
}

function includedTax(totalCents, percent) {
  return Math.round(totalCents - totalCents / (1 + percent / 100))
}
