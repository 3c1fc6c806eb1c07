export const plansErrors = {
  PLAN_NOT_FOUND: { status: 404, message: 'Plan not found' },
  PLAN_NAME_REQUIRED: { status: 400, message: 'Name is required' },
  PLAN_NAME_INVALID: { status: 400, message: 'The name can only contain letters, numbers, hyphens, and underscores' },
  PLAN_NAME_TAKEN: { status: 409, message: 'A plan with this name already exists' },
  PLAN_DISPLAY_NAME_REQUIRED: { status: 400, message: 'Display name is required' },
  PLAN_DISPLAY_NAME_INVALID: { status: 400, message: 'The display name can have up to 50 visible characters' },
  PLAN_IS_DEFAULT: {
    status: 409,
    message: 'New owners get this plan. Choose another default plan in System Settings first',
  },
  PLANS_EXIST: { status: 409, message: 'Plans already exist' },
} as const
