import { profileErrors } from '#features/profile/profile.errors.ts'

/** Errors of the overview call. */
export const overviewErrors = {
  TIME_ZONE_UNKNOWN: profileErrors.TIME_ZONE_UNKNOWN,
} as const
