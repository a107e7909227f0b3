/** The id of the element of an item: `/reports/rep_1#item-errors` leads there. */
export function itemAnchor(itemId: string): string {
  return `item-${itemId}`
}
