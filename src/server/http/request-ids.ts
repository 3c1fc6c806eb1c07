import { randomInt } from 'node:crypto'

/** Crockford's base32: no I, L, O, U, so that an ID can be read out on the phone. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const half = 2 ** 20
const range = half * half

/** Every pair of characters, so that an ID is four look-ups. */
const pairs = [...alphabet].flatMap((first) => [...alphabet].map((second) => first + second))

const fourCharacters = (value: number): string => `${pairs[value >>> 10]}${pairs[value & 1023]}`

const requestIdOf = (value: number): string =>
  `${fourCharacters(Math.floor(value / half))}-${fourCharacters(value % half)}`

interface Sequence {
  /** 0 to 2^40 − 1. */
  start: number
  /** Odd, so that the sequence repeats only after 2^40 IDs. */
  step: number
}

const randomSequence = (): Sequence => ({ start: randomInt(range), step: randomInt(range / 2) * 2 + 1 })

/**
 * IDs like `K7F3-92QD`: unique within a process. Each process starts at a random place and has its own step, so that
 * the IDs of two processes are unlikely to be the same.
 */
export function requestIds({ start, step }: Sequence = randomSequence()): () => string {
  let value = start
  return () => {
    value = (value + step) % range
    return requestIdOf(value)
  }
}

/** The request ID in a text as people write it: any case, with or without the hyphen, O as 0, I and L as 1. */
export function readRequestId(text: string): string | undefined {
  if (text.length > 40) return undefined
  const written = text
    .replace(/[\s\p{Pd}]+/gu, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(written) ? `${written.slice(0, 4)}-${written.slice(4)}` : undefined
}
