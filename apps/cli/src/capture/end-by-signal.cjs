// Loaded before a program of Node.js that is profiled: a signal that nothing in the program handles ends it as if it had
// called process.exit, so that V8 writes the profile. It tells of itself by a file, because one that comes earlier kills it.
'use strict'

const { writeFileSync } = require('node:fs')
const { signals } = require('node:os').constants

for (const name of ['SIGINT', 'SIGTERM']) {
  process.on(name, () => {
    if (process.listenerCount(name) === 1) process.exit(128 + signals[name])
  })
}

const { FLAMEGATE_CAPTURE_BEGUN: begunFile } = process.env
if (begunFile !== undefined) {
  try {
    writeFileSync(begunFile, '')
  } catch {
    // A program may forbid itself to write, and one that stays longer than the capture finds its folder gone.
  }
}
