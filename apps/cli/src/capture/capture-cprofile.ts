import { basename, join } from 'node:path'
import { CaptureFailed, type Capture } from './capture-request.ts'
import { commandOf } from './command-of.ts'
import { runProgram } from './run-program.ts'
import { writtenFiles } from './written-files.ts'

/** Runs a Python script or module under cProfile: https://docs.python.org/3/library/profile.html. */
export const captureCprofile: Capture = async (request, place) => {
  const file = join(place.folder, 'cpu.pstats')
  const ran = await runProgram(withCprofile(commandOf(request), file), place, {
    prints: 'passed-on',
    seconds: request.seconds,
    ifMissing: 'Install Python 3, or name the interpreter: -- /path/to/python script.py.',
  })
  const files = await writtenFiles(place.folder, '.pstats')
  if (files.length === 0) {
    throw new CaptureFailed(
      `The command ended with ${ran.exitCode} and left no profile. cProfile writes it when the script ends, by an exception too, and not when it is killed or calls os._exit.`,
    )
  }
  return { files, exitCode: ran.wasEnded ? 0 : ran.exitCode }
}

/** `python -u app.py` is `python -u -m cProfile -o <file> app.py`; a script alone is run by python3. */
export function withCprofile(
  command: readonly [string, ...string[]],
  file: string,
): readonly [string, ...string[]] {
  const [first, ...rest] = command
  const isInterpreter = /^(python|pypy)[\d.]*(\.exe)?$/.test(basename(first))
  const words = isInterpreter ? rest : command
  let own = 0
  // -W and -X have a word after them; -m is of cProfile too.
  while (words[own]?.startsWith('-') === true && words[own] !== '-m') {
    if (words[own] === '-c') {
      throw new CaptureFailed('cProfile profiles no text given with -c: write it into a file.')
    }
    own += words[own] === '-W' || words[own] === '-X' ? 2 : 1
  }
  return [
    isInterpreter ? first : 'python3',
    ...words.slice(0, own),
    '-m',
    'cProfile',
    '-o',
    file,
    ...words.slice(own),
  ]
}
