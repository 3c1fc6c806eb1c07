/** Errors of saved views. */
export const preferencesErrors = {
  VIEW_NAME_REQUIRED: { status: 400, message: 'View name is required' },
  VIEW_NAME_TOO_LONG: { status: 400, message: 'The view name can have at most {max} characters' },
  VIEW_NAME_CHARACTERS: { status: 400, message: 'The view name can only contain visible characters' },
  VIEW_NAME_TAKEN: { status: 409, message: 'You already have a view with this name' },
  VIEW_QUERY_INVALID: { status: 400, message: 'The filter of a view can only contain q, f.*, sort and limit' },
  VIEW_LIMIT_REACHED: { status: 409, message: 'A table can have at most {max} views' },
  VIEW_NOT_FOUND: { status: 404, message: 'View not found' },
} as const
