import type { ShareLimits } from '../network/shares.ts'

export interface HashingCost {
  memoryKiB: number
  passes: number
}

/** End users sign in much more often than owners, so their hash is cheaper. */
export const endUserCost: HashingCost = { memoryKiB: 19_456, passes: 2 }
export const accountCost: HashingCost = { memoryKiB: 65_536, passes: 3 }

/**
 * Accounts of the dashboard, users of apps, and users of apps with imported hashes each have a queue of their own, so
 * that none of them takes the places of the others.
 */
export type HashingQueue = 'accounts' | 'users' | 'importedUsers'

/** Places of one queue. */
export const hashingLimits: ShareLimits = { max: 256, maxPerOwner: 64 }

/** The cost of a hash, and who causes it: subjects have shares and take turns. */
export interface HashingUse {
  cost: HashingCost
  queue: HashingQueue
  subject: string
}

/** For an account of the dashboard. Anybody can cause such hashes, so each network has a share. */
export const accountHashing = (network: string): HashingUse => ({
  cost: accountCost,
  queue: 'accounts',
  subject: `network ${network}`,
})

/** For a user of an app, in the share of its owner, who has the same share with many apps. */
export const userHashing = (ownerId: string): HashingUse => ({
  cost: endUserCost,
  queue: 'users',
  subject: `owner ${ownerId}`,
})
