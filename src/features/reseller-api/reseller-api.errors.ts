import { licensesErrors } from '#features/licenses/licenses.errors.ts'
import { resellersErrors } from '#features/resellers/resellers.errors.ts'
import { userFormErrors } from '#features/users/users.errors.ts'

export const resellerApiErrors = {
  ...resellersErrors,
  ...licensesErrors,
  USER_NOT_FOUND: userFormErrors.USER_NOT_FOUND,
  PLAN_REQUIRED: { status: 400, message: 'Please select a plan duration' },
  PLAN_NOT_ALLOWED: { status: 403, message: 'You are not allowed to sell this plan' },
  PLAN_WITHOUT_COST: {
    status: 403,
    message: 'This plan is not for sale yet: your administrator has not set its cost',
  },
  PRICE_CHANGED: {
    status: 409,
    message:
      'The price has changed: this now costs {cost, plural, one {# credit} other {# credits}}. Please check again.',
  },
  LEVEL_NOT_ALLOWED: { status: 403, message: 'You are not allowed to sell this subscription' },
  LEVEL_PAUSED: { status: 403, message: 'This subscription is paused by your administrator and not for sale' },
  LICENSE_REDEEMED: { status: 409, message: 'A redeemed license cannot be deleted' },
  LICENSE_IS_BANNED: { status: 409, message: 'A banned license cannot be deleted' },
} as const
