export const creditsErrors = {
  CREDITS_INVALID: { status: 400, message: 'Credits must be a whole number' },
  CREDITS_TOO_MANY: { status: 400, message: 'A reseller can have at most {max} credits per app' },
  CREDITS_MISSING: {
    status: 409,
    message: 'Not enough credits: {cost} needed, {balance} available',
  },
  CREDITS_CLOSED: { status: 404, message: 'This app is not assigned to the reseller' },
} as const
