export const levelsErrors = {
  SUBSCRIPTION_NAME_REQUIRED: { status: 400, message: 'Name is required' },
  SUBSCRIPTION_NAME_CHARACTERS: { status: 400, message: 'Subscription name can only contain visible characters' },
  SUBSCRIPTION_LEVEL_TAKEN: { status: 409, message: 'A subscription with this level already exists' },
  SUBSCRIPTION_NOT_FOUND: { status: 404, message: 'Subscription not found' },
} as const
