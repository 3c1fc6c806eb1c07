import { profileRefusals } from '#features/profile/profile.refusals.ts'

/** Every way a call on the overview is refused. */
export const overviewRefusals = {
  TIME_ZONE_UNKNOWN: profileRefusals.TIME_ZONE_UNKNOWN,
} as const
