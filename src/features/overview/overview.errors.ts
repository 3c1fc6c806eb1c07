import { profileErrors } from '#features/profile/profile.errors.ts'

export const overviewErrors = {
  TIME_ZONE_UNKNOWN: profileErrors.TIME_ZONE_UNKNOWN,
  OVERVIEW_RANGE_INVALID: {
    status: 400,
    message: 'The range needs a beginning and an end on full hours, and must begin within the last {days} days',
  },
} as const
