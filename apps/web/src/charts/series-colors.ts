// Six hues that differ in lightness too, for those who do not tell hues apart.
const light = ['#2b4acb', '#c2410c', '#0f766e', '#a21caf', '#7c6a0a', '#57524a']
const dark = ['#9db2ff', '#fb9a5f', '#5fd0c0', '#e69af0', '#d8c24a', '#b8b0a4']

/** Colour of the n-th series; from the seventh on they come again, dashed. */
export function seriesColor(index: number, isDark: boolean): string {
  const colors = isDark ? dark : light
  return colors[index % colors.length] ?? '#808080'
}

/** The same for what is not on a canvas: in CSS, for whatever theme there is. */
export function seriesCssColor(index: number): string {
  return `light-dark(${seriesColor(index, false)}, ${seriesColor(index, true)})`
}

/** Dash pattern in pixels; undefined for a line without gaps. */
export function seriesDash(index: number): number[] | undefined {
  return index < light.length ? undefined : [6, 4]
}
