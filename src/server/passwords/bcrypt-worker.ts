import { parentPort } from 'node:worker_threads'
import { compareSync, hashSync } from 'bcryptjs'
import type { BcryptAnswer, BcryptRequest } from './bcrypt-thread.ts'

/** Thread for bcrypt, which would block the event loop for 50 ms and more per password. */

/** Salt of work that protects nothing. */
const noSalt = '$2b$'

parentPort?.on('message', ({ id, password, hash, cost }: BcryptRequest) => {
  const answer: BcryptAnswer = { id, matches: false }
  try {
    if (hash === undefined) hashSync(password, `${noSalt}${String(cost).padStart(2, '0')}$${'.'.repeat(22)}`)
    else answer.matches = compareSync(password, hash)
  } catch (error) {
    answer.error = String(error)
  }
  parentPort?.postMessage(answer)
})
