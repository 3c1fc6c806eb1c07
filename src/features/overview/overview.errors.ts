import { profileErrors } from '#features/profile/profile.errors.ts'

/** Every way a call on the overview is refused. */
export const overviewErrors = {
  TIME_ZONE_UNKNOWN: profileErrors.TIME_ZONE_UNKNOWN,
} as const
