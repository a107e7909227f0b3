const words = Array.from({ length: 20_000 }, (_, index) => `word${index}`)
for (let round = 0; round < 3; round += 1) {
  console.time('join words')
  words.join(' ')
  console.timeEnd('join words')
}
console.time('wait: a while')
await new Promise((resolve) => setTimeout(resolve, 1100))
console.timeEnd('wait: a while')
console.log('done')
