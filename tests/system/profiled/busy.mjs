// Keeps a processor busy half of the time, for as many milliseconds as it is told, or for ever. Says so after a while.

const until = Date.now() + Number(process.argv[2] ?? Infinity)

let rounds = 0

// Without a loop: code that V8 compiled while it was in one has no name in a profile that begins later.
function burn(n) {
  return n < 2 ? n : burn(n - 1) + burn(n - 2)
}

const timer = setInterval(() => {
  const end = Date.now() + 20
  while (Date.now() < end) burn(20)
  if (++rounds === 10) console.log('busy')
  if (Date.now() > until) clearInterval(timer)
}, 40)
