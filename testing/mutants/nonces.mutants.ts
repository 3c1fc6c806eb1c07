import type { Mutant } from './mutant.ts'

const api = 'src/features/client-api'

/** A request of a program counts once. */
export const nonceMutants: readonly Mutant[] = [
  {
    guarantee: 'a nonce counts once (R-CLI-03)',
    file: `${api}/recent-nonces.ts`,
    search: 'return this.#newer.add(fingerprint)',
    replacement: 'return this.#newer.add(fingerprint) || true',
    tests: [`${api}/recent-nonces.test.ts`],
  },
  {
    guarantee: 'a nonce of the generation before counts too (R-CLI-03)',
    file: `${api}/recent-nonces.ts`,
    search: 'if (this.#older?.has(fingerprint)) return false',
    replacement: '',
    tests: [`${api}/recent-nonces.test.ts`],
  },
  {
    guarantee: 'a nonce of one session may be used in another (R-CLI-03)',
    file: `${api}/recent-nonces.ts`,
    search: 'fingerprintOf(nonce, fingerprintOf(scope))',
    replacement: 'fingerprintOf(nonce)',
    tests: [`${api}/recent-nonces.test.ts`],
  },
  {
    guarantee: 'a nonce stays used while the set grows (R-CLI-03)',
    file: `${api}/fingerprint-set.ts`,
    search: 'larger[at + 1] = low',
    replacement: '',
    tests: [`${api}/fingerprint-set.test.ts`],
  },
  {
    guarantee: 'a recorded change is not done again after a restart (R-CLI-03)',
    file: `${api}/used-nonces.ts`,
    search: 'await atOnce([claim(tx, usedNonce(nonce)), work(tx)])',
    replacement: 'await atOnce([isClaimed && claim(tx, usedNonce(nonce)), work(tx)])',
    tests: [`${api}/replayed-requests.test.ts`],
  },
  {
    guarantee: 'a claimed nonce stays when the change commits (R-CLI-03)',
    file: `${api}/client-routes.ts`,
    search: 'write: isChanging ? claimedWrite(services.db, nonce) : rejectToWrite',
    replacement: 'write: (work) => services.db.write(work)',
    tests: [`${api}/replayed-requests.test.ts`],
  },
  {
    guarantee: 'a used nonce stops a start that shares a transaction (R-CLI-03)',
    file: `${api}/session-starts.ts`,
    search: 'if (!areNew) throw',
    replacement: 'if (areNew === undefined) throw',
    tests: [`${api}/session-starts.test.ts`],
  },
  {
    guarantee: 'what is wrong with one start fails no other (R-CLI-03)',
    file: `${api}/session-starts.ts`,
    search: 'if (databaseIsUnavailable(error)) {',
    replacement: 'if (databaseIsUnavailable(error) || starts.length > 0) {',
    tests: [`${api}/session-starts.test.ts`],
  },
  {
    guarantee: 'a webhook is called once for a recorded request (R-CLI-03)',
    file: `${api}/api/call-webhook.ts`,
    search: 'await write(async () => {})',
    replacement: 'void write',
    tests: [`${api}/replayed-requests.test.ts`],
  },
  {
    guarantee: 'old nonces are deleted',
    file: `${api}/client-api.feature.ts`,
    search: 'run: ({ db, clock }) => deleteNoncesBefore(db, clock() - 2 * replayMs)',
    replacement: 'run: ({ db, clock }) => deleteNoncesBefore(db, clock() - 200_000 * replayMs)',
    tests: [`${api}/replayed-requests.test.ts`],
  },
]
