/** That runs are missing in what shows several of them; empty where none is. */
export function runsLeftOutWords(count: number): string {
  if (count === 0) return ''
  return count === 1 ? 'A run that was deleted is left out.' : `${count} runs that were deleted are left out.`
}
