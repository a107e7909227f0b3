const TAX_RATES = [
  { country: 'DE', taxClass: 'standard', percent: 19 },
  { country: 'DE', taxClass: 'reduced', percent: 7 },
  { country: 'FR', taxClass: 'standard', percent: 20 },
  { country: 'FR', taxClass: 'reduced', percent: 5.5 },
  { country: 'NL', taxClass: 'standard', percent: 21 },
  { country: 'NL', taxClass: 'reduced', percent: 9 },
]

/** Looks every item up and works out what its line costs and how much of it is tax, which prices include. */
export function priceCart(items, catalogue, country) {
  return items.map(({ sku, quantity }) => {
    const product = catalogue.get(sku)
    if (!product) throw new Error(`There is no product ${sku}`)
    const totalCents = product.priceCents * quantity
    return { ...product, quantity, totalCents, taxCents: includedTax(totalCents, country, product.taxClass) }
  })
}

function includedTax(totalCents, country, taxClass) {
  const rate = TAX_RATES.find((own) => own.country === country && own.taxClass === taxClass)
  if (!rate) throw new Error(`No tax rate for ${taxClass} in ${country}`)
  return Math.round(totalCents - totalCents / (1 + rate.percent / 100))
}
