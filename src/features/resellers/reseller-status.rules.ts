/** A banned reseller is banned, whether the setup link was used or not. */
export const resellerStatuses = ['active', 'invited', 'banned'] as const
export type ResellerStatus = (typeof resellerStatuses)[number]
