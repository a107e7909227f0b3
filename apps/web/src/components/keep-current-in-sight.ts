/** A `ref` for a row that scrolls sideways: moves it to the item that is selected or current in it, now and whenever that changes. */
export function keepCurrentInSight(row: HTMLElement | null): (() => void) | undefined {
  if (row === null) return undefined
  const show = () => {
    const item = row.querySelector('[aria-selected=true], [aria-current]')
    if (item === null) return
    const [outer, inner] = [row.getBoundingClientRect(), item.getBoundingClientRect()]
    if (inner.right > outer.right) row.scrollLeft += inner.right - outer.right
    else if (inner.left < outer.left) row.scrollLeft -= outer.left - inner.left
  }
  show()
  const observer = new MutationObserver(show)
  observer.observe(row, {
    subtree: true,
    childList: true,
    attributeFilter: ['aria-selected', 'aria-current'],
  })
  return () => observer.disconnect()
}
