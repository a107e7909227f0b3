import { Screen } from '../screen.ts'

/** A screen of which a test can read what was said. */
export function testScreen(): { screen: Screen; said: () => string } {
  let text = ''
  const write = (more: string) => {
    text += `${more}\n`
  }
  const screen = new Screen(
    {
      env: {},
      cwd: '/',
      stdin: (async function* () {})(),
      isStdinTyped: false,
      isInteractive: false,
      writeOut: write,
      writeError: write,
      passOn: () => {},
      pause: () => Promise.resolve(),
    },
    false,
  )
  return { screen, said: () => text }
}
