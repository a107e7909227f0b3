const randomWord = () => Math.floor(Math.random() * 2 ** 32) | 0

/** The words that HalfSipHash begins with, with a key that every process draws anew: https://github.com/veorq/SipHash */
export const word0 = randomWord()
export const word1 = randomWord()
export const word2 = word0 ^ 0x6c796765
export const word3 = word1 ^ 0x74656462
