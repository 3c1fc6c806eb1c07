/** Every way a call of this feature is refused. */
export const appsRefusals = {
  APP_NOT_FOUND: { status: 404, message: 'App not found' },
  APP_NAME_TAKEN: { status: 409, message: 'You already have an app with this name' },
  APP_INVALID: { status: 400, message: '{problem}' },
  APP_LIMIT_REACHED: { status: 403, message: 'Your plan allows {limit} apps' },
} as const
