import { hashingLimits, type HashingUse } from '#server/passwords/hashing-use.ts'
import { Passwords } from '#server/passwords/passwords.ts'

/**
 * Takes every place that the subject may have in its queue, with renewals that wait for their storage, until the returned
 * function is called.
 */
export async function fillPasswordQueue(passwords: Passwords, use: HashingUse): Promise<() => Promise<void>> {
  const outdated = await new Passwords({ memoryKiB: 16, passes: 1 }).hash('x', use)
  const { promise: stored, resolve: store } = Promise.withResolvers<boolean>()
  const renewals = Array.from({ length: hashingLimits.maxPerOwner }, () =>
    passwords.verifyAndRenew('x', outdated, { use, replace: () => stored, read: async () => undefined }),
  )
  return async () => {
    store(true)
    await Promise.all(renewals)
  }
}
